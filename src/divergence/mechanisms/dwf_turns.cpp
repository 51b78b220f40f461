// dwf without a clock: warps that go in turn without being asked for.
#include <algorithm>

#include "divergence/mechanisms/dwf.h"
#include "exec/row/level.h"

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
  return {bucket.warps, each, bucket.threads};
}

// A PC that is drained is not left before all have gone, unless they come back to it.
Turns Dwf::turns_at_branch(Pc pc) const {
  const Instruction& instruction = host_.kernel().code[pc];
  const Bucket& bucket = at_[pc];
  if (instruction.op != Op::Bra || instruction.target == pc) return {};
  if (host_.watch.wants(Observer::kBranches | Observer::kMerges)) return {};
  if (patience_ > 0 && starves_from_ - slots_ - 1 < bucket.warps.size()) return {};
  return {bucket.warps, 1, bucket.threads};
}

// Each of its warps finds no room in the one that will have gone before it.
bool Dwf::keeps_its_warps(const Bucket& bucket) const {
  for (size_t i = 1; i < bucket.warps.size(); ++i) {
    const PoolWarp& warp = pool_[bucket.warps[i]];
    if (warp.domain >= kAlone) continue;
    size_t before = i;
    while (before > 0 && pool_[bucket.warps[before - 1]].domain != warp.domain) --before;
    if (before > 0 && !warp.threads.mask.without(pool_[bucket.warps[before - 1]].threads.mask).empty()) return false;
  }
  return true;
}

// ---- whose threads are where, by rows

// To look at every row of the machine takes about as long as at four times as many threads in lists.
bool Dwf::is_worth_rows(const Bucket& bucket) const { return bucket.threads >= 4 * block_of_.size(); }

std::span<const LaneMask> Dwf::rows_in_turn() {
  Bucket& bucket = at_[pool_[host_.wished].pc];
  if (!is_worth_rows(bucket)) return {};
  if (!bucket.knows_rows) learn_rows(bucket);
  return bucket.rows;
}

void Dwf::learn_rows(Bucket& bucket) const {
  bucket.rows.assign(block_of_.size(), {});
  for (const WarpId id : bucket.warps) {
    const Threads& threads = pool_[id].threads;
    row_level().forms.add(bucket.rows.data(), threads.mask, threads.at.data());
  }
  bucket.knows_rows = true;
}

// When all of one PC have come to another, where nobody is taken out of the pool?
bool Dwf::will_know_rows(const Bucket& from, Pc to) const {
  return from.knows_rows && is_worth_rows(from) && (at_[to].warps.empty() || at_[to].knows_rows) && !may_stop(to);
}

// On the way somebody may have begun to.
void Dwf::add_rows(Pc to, bool known, std::span<const LaneMask> rows, bool anew) {
  Bucket& bucket = at_[to];
  if (!known || bucket.warps.empty() || may_stop(to)) return;
  if (anew) bucket.rows.clear();
  if (bucket.rows.size() < rows.size()) bucket.rows.resize(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) bucket.rows[row] |= rows[row];
  bucket.knows_rows = true;
}

// ---- what has been done

void Dwf::took_turns(uint64_t each) {
  const Pc pc = pool_[host_.wished].pc;
  if (each > 1) {
    go_together(pc, static_cast<Pc>(each));
    return finish();
  }
  const bool known = will_know_rows(at_[pc], pc + 1), anew = at_[pc + 1].warps.empty();
  go_one_by_one(pc, [&](WarpId id) { go_to(id, pc + 1); });
  add_rows(pc + 1, known, at_[pc].rows, anew);
  finish();
}

unsigned Dwf::took_branch(std::span<const LaneMask> taken) {
  const Pc pc = pool_[host_.wished].pc, target = host_.kernel().code[pc].target;
  const RegisterOf<const uint32_t> words{reinterpret_cast<const std::byte*>(taken.data()), sizeof(LaneMask)};
  const bool known = will_know_rows(at_[pc], pc + 1), anew = at_[pc + 1].warps.empty();
  const bool known_there = will_know_rows(at_[pc], target), anew_there = at_[target].warps.empty();
  unsigned diverged = 0;
  go_one_by_one(pc, [&](WarpId id) {
    const Threads& threads = pool_[id].threads;
    const LaneMask there = row_level().forms.predicates(words, threads.mask, threads.at.data());
    diverged += go_by_branch(id, pc, target == pc + 1 ? threads.mask : there) ? 1 : 0;
  });
  std::vector<LaneMask>& rows = at_[pc].rows;
  add_rows(target, known_there, taken, anew_there);
  for (size_t row = 0; known && row < rows.size(); ++row) rows[row] = rows[row].without(taken[row]);
  add_rows(pc + 1, known, rows, anew && pc + 1 != target);
  finish();
  return diverged;
}

// The lowest PC first.
bool Dwf::go_by_branch(WarpId id, Pc branch, LaneMask taken) {
  const Pc target = host_.kernel().code[branch].target;
  const LaneMask stays = pool_[id].threads.mask.without(taken);
  if (stays.empty() || taken.empty()) {
    go_to(id, stays.empty() ? target : branch + 1);
    return false;
  }
  const Threads threads = pool_[id].threads;  // the warp's own may be overwritten on the way
  diverges(branch, threads);
  if (target > branch) come(id, threads, stays, branch + 1);
  come(id, threads, taken, target);
  if (target < branch) come(id, threads, stays, branch + 1);
  return true;
}

// What issued() and retire() or resolve() would do for one after the other. They are at no PC meanwhile.
template <class Go>
void Dwf::go_one_by_one(Pc pc, Go&& go) {
  current_ = pc;
  Bucket& bucket = at_[pc];
  going_.swap(bucket.warps);
  bucket.threads = 0;
  occupied_.erase(pc);
  shows_later_ = true;
  for (const WarpId id : going_) {
    ++slots_;
    pool_[id].pooled = false;
    spare_ = id;
    go(id);
    close_spare();
  }
  going_.clear();
  shows_later_ = false;
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
    if (host_.timed) host_.set_key(id, static_cast<uint32_t>(warp.age));
  }
  current_ = last - 1;
}

}  // namespace heddle
