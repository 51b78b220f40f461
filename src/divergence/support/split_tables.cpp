#include "divergence/support/split_tables.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace heddle {

void SplitTables::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(block, i);
    const uint32_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1U);
    StaticWarp& own = warps_[index];
    const WarpId id = host_.open(block, 0, group);
    if (splits_.size() <= id) splits_.resize(id + 1U);
    splits_[id] = {index};
    own = {group.row, {id}, {{{}, kNone, group.mask, group.mask}}, {}};
    place(own, id, {0, 0});
  }
}

// ---- what threads do

void SplitTables::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& own = of(id);
  const Outcome& outcome = outcomes[0];
  const Pc pc = host_.warp(id).pc;
  const unsigned depth = splits_[id].depth;
  const std::span<const Target> targets = outcome.targets;
  splits_[id].fresh = false;
  switch (outcome.kind) {
    case Outcome::Kind::Exit: exit(own, id, outcome.group.mask); break;
    case Outcome::Kind::Call: part(own, id, {{pc + 1, depth}, depth + 1, targets, kNoPc}); break;
    case Outcome::Kind::Return:
      require(targets.size() == 1, "threads of one split return to different places");
      go_to(own, id, {targets[0].pc, depth - 1});
      break;
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (targets.size() == 1)
        jump(own, id, {targets[0].pc, depth});
      else
        part(own, id,
             {reconvergence_of(own, splits_[id], pc), depth, targets,
              outcome.kind == Outcome::Kind::Branch ? pc + 1 : kNoPc});
      break;
  }
  arrange(own);
}

void SplitTables::arrive(WarpId id) {
  StaticWarp& own = of(id);
  splits_[id].fresh = false;
  go_to(own, id, {host_.warp(id).pc, splits_[id].depth});
  arrange(own);
}

void SplitTables::release(WarpId id) {
  StaticWarp& own = of(id);
  splits_[id].meets = false;
  go_to(own, id, {host_.warp(id).pc + 1, splits_[id].depth});
  arrange(own);
}

// At this depth, or where the function's caller goes on.
CodePoint SplitTables::reconvergence_of(const StaticWarp& own, const Split& split, Pc branch) const {
  if (const Pc pc = join_of(branch); pc != kNoPc) return {pc, split.depth};
  for (uint32_t join = split.join; join != kNone; join = own.joins[join].parent) {
    const CodePoint& point = own.joins[join].at;
    if (point.pc != kNoPc && point.depth < split.depth) return point;
  }
  return {};
}

void SplitTables::go_to(StaticWarp& own, WarpId id, const CodePoint& at) {
  if (at == own.joins[splits_[id].join].at) return came(own, id);
  place(own, id, at);
}

void SplitTables::jump(StaticWarp& own, WarpId id, const CodePoint& at) {
  const Warp& warp = host_.warp(id);
  const uint32_t join = splits_[id].join;
  if (at == own.joins[join].at) return came(own, id);
  if (join_sibling(own, id, join, at, warp.group.mask)) return leave(own, id);
  const bool far = at.pc != warp.pc + 1;
  place(own, id, at);
  if (far) jumped(own, id);
}

// ---- splits and joins

uint32_t SplitTables::add_join(StaticWarp& own, const Join& join) {
  uint32_t index = static_cast<uint32_t>(own.joins.size());
  if (own.free.empty()) {
    own.joins.push_back(join);
  } else {
    index = own.free.back();
    own.free.pop_back();
    own.joins[index] = join;
  }
  return index;
}

SplitTables::Join SplitTables::take_join(StaticWarp& own, uint32_t index) {
  own.free.push_back(index);
  return std::exchange(own.joins[index], {});
}

WarpId SplitTables::enter(StaticWarp& own, WarpId sibling, uint32_t join, const CodePoint& at, LaneMask who) {
  const WarpId id = host_.open_split(sibling, at.pc, Group::rows(own.row, who));
  if (splits_.size() <= id) splits_.resize(id + 1U);
  splits_[id] = {splits_[sibling].owner, join};
  own.splits.push_back(id);
  place(own, id, at);
  return id;
}

void SplitTables::leave(StaticWarp& own, WarpId id) {
  std::erase(own.splits, id);
  if (const WarpId other = splits_[id].other; other != kNoWarp) splits_[other].other = kNoWarp;
  host_.close(id);
}

// A split whose join is that of the branch already keeps it, so that loops do not grow the table. A path that starts at
// the join has come.
void SplitTables::part(StaticWarp& own, WarpId id, const Paths& paths) {
  uint32_t join = splits_[id].join;
  const LaneMask mask = host_.warp(id).group.mask;
  if (own.joins[join].at != paths.join) join = add_join(own, {paths.join, join, mask, mask});
  if (paths.targets.size() == 1) {  // a call
    splits_[id].join = join;
    place(own, id, {paths.targets[0].pc, paths.depth});
    return jumped(own, id);
  }
  const auto add = [&](const Target& target) {
    const CodePoint at{target.pc, paths.depth};
    if (at == paths.join) {
      own.joins[join].pending = own.joins[join].pending.without(target.who);
      own.joins[join].last_came = host_.now;
    } else if (!join_sibling(own, id, join, at, target.who)) {
      enter(own, id, join, at, target.who);
    }
  };
  for (const Target& target : paths.targets)
    if (target.pc == paths.first) add(target);
  for (const Target& target : paths.targets)
    if (target.pc != paths.first) add(target);
  leave(own, id);
}

void SplitTables::came(StaticWarp& own, WarpId id) {
  Join& join = own.joins[splits_[id].join];
  join.pending = join.pending.without(host_.warp(id).group.mask);
  join.last_came = host_.now;
  complete(own, id, splits_[id].join);
}

void SplitTables::exit(StaticWarp& own, WarpId id, LaneMask gone) {
  for (uint32_t join = splits_[id].join; join != kNone; join = own.joins[join].parent) {
    own.joins[join].mask = own.joins[join].mask.without(gone);
    own.joins[join].pending = own.joins[join].pending.without(gone);
  }
  complete(own, id, splits_[id].join);
}

// `last` is gone from the join. Where nobody is missing any more, those who are there go on, and may have come to the
// next join by that.
void SplitTables::complete(StaticWarp& own, WarpId last, uint32_t index) {
  while (index != kNone && own.joins[index].pending.empty()) {
    const Join join = take_join(own, index);
    index = join.parent;
    if (!join.mask.empty() && join.at != own.joins[index].at) {
      go_on(own, last, join);
      break;
    }
    dissolve(own, join);
    if (index == kNone || join.mask.empty()) continue;
    own.joins[index].pending = own.joins[index].pending.without(join.mask);
    own.joins[index].last_came = host_.now;
  }
  leave(own, last);
}

// ---- who goes

void SplitTables::place(StaticWarp& own, WarpId id, const CodePoint& at) {
  Split& split = splits_[id];
  Warp& warp = host_.warp(id);
  split.depth = at.depth;
  split.meets = !all_go() && own.splits.size() > 1 && meetings_.at(at.pc);
  warp.pc = at.pc;
  warp.depth = static_cast<uint8_t>(std::min(at.depth, 255U));
  warp.ask_at = ask_at(own, id, {});
  host_.set_state(id, split.goes || split.meets ? WarpState::Ready : WarpState::Held);
}

Pc SplitTables::ask_at(const StaticWarp& own, WarpId id, const Moved& moved) const {
  const Split& split = splits_[id];
  const Pc pc = pc_of(id, moved);
  const CodePoint& join = own.joins[split.join].at;
  const Pc meeting =
      all_go() || own.splits.size() == 1 ? kNoPc : std::min(meetings_.next(pc + 1), next_sibling(own, id, moved));
  return join.depth == split.depth && join.pc > pc ? std::min(join.pc, meeting) : meeting;
}

std::optional<Pc> SplitTables::passes_others(WarpId id, Pc pc) const {
  const StaticWarp& own = of(id);
  const Split& split = splits_[id];
  if (!split.goes || CodePoint{pc, split.depth} == own.joins[split.join].at) return std::nullopt;
  if (own.splits.size() > 1 && meetings_.at(pc)) return std::nullopt;
  const Moved moved{id, pc};
  for (const WarpId other : own.splits) {
    if (other == id) continue;
    const Warp& warp = host_.warp(other);
    const bool stands = warp.state == WarpState::InFlight && !splits_[other].goes && !splits_[other].meets;
    if (warp.ask_at != (stands ? warp.pc + 1 : ask_at(own, other, moved))) return std::nullopt;
  }
  return ask_at(own, id, moved);
}

// A split that stands still with an instruction under way is asked when that is done.
void SplitTables::arrange(StaticWarp& own) {
  if (own.splits.empty()) return;  // all have left
  note_sizes(own);
  if (all_go()) return;
  if (own.splits.size() == 1 && own.joins_in_use() == 0 && splits_[own.splits[0]].goes) return;
  choose(own);
  for (const WarpId id : own.splits) {
    Warp& warp = host_.warp(id);
    const bool goes = splits_[id].goes || splits_[id].meets;
    warp.ask_at = warp.state == WarpState::InFlight && !goes ? warp.pc + 1 : ask_at(own, id, {});
    if (warp.state != WarpState::Ready && warp.state != WarpState::Held) continue;
    host_.set_state(id, goes ? WarpState::Ready : WarpState::Held);
  }
}

void SplitTables::note_sizes(StaticWarp& own) {
  most_splits_ = std::max(most_splits_, own.splits.size());
  most_joins_ = std::max(most_joins_, own.joins_in_use());
  const auto count = [](size_t size, size_t limit, size_t& spilled, uint64_t& sum) {
    const size_t now = limit > 0 && size > limit ? size - limit : 0;
    if (now > spilled) sum += now - spilled;
    spilled = now;
  };
  count(own.splits.size(), split_limit_, own.spilled_splits, spilled_splits_);
  count(own.joins_in_use(), join_limit_, own.spilled_joins, spilled_joins_);
}

// ---- for a person

void SplitTables::add_state(std::vector<StateEntry>& entries, const StaticWarp& own, WarpId id) const {
  const Split& split = splits_[id];
  const Warp& warp = host_.warp(id);
  const std::string_view word = split.meets ? "meets" : split.goes ? "runs" : "stands";
  entries.push_back({word,
                     {{split.goes && !split.meets ? "pc" : "next", CodeAddress{warp.pc}},
                      {"rpc", CodeAddress{own.joins[split.join].at.pc}},
                      {"join", uint64_t{split.join}},
                      {"mask", lanes_of_warp(host_.warp_size(), warp.group.mask)}}});
}

State SplitTables::state(BlockId block) const {
  const BlockShape& shape = host_.block(block);
  State state;
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const StaticWarp& own = warps_[shape.first / host_.warp_size() + i];
    StateRow row{"static warp", i, {}};
    for (const WarpId id : own.splits) add_state(row.entries, own, id);
    for (uint32_t index = 1; index < own.joins.size() && !own.splits.empty(); ++index) {
      if (std::count(own.free.begin(), own.free.end(), index) > 0) continue;
      const Join& join = own.joins[index];
      row.entries.push_back({"join",
                             {{"number", uint64_t{index}},
                              {"next", CodeAddress{join.at.pc}},
                              {"above", uint64_t{join.parent}},
                              {"mask", lanes_of_warp(host_.warp_size(), join.mask)},
                              {"pending", lanes_of_warp(host_.warp_size(), join.pending)}}});
    }
    state.push_back(std::move(row));
  }
  return state;
}

}  // namespace heddle
