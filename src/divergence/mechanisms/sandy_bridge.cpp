#include "divergence/mechanisms/sandy_bridge.h"

#include <fmt/format.h>

#include "divergence/support/lanes_at.h"

namespace heddle {

void SandyBridge::start(WarpId id, LaneMask threads) {
  if (pcs_.size() <= id) pcs_.resize(id + 1U);
  pcs_[id].fill(kGone);
  for_each_lane(threads, [&](unsigned lane) { pcs_[id][lane] = kWalks; });
}

void SandyBridge::leave(WarpId id, LaneMask threads, uint32_t, uint32_t where, uint32_t) {
  for_each_lane(threads, [&](unsigned lane) { pcs_[id][lane] = where; });
}

// Compares all PCs with the warp's.
LaneMask SandyBridge::wake(WarpId id, uint32_t where) {
  const LaneMask woken = lanes_at(pcs_[id], where);
  for (uint32_t& pc : pcs_[id]) pc = pc == where ? kWalks : pc;
  return woken;
}

LaneMask SandyBridge::join(WarpId id, LaneMask active, Region::Kind, uint32_t where) {
  return active | wake(id, where);
}

LaneMask SandyBridge::again(WarpId id, uint32_t where) { return wake(id, where); }

void SandyBridge::exit(WarpId id, LaneMask threads) {
  for_each_lane(threads, [&](unsigned lane) { pcs_[id][lane] = kGone; });
}

void SandyBridge::add_waiting(WarpId id, std::vector<StateEntry>& entries) const {
  std::string list;
  for (uint32_t pc : pcs_[id])
    list += (list.empty() ? "" : " ") + (pc == kWalks ? "*" : pc == kGone ? "-" : std::to_string(pc));
  entries.push_back({"", {{"lanes at items", list}}});
}

StateCost SandyBridge::cost() const {
  // A PC per thread and the warp's, whatever the nesting.
  return {1, 32 * (uint64_t{host_.warp_size()} + 1), true};
}

}  // namespace heddle
