// A row whose lanes lie one behind the other, all of them in one allocation or in shared memory: most rows are such
// runs. Where nobody is to hear of addresses, and no other runs beside, one look at all lanes is enough.
#pragma once

#include <cstring>

#include "exec/region.h"
#include "exec/row/places.h"

namespace heddle {
namespace run_detail {

// How far the first lanes lie behind lane 0, as many as a register takes.
template <class Base, unsigned bytes>
struct Ramp {
  alignas(64) Base lane[kFew<Base>]{};
  constexpr Ramp() {
    for (unsigned k = 0; k < kFew<Base>; ++k) lane[k] = Base{k * bytes};
  }
};
template <class Base, unsigned bytes>
inline constexpr Ramp<Base, bytes> kRamp;

template <unsigned bytes, class Base>
[[gnu::always_inline]] inline bool in_a_run(const Base* at) {
  Few<Base> expected, apart{};
  std::memcpy(&expected, kRamp<Base, bytes>.lane, sizeof expected);
  expected += at[0];
  for (unsigned first = 0; first < kRow; first += kFew<Base>) {
    Few<Base> lanes;
    std::memcpy(&lanes, at + first, sizeof lanes);
    apart |= lanes ^ expected;
    expected = lanes + kFew<Base> * bytes;  // by those before, not by lane 0: no table of all lanes is read
  }
  return places_detail::any_bits<Base>(apart) == 0;
}

}  // namespace run_detail

// What the lanes of a row may touch where nobody is to hear of it; nothing: it is not known here, or somebody is.
[[gnu::always_inline]] inline Region quiet_region(Context& context, const Instruction& i, const Lanes& lanes) {
  if (context.tells != Tells::Nothing || context.touches || !lanes.is_row()) return {};
  if (i.space == Space::Global) return region_detail::global(context);
  if (i.space != Space::Shared || context.kernel.shared_bases[context.pc].head != kNoPc) return {};
  return region_detail::shared(context, lanes, 0);
}

// Where the first lane of a run lies, of a load or store of `bytes`, `at` being the register; null: it is none. Lanes
// that do not act are part of it.
template <unsigned bytes, class Base>
[[gnu::always_inline]] inline std::byte* find_run(const Region& region, const Base* at, int64_t displacement) {
  if (at[1] - at[0] != bytes || region.bytes < kRow * bytes) return nullptr;
  const Base first = at[0] + static_cast<Base>(displacement);
  const uint64_t offset = uint64_t{first} - region.begin;
  if (offset > region.bytes - kRow * bytes || first % bytes != 0 || !run_detail::in_a_run<bytes>(at)) return nullptr;
  return region.base + offset;
}

}  // namespace heddle
