// A function of one thread applied to many: over a whole row of 32 lanes as one loop the compiler turns into vector
// code, over a masked row by blending, over a list thread by thread.
//
// The loops write to local arrays, which nothing else can point to: so they vectorise without further ado.
// A row handler computes all 32 lanes, also of threads that are not active: functions given to it must be defined
// for every bit pattern.
#pragma once

#include <cstdint>
#include <cstring>
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

namespace row_detail {

template <auto F, class D, class... S>
inline void compute(D* __restrict to, const S*... from) {
  for (unsigned lane = 0; lane < kRow; ++lane) to[lane] = static_cast<D>(F(from[lane]...));
}

template <auto F, class D, class... S, size_t... I>
inline void map(Context& context, const Instruction& instruction, const Lanes& lanes, std::index_sequence<I...>) {
  if (lanes.is_row()) [[likely]] {
    D* const to = context.row<D>(instruction.dst[0], lanes.first);
    alignas(64) D result[kRow];
    compute<F, D, S...>(result, context.source_row<S>(instruction.src[I], lanes.first)...);
    if (lanes.mask.full()) [[likely]]
      std::memcpy(to, result, sizeof result);
    else
      blend(to, result, lanes.mask);
    return;
  }
  for_each_lane(lanes.mask, [&](unsigned i) {
    const Hw thread = lanes.threads[i];
    context.set<D>(instruction.dst[0], thread, static_cast<D>(F(context.get<S>(instruction.src[I], thread)...)));
  });
}

template <auto F, class... S, size_t... I>
inline void test(Context& context, const Instruction& instruction, const Lanes& lanes, std::index_sequence<I...>) {
  if (lanes.is_row()) [[likely]] {
    uint32_t truth[kRow];
    compute<F, uint32_t, S...>(truth, context.source_row<S>(instruction.src[I], lanes.first)...);
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < kRow; ++lane) bits |= truth[lane] << lane;
    uint32_t& word = *context.row<uint32_t>(instruction.dst[0], lanes.first);
    word = (bits & lanes.mask.bits()) | (word & ~lanes.mask.bits());
    return;
  }
  for_each_lane(lanes.mask, [&](unsigned i) {
    const Hw thread = lanes.threads[i];
    context.set_predicate(instruction.dst[0], thread, F(context.get<S>(instruction.src[I], thread)...));
  });
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
