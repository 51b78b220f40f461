#include "divergence/mechanisms/pomp.h"

#include <fmt/format.h>

#include <bit>

#include "divergence/support/lanes_at.h"

namespace heddle {

void Pomp::start(WarpId id, LaneMask threads) {
  if (counters_.size() <= id) counters_.resize(id + 1U);
  counters_[id].fill(kGone);
  for_each_lane(threads, [&](unsigned lane) { counters_[id][lane] = 0; });
}

LaneMask Pomp::at(WarpId id, uint32_t value) const { return lanes_at(counters_[id], value); }

void Pomp::enter(WarpId id, LaneMask, Region::Kind) {
  for (uint32_t& counter : counters_[id]) counter += counter != 0 && counter != kGone;
}

void Pomp::leave(WarpId id, LaneMask threads, uint32_t levels, uint32_t, uint32_t) {
  for_each_lane(threads, [&](unsigned lane) { counters_[id][lane] = levels; });
}

void Pomp::count_down(WarpId id) {
  for (uint32_t& counter : counters_[id]) counter -= counter != 0 && counter != kGone;
}

LaneMask Pomp::join(WarpId id, LaneMask, Region::Kind, uint32_t) {
  count_down(id);
  return at(id, 0);
}

LaneMask Pomp::again(WarpId id, uint32_t) {
  const LaneMask next = at(id, 1);
  if (next.empty())
    count_down(id);
  else
    for (uint32_t& counter : counters_[id]) counter = counter == 1 ? 0 : counter;
  return next;
}

void Pomp::exit(WarpId id, LaneMask threads) {
  for_each_lane(threads, [&](unsigned lane) { counters_[id][lane] = kGone; });
}

void Pomp::add_waiting(WarpId id, std::vector<StateEntry>& entries) const {
  std::string list;
  for (uint32_t counter : counters_[id])
    list += (list.empty() ? "" : " ") + (counter == kGone ? "-" : std::to_string(counter));
  entries.push_back({"", {{"counters", list}}});
}

StateCost Pomp::cost() const {
  // A counter per thread with one value more for the exited, the PC, and a return address per call.
  const auto bits = static_cast<uint64_t>(std::bit_width(deepest_regions() + 1));
  return {deepest_regions(), bits * host_.warp_size() + 32 * (1 + uint64_t{deepest_calls()}), false};
}

}  // namespace heddle
