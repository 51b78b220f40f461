// A function of one thread applied to many: over a whole row of 32 lanes as one loop the compiler turns into vector
// code, over a masked row by blending, over a list thread by thread.
//
// The loops write to local arrays, which nothing else can point to: so they vectorise without further ado.
// A row handler computes all 32 lanes, also of threads that are not active: functions given to it must be defined
// for every bit pattern.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "exec/context.h"
#include "exec/row/gathered.h"
#include "exec/row/truth.h"

namespace heddle {

// As many values as a register takes: loops over these stay as they are written.
#if defined(__AVX512F__)
inline constexpr unsigned kFewBytes = 64;
#elif defined(__AVX2__)
inline constexpr unsigned kFewBytes = 32;
#else
inline constexpr unsigned kFewBytes = 16;
#endif
template <class T>
inline constexpr unsigned kFew = std::min(kFewBytes / static_cast<unsigned>(sizeof(T)), 16U);
template <class T>
using Few [[gnu::vector_size(kFew<T> * sizeof(T))]] = T;

namespace row_detail {

// One bit for each lane, as far as the type has bits.
template <class Bits>
struct LaneBits {
  static constexpr unsigned kLanes = sizeof(Bits) == 2 ? 16 : kRow;
  alignas(16) Bits lane[kLanes]{};
  constexpr LaneBits() {
    for (unsigned k = 0; k < kLanes; ++k) lane[k] = static_cast<Bits>(Bits{1} << k);
  }
};
template <class Bits>
inline constexpr LaneBits<Bits> kLaneBits;

}  // namespace row_detail

// Which of the lanes from `first` on are in the mask: some bit for those, zero for the others.
template <class Bits>
[[gnu::always_inline]] inline Few<Bits> bits_from(unsigned first, LaneMask mask) {
  constexpr unsigned lanes = row_detail::LaneBits<Bits>::kLanes;
  Few<Bits> bit;
  std::memcpy(&bit, row_detail::kLaneBits<Bits>.lane + first % lanes, sizeof bit);
  return bit & static_cast<Bits>(mask.bits() >> first / lanes * lanes);
}

// A row that was computed goes to its place: from the registers it is in, so no loop, of which compilers make a copy of
// memory.
template <class T>
[[gnu::always_inline]] inline void put(T* to, const T* from) {
  const auto some = [&](unsigned first) {
    Few<T> values;
    std::memcpy(&values, from + first, sizeof values);
    std::memcpy(to + first, &values, sizeof values);
  };
  [&]<size_t... I>(std::index_sequence<I...>) { (some(I * kFew<T>), ...); }
  (std::make_index_sequence<kRow / kFew<T>>{});
}

// Lanes of `from` that are in the mask replace those of `to`.
template <class T>
inline void blend(T* to, const T* from, LaneMask mask) {
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  for (unsigned first = 0; first < kRow; first += kFew<Bits>) {
    Few<Bits> target, source;
    std::memcpy(&target, to + first, sizeof target);
    std::memcpy(&source, from + first, sizeof source);
    target = bits_from<Bits>(first, mask) != 0 ? source : target;
#ifdef __AVX512F__
    asm("" : "+v"(target));  // a store by mask, which the compiler would make of it, keeps who reads it next waiting
#endif
    std::memcpy(to + first, &target, sizeof target);
  }
}

template <class T>
[[gnu::always_inline]] inline void put(T* to, const T* from, LaneMask mask) {
  if (mask.full()) [[likely]]
    put(to, from);
  else
    blend(to, from, mask);
}

// A source operand of a list of threads as a row of 32; lanes that do not act hold zero.
template <class T>
inline const T* gather(const Context& context, const Operand& operand, const Lanes& lanes, T (&gathered)[kRow]) {
  if (operand.constant()) return context.source_row<T>(operand, Hw{0});
  if (!lanes.mask.full()) std::memset(gathered, 0, sizeof gathered);
  const RegisterOf<const T> from = context.source_of<T>(operand);
  for_each_lane(lanes.mask, [&](unsigned k) { gathered[k] = from(lanes.threads[k]); });
  return gathered;
}

namespace row_detail {

template <auto F, class D, class... S>
[[gnu::always_inline]] inline void compute(D* __restrict to, const S*... from) {
  for (unsigned lane = 0; lane < kRow; ++lane) to[lane] = static_cast<D>(F(from[lane]...));
}

template <auto F, class... S>
[[gnu::always_inline]] inline void compute_truth(uint32_t* __restrict to, const S*... from) {
  for (unsigned lane = 0; lane < kRow; ++lane) to[lane] = F(from[lane]...) ? ~0U : 0;
}

// Of a list, where the processor gathers: all threads at once, as on a row, whatever the mask; values are then brought
// back one by one. False: they are too few, or lie too far from each other.
template <auto F, class D, class... S>
[[gnu::always_inline]] inline bool map_gathered(LaneMask mask, const Hw* threads, const RegisterOf<D>& to,
                                                const RegisterOf<const S>&... from) {
  if constexpr (!can_gather<D> || !(can_gather<S> && ...)) {
    return false;
  } else {
    if (mask.count() <= kTooFew || !to.near()) return false;
    alignas(64) D result[kRow];
    [&]<size_t... I>(std::index_sequence<I...>) {
      std::tuple<GatheredRow<S>...> rows;
      compute<F, D, S...>(result, std::get<I>(rows).read(from, threads)...);
    }
    (std::index_sequence_for<S...>{});
    bring_back(mask, threads, to, result);
    return true;
  }
}

// Of a list. Where no operand is constant, all of a thread lie in
// their rows alike.
template <auto F, class D, class... S>
inline void map_each(LaneMask mask, const Hw* threads, RegisterOf<D> to, RegisterOf<const S>... from) {
  if (map_gathered<F, D, S...>(mask, threads, to, from...)) return;
  const bool alike = ((from.stride == to.stride) && ...);
  if constexpr (((sizeof(S) == sizeof(D)) && ...)) {
    if (alike)
      return for_each_lane(mask, [&](unsigned i) {
        const size_t bytes = to.bytes(threads[i]);
        to.surely_by(bytes) = static_cast<D>(F(from.surely_by(bytes)...));
      });
    return for_each_lane(mask, [&](unsigned i) {
      const size_t bytes = to.bytes(threads[i]);
      to.surely_by(bytes) = static_cast<D>(F(from.by(bytes)...));
    });
  }
  if (alike)
    return for_each_lane(mask, [&](unsigned i) {
      const size_t row = to.row(threads[i]);
      const unsigned place = threads[i] % kRow;
      to.at(row, place) = static_cast<D>(F(from.at(row, place)...));
    });
  for_each_lane(mask, [&](unsigned i) { to(threads[i]) = static_cast<D>(F(from(threads[i])...)); });
}

// The same of predicates.
template <auto F, class... S>
[[gnu::always_inline]] inline bool test_gathered(LaneMask mask, const Hw* threads, const RegisterOf<uint32_t>& to,
                                                 const RegisterOf<const S>&... from) {
  if constexpr (!(can_gather<S> && ...)) {
    return false;
  } else {
    if (mask.count() <= kTooFew || !to.near()) return false;
    alignas(64) uint32_t truth[kRow];
    [&]<size_t... I>(std::index_sequence<I...>) {
      std::tuple<GatheredRow<S>...> rows;
      compute<F, uint32_t, S...>(truth, std::get<I>(rows).read(from, threads)...);
    }
    (std::index_sequence_for<S...>{});
    for_each_lane(mask, [&](unsigned k) {
      uint32_t& word = to.word(threads[k]);
      const unsigned place = threads[k] % kRow;
      word = (word & ~(1U << place)) | truth[k] << place;
    });
    return true;
  }
}

template <auto F, class... S>
inline void test_each(LaneMask mask, const Hw* threads, RegisterOf<uint32_t> to, RegisterOf<const S>... from) {
  if (test_gathered<F, S...>(mask, threads, to, from...)) return;
  const auto set = [](uint32_t& word, unsigned bit, bool value) {
    word = (word & ~(1U << bit)) | static_cast<uint32_t>(value) << bit;
  };
  const bool alike = ((from.stride == to.stride) && ...);
  if (alike)
    return for_each_lane(mask, [&](unsigned i) {
      const size_t row = to.row(threads[i]);
      const unsigned place = threads[i] % kRow;
      set(to.at(row, 0), place, F(from.at(row, place)...));
    });
  for_each_lane(mask, [&](unsigned i) { set(to.word(threads[i]), threads[i] % kRow, F(from(threads[i])...)); });
}

// Lists apart, so that rows have functions that call none and keep nothing on the stack.
template <auto F, class D, class... S, size_t... I>
[[gnu::noinline]] void map_list(Context& context, const Instruction& instruction, const Lanes& lanes,
                                std::index_sequence<I...>) {
  map_each<F, D, S...>(lanes.mask, lanes.threads, context.register_of<D>(instruction.dst[0]),
                       context.source_of<S>(instruction.src[I])...);
}

template <auto F, class D, class... S, size_t... I>
[[gnu::always_inline]] inline void map(Context& context, const Instruction& instruction, const Lanes& lanes,
                                       std::index_sequence<I...> each) {
  if (!lanes.is_row()) [[unlikely]]
    return map_list<F, D, S...>(context, instruction, lanes, each);
  std::byte* const plane = context.plane(lanes.first);
  D result[kRow];
  compute<F, D, S...>(result, context.source_row<S>(instruction.src[I], plane)...);
  put(context.row<D>(instruction.dst[0], plane), result, lanes.mask);
}

template <auto F, class... S, size_t... I>
[[gnu::noinline]] void test_list(Context& context, const Instruction& instruction, const Lanes& lanes,
                                 std::index_sequence<I...>) {
  test_each<F, S...>(lanes.mask, lanes.threads, context.register_of<uint32_t>(instruction.dst[0]),
                     context.source_of<S>(instruction.src[I])...);
}

template <auto F, class... S, size_t... I>
[[gnu::always_inline]] inline void test(Context& context, const Instruction& instruction, const Lanes& lanes,
                                        std::index_sequence<I...> each) {
  if (!lanes.is_row()) [[unlikely]]
    return test_list<F, S...>(context, instruction, lanes, each);
  std::byte* const plane = context.plane(lanes.first);
  uint32_t truth[kRow];
  compute_truth<F, S...>(truth, context.source_row<S>(instruction.src[I], plane)...);
  const uint32_t bits = bits_of(truth);
  uint32_t& word = *context.row<uint32_t>(instruction.dst[0], plane);
  word = (bits & lanes.mask.bits()) | (word & ~lanes.mask.bits());
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
