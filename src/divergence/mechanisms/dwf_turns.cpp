// dwf without a clock: warps that go in turn without being asked for.
#include <algorithm>

#include "divergence/mechanisms/dwf.h"

namespace heddle {

// The warps of a PC that is drained go on in the order in which they came, and then are again who is drained, one PC
// further, for nobody else has become more or fewer. So it goes until somebody is already where they come to, for whom
// they are too many or too few, or who waits for patience.
Turns Dwf::turns() const {
  if (!begins_drain_ || host_.wished == kNoWarp) return {};
  const Pc first = pool_[host_.wished].pc;
  const Bucket& bucket = at_[first];
  const size_t warps = bucket.warps.size();
  Pc end = first;
  while (end < plain_until_[first] && one_domain(end + 1) && !may_stop(end + 1) && at_[end + 1].warps.empty()) ++end;
  uint64_t each = end - first;
  if (patience_ > 0) each = std::min(each, (starves_from_ - slots_ - 1) / warps);
  if (each == 0 || !keeps_its_warps(bucket)) return {};
  return {bucket.warps, each};
}

// Each of its warps finds no room in the one that will have gone before it.
bool Dwf::keeps_its_warps(const Bucket& bucket) const {
  for (size_t i = 1; i < bucket.warps.size(); ++i) {
    const PoolWarp& warp = pool_[bucket.warps[i]];
    size_t before = i;
    while (before > 0 && pool_[bucket.warps[before - 1]].domain != warp.domain) --before;
    if (before > 0 && !warp.threads.mask.without(pool_[bucket.warps[before - 1]].threads.mask).empty()) return false;
  }
  return true;
}

void Dwf::took_turns(uint64_t each) {
  const Pc first = pool_[host_.wished].pc, last = first + static_cast<Pc>(each);
  Bucket& bucket = at_[last];
  std::swap(bucket, at_[first]);
  occupied_.erase(first);
  occupied_.insert(last);
  const uint64_t before = (each - 1) * bucket.warps.size();
  slots_ += before;
  births_ += before;
  for (const WarpId id : bucket.warps) {
    PoolWarp& warp = pool_[id];
    warp.pc = host_.warp(id).pc = last;
    warp.age = ++births_;
    warp.since = ++slots_;
    host_.set_key(id, static_cast<uint32_t>(warp.age));
  }
  current_ = last - 1;
  finish();
}

}  // namespace heddle
