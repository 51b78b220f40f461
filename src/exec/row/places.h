// Where the lanes of a memory instruction lie, found for all of them at once: bounds and alignment are checked by
// arithmetic on whole rows, without a branch for each lane.
//
// Most rows are simple. In every part of eight lanes all are on one place, or each lies behind the one before: so it is
// with blocks of 8, 16 or 32 threads in a row, whatever the part. Then a part is known by its first lane.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "exec/region.h"
#include "exec/row/again.h"
#include "exec/row/row.h"
#include "exec/touches.h"

namespace heddle {

// Base: the type of the register that holds an address.
template <class Base>
struct Places {
  static constexpr unsigned kPart = Access::Parts::kLanes, kParts = kRow / kPart;
  enum class Kind : uint8_t {
    Unknown,  // not all of them are where they may be, as far as is known here: resolve() finds out
    Same,     // of each part all lanes on one place
    Next,     // of each part one behind the other
    Each,
  };
  Kind kind = Kind::Unknown;
  std::byte* base = nullptr;
  Base offset[kRow];  // from base. Same and Next: of the parts. Each: of the active lanes
  std::byte* part(unsigned index) const { return base + offset[index]; }
  std::byte* lane(unsigned index) const { return base + offset[index]; }
};

// Eight lanes, or as many of them as a register takes.
template <class T>
using PartOf [[gnu::vector_size(std::min(Access::Parts::kLanes, kFew<T>) * sizeof(T))]] = T;

namespace places_detail {

template <class Base, class Vector>
[[gnu::always_inline]] inline uint64_t any_bits(const Vector& lanes) {
  uint64_t words[sizeof(Vector) / 8], bits = 0;
  std::memcpy(words, &lanes, sizeof words);
  for (const uint64_t word : words) bits |= word;
  if constexpr (sizeof(Base) == 4) bits |= bits >> 32;
  return static_cast<Base>(bits);
}

// Of offsets: the highest bit of `outside` is set if one is beyond the room there is, which is less than half of what
// there could be.
template <class Base>
struct Checked {
  Few<Base> outside{}, low{};

  [[gnu::always_inline]] void add(const Few<Base>& offsets, Base room) {
    outside |= offsets | (room - offsets);
    low |= offsets;
  }
  [[gnu::always_inline]] bool good(unsigned bytes) const {
    constexpr uint64_t highest = uint64_t{1} << (sizeof(Base) * 8 - 1);
    return ((any_bits<Base>(outside) & highest) | (any_bits<Base>(low) & (bytes - 1))) == 0;
  }
};

// How far the lanes of a part lie behind its first, by the bit width of the step: 0, 1, 2, 4, … 64.
template <class Base>
struct Ramps {
  alignas(16) Base lane[8][Places<Base>::kPart]{};
  constexpr Ramps() {
    for (unsigned width = 1; width < 8; ++width)
      for (unsigned k = 0; k < Places<Base>::kPart; ++k) lane[width][k] = Base{k} << (width - 1);
  }
};
template <class Base>
inline constexpr Ramps<Base> kRamps;

// Do the lanes of each part follow each other by `step`?
template <class Base>
[[gnu::always_inline]] inline bool in_steps(const Base* at, Base step) {
  constexpr unsigned part = Places<Base>::kPart, few = sizeof(PartOf<Base>) / sizeof(Base);
  const Base* const ramp = kRamps<Base>.lane[std::bit_width(step)];
  PartOf<Base> apart{};
  for (unsigned k = 0; k < part; k += few) {
    PartOf<Base> behind;
    std::memcpy(&behind, ramp + k, sizeof behind);
    for (unsigned first = 0; first < kRow; first += part) {
      PartOf<Base> lanes;
      std::memcpy(&lanes, at + first + k, sizeof lanes);
      apart |= lanes ^ (behind + at[first]);
    }
  }
  return any_bits<Base>(apart) == 0;
}

template <class Base>
[[gnu::always_inline]] inline bool find_parts(const Base* at, Base shift, Base step, Base room, unsigned bytes,
                                              Places<Base>& places) {
  constexpr unsigned part = Places<Base>::kPart;
  if (room < (part - 1) * step || !in_steps<Base>(at, step)) return false;
  room -= (part - 1) * step;
  Base outside = 0, low = 0;
  for (unsigned p = 0; p < Places<Base>::kParts; ++p) {
    const Base first = at[p * part] + shift;
    places.offset[p] = first;
    outside |= first | (room - first);
    low |= first;
  }
  return static_cast<std::make_signed_t<Base>>(outside) >= 0 && (low & (bytes - 1)) == 0;
}

// Masked: lanes that do not act are at 0.
template <class Base, bool masked>
[[gnu::always_inline]] inline bool find_each(const Base* at, Base shift, Base room, unsigned bytes, LaneMask mask,
                                             Places<Base>& places) {
  Checked<Base> checked;
  for (unsigned first = 0; first < kRow; first += kFew<Base>) {
    Few<Base> lanes;
    std::memcpy(&lanes, at + first, sizeof lanes);
    lanes += shift;
    if constexpr (masked) lanes = bits_from<Base>(first, mask) != 0 ? lanes : Few<Base>{};
    std::memcpy(places.offset + first, &lanes, sizeof lanes);
    checked.add(lanes, room);
  }
  return checked.good(bytes);
}

}  // namespace places_detail

// `at`: the registers of the lanes, of those that do not act too. By parts only if all lanes may be touched.
template <class Base>
[[gnu::always_inline]] inline void find_places(const Base* at, const Instruction& i, LaneMask mask,
                                               const Region& region, unsigned bytes, bool by_parts,
                                               Places<Base>& places) {
  using Kind = typename Places<Base>::Kind;
  using namespace places_detail;
  constexpr uint64_t most = std::numeric_limits<Base>::max();
  if (region.bytes < bytes || region.bytes > most / 2 || region.begin > most - region.bytes) return;
  if ((region.begin & (bytes - 1)) != 0) return;
  const auto shift = static_cast<Base>(static_cast<uint64_t>(i.displacement) - region.begin);
  const auto room = static_cast<Base>(region.bytes - bytes);
  const Base step = at[1] - at[0];
  places.base = region.base;
  if (by_parts && (step == 0 || step == bytes) && find_parts<Base>(at, shift, step, room, bytes, places)) {
    places.kind = step == 0 ? Kind::Same : Kind::Next;
    return;
  }
  if (!(mask.full() ? find_each<Base, false>(at, shift, room, bytes, mask, places)
                    : find_each<Base, true>(at, shift, room, bytes, mask, places)))
    return;
  places.kind = Kind::Each;
  if (region.lane_stride != 0)
    for (unsigned lane = 0; lane < kRow; ++lane) places.offset[lane] += static_cast<Base>(lane * region.lane_stride);
}

// What others run side by side must hear of.
template <class Base>
[[gnu::noinline]] void tell_touches(Context& context, const Region& region, const Places<Base>& places, LaneMask mask,
                                    unsigned bytes, bool store) {
  using Kind = typename Places<Base>::Kind;
  const auto touch = [&](unsigned index, unsigned length) {
    context.touches->range(region.begin, region.begin + places.offset[index], length, store);
  };
  if (places.kind == Kind::Each) return for_each_lane(mask, [&](unsigned lane) { touch(lane, bytes); });
  for (unsigned part = 0; part < Places<Base>::kParts; ++part)
    touch(part, places.kind == Kind::Same ? bytes : bytes * Places<Base>::kPart);
}

template <class Base>
[[gnu::always_inline]] inline void tell_parts(Access& access, const Base* at, const Instruction& i) {
  access.parts.step = static_cast<unsigned>(at[1] - at[0]);
  for (unsigned p = 0; p < Places<Base>::kParts; ++p)
    access.parts.first[p] = static_cast<Base>(at[p * Places<Base>::kPart] + static_cast<Base>(i.displacement));
}

// The same for the lanes of a memory instruction, `bytes` each, with what there is to be said of it: context.access,
// and its addresses where they are wanted. Unknown: nothing has been said.
template <class Base>
[[gnu::noinline]] void find_places(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes,
                                   bool store, bool by_parts, Tells tells, Places<Base>& places) {
  const SharedBase of = context.kernel.shared_bases[context.pc];
  if (of.head != kNoPc) forget(context, of, lanes);
  const Region region = region_of(context, i, lanes);
  if (region.bytes == 0) return;
  // Global memory of lanes that do not act may be written by others at the same time.
  const bool constant = i.space == Space::Param || i.space == Space::Const;
  by_parts = by_parts && lanes.is_row() && region.lane_stride == 0 &&
             (lanes.mask.full() || (!store && (!region.global || constant)));
  Base gathered[kRow];
  const Base* const at =
      lanes.is_row() ? context.source_row<Base>(i.src[0], lanes.first) : gather(context, i.src[0], lanes, gathered);
  find_places(at, i, lanes.mask, region, bytes, by_parts, places);
  if (places.kind == Places<Base>::Kind::Unknown) return;
  if constexpr (sizeof(Base) == 4)
    if (of.head != kNoPc && places.kind != Places<Base>::Kind::Each)
      remember(context.base_places[lanes.first / kRow][of.slot], of.head, at, lanes, region);
  context.access.space = i.space;
  context.access.bytes = static_cast<uint8_t>(bytes);
  context.access.mask = lanes.mask;
  context.access.by_parts =
      tells == Tells::Parts && places.kind != Places<Base>::Kind::Each && (i.space != Space::None || region.global);
  if (context.access.by_parts)
    tell_parts(context.access, at, i);
  else if (tells != Tells::Nothing)
    for (unsigned lane = 0; lane < kRow; ++lane)
      context.access.address[lane] = static_cast<Base>(at[lane] + static_cast<Base>(i.displacement));
  if (context.touches && region.global) [[unlikely]]
    tell_touches(context, region, places, lanes.mask, bytes, store);
}

// Of a load or store.
template <class Base>
[[gnu::always_inline]] inline void find_places(Context& context, const Instruction& i, const Lanes& lanes,
                                               unsigned bytes, bool store, Places<Base>& places) {
  find_places(context, i, lanes, bytes, store, true, context.tells, places);
}

}  // namespace heddle
