#include "divergence/mechanisms/dwf.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle {
Dwf::Policy Dwf::policy_named(const std::string& name) {
  if (name == "majority") return Policy::Majority;
  if (name == "minority") return Policy::Minority;
  if (name == "time") return Policy::Time;
  if (name == "pdom-priority") return Policy::PdomPriority;
  require(name == "pc", "unknown policy of dwf");
  return Policy::Pc;
}

Dwf::Mixing Dwf::mixing_at(const Instruction& instruction) {
  if (instruction.flow == Flow::Sync) return Mixing::OneStaticWarp;
  if (instruction.flow == Flow::Barrier || instruction.op == Op::Exit) return Mixing::OneBlock;
  return Mixing::Free;
}

Dwf::Dwf(Host& host, const Config& config)
    : Mechanism(host),
      policy_(policy_named(config.text("dwf_policy"))),
      patience_(static_cast<uint64_t>(config.integer("dwf_patience"))),
      occupied_(host.kernel().code.size() + 1) {
  const Kernel& kernel = host.kernel();
  at_.resize(kernel.code.size() + 1);
  post_dominator_.resize(kernel.code.size() + 1);
  for (Pc point : kernel.reconvergence)
    if (point != kNoPc) post_dominator_[point] = true;
  mixing_.resize(kernel.code.size() + 1);
  plain_until_.resize(kernel.code.size() + 1, static_cast<Pc>(kernel.code.size()));
  for (Pc pc = static_cast<Pc>(kernel.code.size()); pc-- > 0;) {
    mixing_[pc] = mixing_at(kernel.code[pc]);
    plain_until_[pc] = kernel.code[pc].flow == Flow::Plain ? plain_until_[pc + 1] : pc;
  }
}

// ---- what the machine tells

void Dwf::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  const size_t end = shape.first + shape.threads;
  if (lane_of_.size() < end) {
    lane_of_.resize(end);
    passed_.resize(end);
    block_of_.resize((end + kRow - 1) / kRow);
    at_home_.resize(block_of_.size());
  }
  std::fill(block_of_.begin() + shape.first / kRow, block_of_.begin() + static_cast<ptrdiff_t>((end + kRow - 1) / kRow),
            block);
  std::fill(passed_.begin() + shape.first, passed_.begin() + static_cast<ptrdiff_t>(end), 0);
  learn_lanes(block);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    form(0, threads_of(host_.static_warp(block, i).lanes()));
  }
  finish();
}

// Blocks that start where others were have the same lanes.
void Dwf::learn_lanes(BlockId block) {
  const BlockShape& shape = host_.block(block);
  if (knows_lanes_.size() <= block) knows_lanes_.resize(block + 1U);
  if (knows_lanes_[block]) return;
  knows_lanes_[block] = true;
  const size_t end = shape.first + shape.threads;
  if (host_.at_home()) {
    for (size_t thread = shape.first; thread < end; ++thread) lane_of_[thread] = static_cast<uint8_t>(thread % kRow);
    for (size_t row = shape.first / kRow; row * kRow < end; ++row) at_home_[row] = true;
    return;
  }
  for (size_t thread = shape.first; thread < end; ++thread) {
    lane_of_[thread] = static_cast<uint8_t>(host_.home_lane(block, static_cast<Hw>(thread)));
    at_home_[thread / kRow] = (thread % kRow == 0 || at_home_[thread / kRow]) && lane_of_[thread] == thread % kRow;
  }
}

void Dwf::retire(WarpId id) {
  spare_ = id;
  go_to(id, host_.warp(id).pc);
  finish();
}

void Dwf::resolve(WarpId id, std::span<const Outcome> outcomes) {
  go_by(id, outcomes[0]);
  finish();
}

void Dwf::go_by(WarpId id, const Outcome& outcome) {
  spare_ = id;
  const Threads threads = pool_[id].threads;  // the warp's own may be overwritten on the way
  const Group group = outcome.group;
  const bool by_lane = group.kind == Group::Kind::List || at_home_[group.row];
  for (const Target& target : outcome.targets) {
    LaneMask who = target.who;
    if (!by_lane) {
      who = {};
      for_each_lane(target.who, [&](unsigned k) { who.add(lane_of_[group.thread(k)]); });
    }
    come(id, threads, who, target.pc);
  }
}

// The warps of one rendezvous are released one after the other; together their threads come back in thread order.
void Dwf::release(WarpId id) {
  const Pc next = host_.warp(id).pc + 1;
  const size_t rows = block_of_.size();
  auto to = std::find_if(returning_.begin(), returning_.end(), [&](const Returning& each) { return each.pc == next; });
  if (to == returning_.end()) to = returning_.insert(to, {next, ThreadRows(rows)});
  to->threads.add(host_.warp(id).group.lanes());
  host_.close(id);
}

void Dwf::released() {
  std::sort(returning_.begin(), returning_.end(), [](const Returning& a, const Returning& b) { return a.pc < b.pc; });
  for (Returning& each : returning_) join_in_order(each.pc, each.threads.rows());
  returning_.clear();
  finish();
}

// ---- the pool

// The warp leaves the pool for the lanes. With it a drain begins, unless it was let by for its patience only.
void Dwf::issued(WarpId id) {
  ++slots_;
  const PoolWarp& warp = pool_[id];
  require(warp.pooled, "a warp was issued that is not in the pool");
  if (id == host_.wished && begins_drain_) current_ = warp.pc;
  if (policy_ == Policy::PdomPriority && post_dominator_[warp.pc])
    for_each_lane(warp.threads.mask, [&](unsigned lane) { ++passed_[warp.threads.at[lane]]; });
  leave(id);
  finish();
}

void Dwf::enter(WarpId id, Pc pc, uint32_t domain) {
  PoolWarp& warp = pool_[id];
  warp.pooled = true;
  warp.pc = pc;
  warp.domain = domain;
  warp.age = ++births_;
  warp.since = slots_;
  Bucket& bucket = at_[pc];
  if (bucket.warps.empty()) occupied_.insert(pc);
  bucket.warps.push_back(id);
  bucket.threads += warp.threads.mask.count();
  bucket.knows_rows = false;
  host_.warp(id).pc = pc;
  host_.set_state(id, WarpState::Ready);
  if (host_.timed) host_.set_key(id, static_cast<uint32_t>(warp.age));  // where the chosen one cannot go: the oldest
  if (!drains()) rank_anew(id);
}

void Dwf::leave(WarpId id) {
  PoolWarp& warp = pool_[id];
  if (!drains()) ranking_.erase(rank(id));
  warp.pooled = false;
  Bucket& bucket = at_[warp.pc];
  bucket.threads -= warp.threads.mask.count();
  bucket.knows_rows = false;
  bucket.warps.erase(std::find(bucket.warps.begin(), bucket.warps.end(), id));
  if (bucket.warps.empty()) occupied_.erase(warp.pc);
}

// ---- choosing

Dwf::Rank Dwf::rank(WarpId id) const {
  const PoolWarp& warp = pool_[id];
  switch (policy_) {
    case Policy::PdomPriority: return {warp.passed, warp.pc, warp.age, id};
    case Policy::Pc: return {0, warp.pc, warp.age, id};
    case Policy::Majority:
    case Policy::Minority:
    case Policy::Time: break;
  }
  return {0, 0, warp.age, id};
}

void Dwf::rank_anew(WarpId id) {
  PoolWarp& warp = pool_[id];
  if (policy_ == Policy::PdomPriority) {
    warp.passed = UINT32_MAX;
    for_each_lane(warp.threads.mask,
                  [&](unsigned lane) { warp.passed = std::min(warp.passed, passed_[warp.threads.at[lane]]); });
  }
  ranking_.insert(rank(id));
}

// The oldest warp, if its patience is over. Those that come later wait for longer: nobody is looked at before the
// patience of the one that was the oldest would be over.
WarpId Dwf::starving() {
  if (patience_ == 0 || slots_ < starves_from_) return kNoWarp;
  WarpId oldest = kNoWarp;
  occupied_.for_each([&](Pc pc) {
    const WarpId first = at_[pc].warps.front();
    if (oldest == kNoWarp || pool_[first].age < pool_[oldest].age) oldest = first;
  });
  starves_from_ = (oldest == kNoWarp ? slots_ : pool_[oldest].since) + patience_;
  return slots_ >= starves_from_ ? oldest : kNoWarp;
}

// While nobody is left at the PC that was drained, the next is open: who comes into the pool may still change it.
WarpId Dwf::best() {
  begins_drain_ = false;
  if (const WarpId id = starving(); id != kNoWarp) return id;
  if (!drains()) return ranking_.empty() ? kNoWarp : std::get<WarpId>(*ranking_.begin());
  if (current_ != kNoPc && !at_[current_].warps.empty()) return at_[current_].warps.front();
  begins_drain_ = true;
  Pc next = kNoPc;
  occupied_.for_each([&](Pc pc) {
    const unsigned threads = at_[pc].threads, most = next == kNoPc ? 0 : at_[next].threads;
    if (next == kNoPc || (policy_ == Policy::Majority ? threads > most : threads < most)) next = pc;
  });
  return next == kNoPc ? kNoWarp : at_[next].warps.front();
}

// The pool has changed: the spare warp goes, and the policy chooses.
void Dwf::finish() {
  close_spare();
  host_.wished = best();
}

void Dwf::close_spare() {
  if (spare_ != kNoWarp) host_.close(spare_);
  spare_ = kNoWarp;
}

State Dwf::state(BlockId block) const {
  State state;
  for (size_t id = 0; id < pool_.size(); ++id) {
    const Warp& warp = host_.warp(static_cast<WarpId>(id));
    const Threads& threads = pool_[id].threads;
    bool ours = false;
    for_each_lane(threads.mask, [&](unsigned lane) { ours = ours || block_of_[threads.at[lane] / kRow] == block; });
    if (warp.state == WarpState::Free || !ours) continue;
    std::string list;
    for_each_lane(threads.mask, [&](unsigned lane) {
      list += list.empty() ? "" : " ";
      list += fmt::format_int(threads.at[lane].value()).c_str();
    });
    state.push_back(
        {"warp",
         id,
         {{pool_[id].pooled ? "in the pool" : "outside", {{"pc", CodeAddress{warp.pc}}, {"threads", list}}}}});
  }
  return state;
}

StateCost Dwf::cost() const {
  // A warp of the pool: its PC, and in each lane a thread's number and whether there is one.
  const auto thread_bits = static_cast<unsigned>(std::bit_width(std::max<size_t>(lane_of_.size(), 2) - 1));
  return {1, 32 + uint64_t{host_.warp_size()} * (1 + thread_bits), true};
}

}  // namespace heddle
