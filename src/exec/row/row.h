// A function of one thread applied to many: over a whole row of 32 lanes as one loop the compiler turns into vector
// code, over a masked row by blending, over a list by gathering it into a row.
//
// The loops write to local arrays, which nothing else can point to: so they vectorise without further ado.
// A row handler computes all 32 lanes, also of threads that are not active: functions given to it must be defined
// for every bit pattern.
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "exec/context.h"

namespace heddle {

// Lanes of `from` that are in the mask replace those of `to`.
template <class T>
inline void blend(T* to, const T* from, LaneMask mask) {
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  Bits target[kRow], source[kRow];
  std::memcpy(target, to, sizeof target);
  std::memcpy(source, from, sizeof source);
  const uint32_t bits = mask.bits();
  for (unsigned lane = 0; lane < kRow; ++lane) {
    const Bits chosen = static_cast<Bits>(0) - static_cast<Bits>(bits >> lane & 1U);
    target[lane] = static_cast<Bits>((source[lane] & chosen) | (target[lane] & ~chosen));
  }
  std::memcpy(to, target, sizeof target);
}

// A source operand of a list of threads as a row of 32; lanes that do not act hold zero.
template <class T>
inline const T* gather(const Context& context, const Operand& operand, const Lanes& lanes, T (&gathered)[kRow]) {
  if (operand.constant()) return context.source_row<T>(operand, Hw{0});
  if (!lanes.mask.full()) std::memset(gathered, 0, sizeof gathered);
  for_each_lane(lanes.mask, [&](unsigned k) { gathered[k] = context.get<T>(operand, lanes.threads[k]); });
  return gathered;
}

namespace row_detail {

template <auto F, class D, class... S>
inline void compute(D* __restrict to, const S*... from) {
  for (unsigned lane = 0; lane < kRow; ++lane) to[lane] = static_cast<D>(F(from[lane]...));
}

template <class T>
struct Gathered {
  T lanes[kRow];
};

// The same for a list of threads.
template <auto F, class D, class... S, size_t... I>
void compute_list(D* __restrict to, const Context& context, const Instruction& instruction, const Lanes& lanes,
                  std::index_sequence<I...>) {
  std::tuple<Gathered<S>...> gathered;
  compute<F, D, S...>(to, gather<S>(context, instruction.src[I], lanes, std::get<I>(gathered).lanes)...);
}

template <auto F, class D, class... S, size_t... I>
inline void map(Context& context, const Instruction& instruction, const Lanes& lanes,
                std::index_sequence<I...> indices) {
  alignas(64) D result[kRow];
  if (lanes.is_row()) [[likely]] {
    D* const to = context.row<D>(instruction.dst[0], lanes.first);
    compute<F, D, S...>(result, context.source_row<S>(instruction.src[I], lanes.first)...);
    if (lanes.mask.full()) [[likely]]
      std::memcpy(to, result, sizeof result);
    else
      blend(to, result, lanes.mask);
    return;
  }
  compute_list<F, D, S...>(result, context, instruction, lanes, indices);
  for_each_lane(lanes.mask, [&](unsigned k) { context.set<D>(instruction.dst[0], lanes.threads[k], result[k]); });
}

template <auto F, class... S, size_t... I>
inline void test(Context& context, const Instruction& instruction, const Lanes& lanes,
                 std::index_sequence<I...> indices) {
  uint32_t truth[kRow];
  if (lanes.is_row()) [[likely]] {
    compute<F, uint32_t, S...>(truth, context.source_row<S>(instruction.src[I], lanes.first)...);
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < kRow; ++lane) bits |= truth[lane] << lane;
    uint32_t& word = *context.row<uint32_t>(instruction.dst[0], lanes.first);
    word = (bits & lanes.mask.bits()) | (word & ~lanes.mask.bits());
    return;
  }
  compute_list<F, uint32_t, S...>(truth, context, instruction, lanes, indices);
  for_each_lane(lanes.mask,
                [&](unsigned k) { context.set_predicate(instruction.dst[0], lanes.threads[k], truth[k] != 0); });
}

}  // namespace row_detail

// dst[0] = F(src[0], src[1], …), values of the types D and S….
template <auto F, class D, class... S>
void map_row(Context& context, const Instruction& instruction, const Lanes& lanes) {
  row_detail::map<F, D, S...>(context, instruction, lanes, std::index_sequence_for<S...>{});
}

// Predicate dst[0] = F(src[0], …).
template <auto F, class... S>
void test_row(Context& context, const Instruction& instruction, const Lanes& lanes) {
  row_detail::test<F, S...>(context, instruction, lanes, std::index_sequence_for<S...>{});
}

}  // namespace heddle
