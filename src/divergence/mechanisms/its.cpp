#include "divergence/mechanisms/its.h"

#include <algorithm>

namespace heddle {
Its::Its(Host& host, const Config& config)
    : Mechanism(host),
      plan_(place_barriers(host.kernel(),
                           config.text("joins") == "ptxas" ? JoinRule::Assembler : JoinRule::PostDominators)),
      slots_(config.boolean("barrier_slots")),
      wait_cycles_(static_cast<unsigned>(config.integer("wait_cycles"))),
      meetings_(host.kernel()) {
  const Kernel& kernel = host.kernel();
  yields_.assign(kernel.code.size(), false);
  if (config.text("yield") == "spin") {
    for (uint32_t header : kernel.spin_loops) yields_[kernel.blocks[header].begin] = true;
    for (Pc pc = 0; pc < kernel.code.size(); ++pc)
      if (kernel.code[pc].op == Op::Sleep) yields_[pc] = true;
  }
  next_stop_.assign(kernel.code.size() + 1, kNoPc);
  for (Pc pc = static_cast<Pc>(kernel.code.size()); pc-- > 0;) {
    const bool falls_in = pc > 0 && kernel.block_of[pc - 1] != kernel.block_of[pc] &&
                          !plan_.is_quiet(kernel.block_of[pc - 1], kernel.block_of[pc]);
    next_stop_[pc] = falls_in || yields_[pc] || meetings_.at(pc) ? pc : next_stop_[pc + 1];
  }
}

void Its::own(WarpId id, size_t index) {
  if (owner_.size() <= id) owner_.resize(id + 1U);
  owner_[id] = index;
}

Pc Its::pc_of(uint32_t node) const {
  if (node >= plan_.nodes.size()) return node - static_cast<uint32_t>(plan_.nodes.size());
  while (node >= host_.kernel().blocks.size()) node = plan_.nodes[node].edges[0].node;
  return host_.kernel().blocks[node].begin;
}

// ---- what the machine tells

void Its::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(block, i);
    const size_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1);
    StaticWarp& warp = warps_[index];
    warp = {};
    warp.block = block;
    warp.row = group.row;
    warp.carrier = host_.open(block, 0, group);
    own(warp.carrier, index);
    warp.runs = true;
    warp.split.who = group.mask;
    go(warp);
  }
}

void Its::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& warp = of(id);
  if (outcomes.empty()) {  // the slot of a barrier instruction
    warp.owed.pop_back();
    return go(warp);
  }
  const Outcome& outcome = outcomes[0];
  const Pc pc = host_.warp(id).pc;
  if (outcome.kind == Outcome::Kind::Exit) {
    for (Barrier& barrier : warp.barriers) {
      barrier.members = barrier.members.without(outcome.group.mask);
      barrier.arrived = barrier.arrived.without(outcome.group.mask);
    }
    for (Split& freed : take_complete(warp)) warp.pending.push_back(freed);
    warp.runs = false;
    return go(warp);
  }
  warp.split.pc = pc;
  set_barriers(warp, host_.kernel().block_of[pc]);
  if (outcome.kind == Outcome::Kind::Call) enter(warp, kNowhere, return_node(pc + 1));
  part(warp, outcome.kind, outcome.targets);
  go(warp);
}

std::optional<Pc> Its::goes_on(WarpId id, Pc pc) const {
  const Kernel& kernel = host_.kernel();
  const Split& split = warps_[owner_[id]].split;
  if (split.passed || split.asked != kNoPc || yields_[pc] || meetings_.at(pc)) return std::nullopt;
  if (!plan_.is_quiet(kernel.block_of[host_.warp(id).pc], kernel.block_of[pc])) return std::nullopt;
  return next_stop_[pc + 1];
}

void Its::arrive(WarpId id) {
  StaticWarp& warp = of(id);
  const Pc pc = host_.warp(id).pc;
  move(warp, warp.split, pc - 1, pc);
  compete(warp, take_complete(warp));
  go(warp);
}

void Its::release(WarpId id) {
  StaticWarp& warp = of(id);
  const Pc pc = host_.warp(id).pc;
  const auto found = std::find_if(warp.meetings.begin(), warp.meetings.end(),
                                  [&](const Meeting& meeting) { return meeting.warp == id; });
  Split split = found == warp.meetings.end() ? warp.split : found->split;
  if (found == warp.meetings.end())
    warp.runs = false;
  else
    warp.meetings.erase(found);
  move(warp, split, pc, pc + 1);
  warp.missed = {};
  split.met = true;
  warp.pending.push_back(split);
  for (Split& freed : take_complete(warp)) warp.pending.push_back(freed);
  if (warp.carrier == kNoWarp) warp.carrier = id;
  if (warp.carrier == id)
    host_.set_state(id, WarpState::Held);
  else
    host_.close(id);
  met_.push_back(owner_[id]);
}

// The running split has come to a warp-wide instruction that others have not: they go on, if a barrier holds them.
void Its::misses(WarpId id, LaneMask missing) {
  StaticWarp& warp = of(id);
  warp.missed |= missing;
  if (warp.runs && warp.carrier == id) {
    warp.meetings.push_back({id, warp.split});
    warp.carrier = kNoWarp;
    warp.runs = false;
  }
  if (!warp.runs) go(warp);
}

void Its::released() {
  const std::vector<size_t> met = std::move(met_);
  met_.clear();
  for (size_t index : met)
    if (!warps_[index].runs && !warps_[index].pending.empty()) go(warps_[index]);
}

// ---- for a person

State Its::state(BlockId block) const {
  const BlockShape& shape = host_.block(block);
  State state;
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const StaticWarp& warp = warps_[shape.first / host_.warp_size() + i];
    StateRow row{"static warp", i, {}};
    const auto lanes = [&](LaneMask who) { return lanes_of_warp(host_.warp_size(), who); };
    const auto add = [&](std::string_view word, Pc pc, const Split& split) {
      row.entries.push_back(
          {word, {{"pc", CodeAddress{pc}}, {"depth", uint64_t{split.depth}}, {"mask", lanes(split.who)}}});
    };
    if (warp.runs) add("runs", host_.warp(warp.carrier).pc, warp.split);
    for (size_t k = warp.pending.size(); k-- > 0;) {
      const Split& split = warp.pending[k];
      add(split.yielded ? "yielded" : split.stalled ? "stalled" : "waits", split.pc, split);
    }
    for (const Meeting& meeting : warp.meetings) add("meets", meeting.split.pc, meeting.split);
    for (const Barrier& barrier : warp.barriers)
      row.entries.push_back({"barrier",
                             {{"pc", CodeAddress{pc_of(barrier.node)}},
                              {"depth", uint64_t{barrier.depth}},
                              {"mask", lanes(barrier.members)},
                              {"arrived", lanes(barrier.arrived)}}});
    state.push_back(std::move(row));
  }
  return state;
}

StateCost Its::cost() const {
  // Barrier registers, and per thread a PC and what it is doing.
  const uint64_t width = host_.warp_size();
  return {static_cast<unsigned>(std::max<size_t>(most_barriers_, 1)), kRegisters * width + width * (32 + 3), true};
}

std::vector<Counter> Its::counters() const { return {{"barriers_spilled", spilled_}}; }

}  // namespace heddle
