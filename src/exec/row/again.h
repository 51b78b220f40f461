// Loads and stores of shared memory by a register that was looked at before for the same lanes, since when it was not
// written to (program/shared_bases.cpp): the first of a line finds the places of its lanes, the others move them.
// Nobody hears of their addresses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "exec/region.h"

namespace heddle {

// What the others need, of a row whose parts are simple (places.h); `at` is the register.
inline void remember(BasePlaces& known, Pc head, const uint32_t* at, const Lanes& lanes, const Region& region) {
  constexpr unsigned part = Access::Parts::kLanes;
  known.head = head;
  known.mask = lanes.mask;
  known.base = region.base;
  const uint32_t step = at[1] - at[0];
  known.same = step == 0;
  uint32_t most = 0, low = 0;
  known.least = UINT32_MAX;
  for (unsigned p = 0; p < known.part.size(); ++p) {
    known.part[p] = at[p * part];
    most = std::max(most, known.part[p]);
    low |= known.part[p];
    known.least = std::min<int64_t>(known.least, known.part[p]);
  }
  known.low = low;
  known.room = static_cast<int64_t>(region.bytes) - most - (part - 1) * step;
}

// What is known of the lanes is true no more.
inline void forget(Context& context, SharedBase of, const Lanes& lanes) {
  if (lanes.is_row())
    context.base_places[lanes.first / kRow][of.slot].head = kNoPc;
  else
    for_each_lane(lanes.mask, [&](unsigned k) { context.base_places[lanes.threads[k] / kRow][of.slot].head = kNoPc; });
}

// Null: it must look itself.
template <unsigned bytes>
[[gnu::always_inline]] inline const BasePlaces* find_again(const Context& context, const Instruction& i,
                                                           const Lanes& lanes) {
  const SharedBase of = context.kernel.shared_bases[context.pc];
  if (of.head == kNoPc || of.head == context.pc || context.tells != Tells::Nothing || !lanes.is_row()) return nullptr;
  const BasePlaces& known = context.base_places[lanes.first / kRow][of.slot];
  if (of.head != known.head || lanes.mask != known.mask) return nullptr;
  const int64_t shift = i.displacement;
  if (shift < -known.least || shift > known.room - int64_t{bytes} || ((known.low | shift) & (bytes - 1)) != 0)
    return nullptr;
  return &known;
}

}  // namespace heddle
