#include "divergence/mechanisms/dws.h"

#include <algorithm>

#include "divergence/support/reconvergence_stack.h"

namespace heddle {
namespace {

unsigned size_of(const BasicBlock& block) { return block.end - block.begin; }
size_t places_of(size_t splits) { return splits > 1 ? splits : 0; }  // a whole warp takes none

}  // namespace

Dws::Dws(Host& host, const Config& config)
    : SplitTables(host),
      by_pc_(config.text("reconverge") == "pc"),
      memory_(memory_named(config.text("memory"))),
      places_(static_cast<size_t>(config.integer("split_entries"))) {
  const Kernel& kernel = host.kernel();
  const auto below = static_cast<unsigned>(config.integer("subdivide_below"));
  next_control_.assign(kernel.code.size() + 1, kNoPc);
  for (size_t pc = kernel.code.size(); pc-- > 0;)
    next_control_[pc] = kernel.code[pc].flow != Flow::Plain ? static_cast<Pc>(pc) : next_control_[pc + 1];
  for (const Pc join : kernel.reconvergence) {
    const bool inside = join != kNoPc;
    short_join_.push_back(inside && size_of(kernel.blocks[kernel.block_of[join]]) < below);
  }
}

Dws::Memory Dws::memory_named(std::string_view name) {
  if (name == "aggress") return Memory::Aggress;
  if (name == "lazy") return Memory::Lazy;
  return name == "revive" ? Memory::Revive : Memory::None;
}

// ---- branches

void Dws::part(StaticWarp& own, WarpId id, const Paths& paths) {
  if (paths.targets.size() == 1) return SplitTables::part(own, id, paths);  // a call
  if (!subdivides(own, id, paths)) return stack(own, id, paths);
  Paths splits = paths;
  if (by_pc_) splits.join = own.joins[split(id).join].at;  // no other: they run past the branch's own
  for (const Target& target : paths.targets)
    if (target.pc != paths.first) splits.first = target.pc;  // taken
  SplitTables::part(own, id, splits);
}

bool Dws::subdivides(StaticWarp& own, WarpId id, const Paths& paths) {
  if (paths.depth != split(id).depth || !short_join_[host_.warp(id).pc]) return false;
  const CodePoint join = by_pc_ ? own.joins[split(id).join].at : paths.join;
  const auto goes = [&](const Target& target) { return CodePoint{target.pc, paths.depth} != join; };
  const auto ways = static_cast<size_t>(std::count_if(paths.targets.begin(), paths.targets.end(), goes));
  const bool fits = room(own, ways - 1);
  if (ways > 1) ++(fits ? at_branches_ : no_room_);
  return fits;
}

size_t Dws::going_of(const StaticWarp& own) const {
  return static_cast<size_t>(
      std::count_if(own.splits.begin(), own.splits.end(), [&](WarpId id) { return split(id).goes; }));
}

bool Dws::room(const StaticWarp& own, size_t more) const {
  const size_t going = going_of(own);
  size_t taken = 0;
  for_each_warp([&](const StaticWarp& warp) {
    if (warp.splits.size() > 1) taken += places_of(going_of(warp));
  });
  return taken - places_of(going) + places_of(going + more) <= places_;
}

// Who runs first is entered last. Where the split has all of its join to itself, or that is the stack's already, the
// paths take it over, so that loops do not grow the stack.
void Dws::stack(StaticWarp& own, WarpId id, const Paths& paths) {
  const Pc branch = host_.warp(id).pc;
  const LaneMask mask = host_.warp(id).group.mask;
  uint32_t join = split(id).join;
  const Join& old = own.joins[join];
  if (old.at != paths.join || (!old.stacked && old.pending != mask))
    join = add_join(own, {paths.join, join, mask, mask});
  own.joins[join].stacked = true;
  own.joins[join].running = {};
  std::vector<Target> ways(paths.targets.begin(), paths.targets.end());
  std::sort(ways.begin(), ways.end(),
            [&](const Target& a, const Target& b) { return runs_before(host_.kernel(), branch, b.pc, a.pc); });
  for (const Target& way : ways) {
    const CodePoint at{way.pc, paths.depth};
    if (at == paths.join)
      own.joins[join].pending = own.joins[join].pending.without(way.who);
    else
      enter(own, id, join, at, way.who);
  }
  leave(own, id);
}

// On the stack the path that was pushed last runs, when the one before it has come.
void Dws::choose(StaticWarp& own) {
  for (uint32_t index = 0; index < own.joins.size(); ++index) {
    Join& join = own.joins[index];
    if (!join.stacked || !(join.running & join.pending).empty()) continue;
    const auto next =
        std::find_if(own.splits.rbegin(), own.splits.rend(), [&](WarpId id) { return split(id).join == index; });
    if (next != own.splits.rend()) join.running = host_.warp(*next).group.mask;
  }
  for (const WarpId id : own.splits) {
    const Join& join = own.joins[split(id).join];
    split(id).goes = !join.stacked || host_.warp(id).group.mask.without(join.running).empty();
  }
  const size_t going = going_of(own);
  most_places_ = std::max(most_places_, places_of(going));
  most_stacked_ = std::max(most_stacked_, own.joins_in_use() + 1 + own.splits.size() - going);
}

// ---- splits unite

void Dws::arrive(WarpId id) {
  if (!unites(id, host_.warp(id).pc)) SplitTables::arrive(id);
}

void Dws::release(WarpId id) {
  if (!unites(id, host_.warp(id).pc + 1)) SplitTables::release(id);
}

bool Dws::unites(WarpId id, Pc pc) {
  StaticWarp& own = of(id);
  const CodePoint at{pc, split(id).depth};
  const uint32_t join = split(id).join;
  if (at == own.joins[join].at || !join_sibling(own, id, join, at, host_.warp(id).group.mask)) return false;
  leave(own, id);
  arrange(own);
  return true;
}

bool Dws::join_sibling(StaticWarp& own, WarpId id, uint32_t join, const CodePoint& at, LaneMask who) {
  if (!by_pc_) return false;
  for (const WarpId other : own.splits) {
    if (other == id || !stands_at(other, join, at)) continue;
    Warp& warp = host_.warp(other);
    warp.group = Group::rows(own.row, warp.group.mask | who);
    own.joins[join].running |= who;  // they may have been under way while another path of the stack began
    ++united_;
    return true;
  }
  return false;
}

bool Dws::stands_at(WarpId id, uint32_t join, const CodePoint& at) const {
  const Warp& warp = host_.warp(id);
  const Split& split = this->split(id);
  return warp.state == WarpState::Ready && split.goes && !split.behind && split.join == join &&
         CodePoint{warp.pc, split.depth} == at;
}

// Where nobody takes it in.
std::optional<Pc> Dws::goes_on(WarpId id, Pc pc) const {
  const CodePoint at{pc, split(id).depth};
  const auto takes_in = [&](WarpId other) { return other != id && stands_at(other, split(id).join, at); };
  return by_pc_ && std::ranges::any_of(of(id).splits, takes_in) ? std::nullopt : passes_others(id, pc);
}

void Dws::go_on(StaticWarp& own, WarpId last, const Join& join) {
  if (!join_sibling(own, last, join.parent, join.at, join.mask)) SplitTables::go_on(own, last, join);
}

// Others may go on meanwhile; then it is asked too early.
Pc Dws::next_sibling(const StaticWarp& own, WarpId id, const Moved& moved) const {
  Pc next = kNoPc;
  if (!by_pc_) return next;
  const Pc pc = pc_of(id, moved);
  for (const WarpId other : own.splits)
    if (const Pc there = pc_of(other, moved); other != id && there >= pc && split(other).join == split(id).join)
      next = std::min(next, std::max(there, pc + 1));
  return next;
}

// ---- loads

void Dws::issued(WarpId id) {
  split(id).behind = split(id).waits = false;
  split(id).there = {};
  waiting_.erase(id);
}

void Dws::stalled(WarpId id) {
  split(id).waits = true;
  some_came(id, true);
}

void Dws::returned(WarpId parent, LaneMask lanes, bool hit) {
  const std::vector<WarpId> splits = of(parent).splits;  // as they are now
  for (const WarpId id : splits) {
    const Warp& warp = host_.warp(id);
    if ((warp.group.mask & lanes).empty()) continue;
    const bool under_way = warp.state == WarpState::InFlight;
    if (under_way) split(id).there |= lanes;
    if (under_way || split(id).waits) some_came(id, hit);
    if (under_way || !split(id).behind || able(id) != warp.group.mask) continue;
    split(id).behind = false;
    unites(id, warp.pc);
  }
}

// Some lanes of a split that waits may have their data.
void Dws::some_came(WarpId id, bool hit) {
  waiting_.insert(id);
  if (!hit) return;
  split(id).hit = host_.now;
  if (memory_ == Memory::Aggress) apart(id);
}

bool Dws::starved() {
  if (memory_ == Memory::Aggress) return parted_ == host_.now;
  for (WarpId next = waiting_.next_from(0); next != kNoWarp; next = waiting_.next_from(next + 1U))
    if ((memory_ == Memory::Revive || split(next).hit == host_.now) && apart(next)) return true;
  return false;
}

LaneMask Dws::able(WarpId id) const {
  const Warp& warp = host_.warp(id);
  if (warp.state == WarpState::Ready) return host_.able_of(warp.pc, warp.group);
  const bool loads = warp.state == WarpState::InFlight && host_.kernel().code[warp.pc].flow == Flow::Plain;
  return loads ? split(id).there & warp.group.mask : LaneMask{};
}

bool Dws::apart(WarpId id) {
  const Warp& warp = host_.warp(id);
  const LaneMask mask = warp.group.mask, early = able(id);
  if (early.empty() || early == mask) return false;
  StaticWarp& own = of(id);
  uint32_t join = split(id).join;
  const CodePoint from{warp.pc + (warp.state == WarpState::InFlight ? 1 : 0), split(id).depth};
  CodePoint end = own.joins[join].at;
  if (!by_pc_ && (end.depth != from.depth || end.pc < from.pc || end.pc > next_control_[from.pc]))
    end = {next_control_[from.pc], from.depth};
  if (from == end || !room(own, 1)) return false;  // from == end: they would wait for the others at once
  if (own.joins[join].at != end) split(id).join = join = add_join(own, {end, join, mask, mask});
  host_.warp(id).group = Group::rows(own.row, mask.without(early));
  split(id).behind = true;
  if (!join_sibling(own, id, join, from, early)) enter(own, id, join, from, early);
  ++at_loads_;
  parted_ = host_.now;
  arrange(own);
  return true;
}

// ---- what it takes

StateCost Dws::cost() const {
  // Of the table a warp's number, a PC, a mask and a status; of the stack two PCs and a mask.
  const uint64_t width = host_.warp_size();
  return {static_cast<unsigned>(most_stacked_), most_places_ * (5 + 32 + width + 2) + most_stacked_ * (64 + width),
          false};
}

std::vector<Counter> Dws::counters() const {
  return {{"subdivided_branches", at_branches_},
          {"subdivided_loads", at_loads_},
          {"splits_united", united_},
          {"branches_without_room", no_room_}};
}

}  // namespace heddle
