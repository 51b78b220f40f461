// dwf without a clock: warps that go in turn without being asked for.
#include <algorithm>

#include "divergence/mechanisms/dwf.h"

namespace heddle {

// The warps of a PC that is drained go on in the order in which they came, and then are again who is drained, one PC
// further, for nobody else has become more or fewer. So it goes until somebody is already where they come to, for whom
// they are too many or too few, or who waits for patience. Where some of them merge on the way, they go for one
// instruction.
Turns Dwf::turns() const {
  if (!begins_drain_ || host_.wished == kNoWarp) return {};
  const Pc first = pool_[host_.wished].pc;
  if (first == plain_until_[first]) return turns_at_branch(first);
  const Bucket& bucket = at_[first];
  Pc end = first;
  while (end < plain_until_[first] && one_domain(end + 1) && !may_stop(end + 1) && at_[end + 1].warps.empty()) ++end;
  uint64_t each = end - first;
  if (each == 0 || !keeps_its_warps(bucket)) each = host_.watch.wants(Observer::kMerges) ? 0 : 1;
  if (patience_ > 0) each = std::min(each, (starves_from_ - slots_ - 1) / bucket.warps.size());
  return {bucket.warps, each};
}

// A PC that is drained is not left before all have gone, unless they come back to it.
Turns Dwf::turns_at_branch(Pc pc) const {
  const Instruction& instruction = host_.kernel().code[pc];
  const Bucket& bucket = at_[pc];
  if (instruction.op != Op::Bra || instruction.target == pc) return {};
  if (host_.watch.wants(Observer::kBranches | Observer::kMerges)) return {};
  if (patience_ > 0 && starves_from_ - slots_ - 1 < bucket.warps.size()) return {};
  return {bucket.warps, 1};
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

void Dwf::took_turns(uint64_t each, std::span<const Outcome> outcomes) {
  if (each == 1)
    go_one_by_one(pool_[host_.wished].pc, outcomes);
  else
    go_together(pool_[host_.wished].pc, static_cast<Pc>(each));
  finish();
}

// What issued() and retire() or resolve() would do for one after the other.
void Dwf::go_one_by_one(Pc pc, std::span<const Outcome> outcomes) {
  current_ = pc;
  Bucket& bucket = at_[pc];
  going_.swap(bucket.warps);
  bucket.threads = 0;
  occupied_.erase(pc);
  shows_later_ = true;
  for (size_t i = 0; i < going_.size(); ++i) {
    ++slots_;
    pool_[going_[i]].pooled = false;
    if (outcomes.empty())
      go_to(going_[i], pc + 1);
    else
      go_by(going_[i], outcomes[i]);
    close_spare();
  }
  going_.clear();
  show_changed();
}

void Dwf::go_together(Pc first, Pc each) {
  const Pc last = first + each;
  Bucket& bucket = at_[last];
  std::swap(bucket, at_[first]);
  occupied_.erase(first);
  occupied_.insert(last);
  const uint64_t before = uint64_t{each - 1} * bucket.warps.size();
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
}

}  // namespace heddle
