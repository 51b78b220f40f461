#include "divergence/mechanisms/sbi.h"

#include <algorithm>
#include <utility>

namespace heddle {

std::unique_ptr<Mechanism> Sbi::make_with_warps(Host& host, const Config& config) {
  return std::unique_ptr<Mechanism>(new Sbi(host, config, true));
}

Sbi::Sbi(Host& host, const Config& config, bool warps)
    : Mechanism(host),
      constrained_(config.boolean("constrained")),
      warps_too_(warps),
      meetings_(host.kernel()),
      siblings_(host),
      fit_(host) {
  if (constrained_) find_joins();
}

void Sbi::find_joins() {
  const Kernel& kernel = host_.kernel();
  const size_t size = kernel.code.size();
  first_branch_.assign(size + 1, kNoPc);
  next_join_.assign(size + 1, kNoPc);
  for (Pc pc = 0; pc < size; ++pc) {
    if (kernel.code[pc].flow != Flow::Branch || !kernel.may_diverge(pc)) continue;
    if (const Pc join = kernel.reconvergence[pc]; join != kNoPc)
      first_branch_[join] = std::min(first_branch_[join], pc);
  }
  for (size_t pc = size; pc-- > 0;)
    next_join_[pc] = first_branch_[pc] != kNoPc ? static_cast<Pc>(pc) : next_join_[pc + 1];
}

void Sbi::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(block, i);
    const uint32_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1U);
    const WarpId id = host_.open(block, 0, group);
    warps_[index] = {group.row, {id}};
    note_opened(id, {index, 0});
  }
}

void Sbi::note_opened(WarpId id, const Context& context) {
  if (contexts_.size() <= id) contexts_.resize(id + 1U);
  contexts_[id] = context;
  fit_.regroups(id);
}

// ---- what threads do

void Sbi::resolve(WarpId id, std::span<const Outcome> outcomes) {
  const Outcome& outcome = outcomes[0];
  StaticWarp& own = of(id);
  if (outcome.kind == Outcome::Kind::Exit) {
    std::erase(own.contexts, id);
    host_.close(id);
    return arrange(own);
  }
  const std::span<const Target> targets = outcome.targets;
  unsigned depth = contexts_[id].depth;
  if (outcome.kind == Outcome::Kind::Call) ++depth;
  if (outcome.kind == Outcome::Kind::Return) --depth;
  if (targets.size() > 1) {
    host_.warp(id).group = Group::rows(own.row, targets[0].who);
    fit_.regroups(id);
  }
  place(own, id, {targets[0].pc, depth});
  for (const Target& target : targets.subspan(1)) add(own, id, {target.pc, depth}, target.who);
  arrange(own);
}

// A context that is alone meets nobody. One of several goes on where arrange() would leave the others as they are: it
// keeps its place among them, so their order and keys stay, and so must who waits and where they are asked.
std::optional<Pc> Sbi::goes_on(WarpId id, Pc pc) const {
  const std::vector<WarpId>& all = warps_[contexts_[id].owner].contexts;
  if (all.size() == 1) return kNoPc;
  if (meetings_.at(pc)) return std::nullopt;
  const auto index = static_cast<size_t>(std::find(all.begin(), all.end(), id) - all.begin());
  const CodePoint to{pc, contexts_[id].depth};
  if (!keeps_place(all, index, to)) return std::nullopt;
  CodePoint first;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i != index && has_met(all[i])) continue;
    const CodePoint here = i == index ? to : at(all[i]);
    const bool stays = waits(here, first);
    if (i == index ? stays : !stays_as_it_is(all, i, stays, i + 1 == index)) return std::nullopt;
    if (first.pc == kNoPc && !meetings_.at(here.pc)) first = here;
  }
  return ask_at(all, index, pc);
}

bool Sbi::keeps_place(const std::vector<WarpId>& all, size_t index, const CodePoint& to) const {
  const auto [low, high] = std::minmax({host_.warp(all[index]).pc, to.pc});
  return (index == 0 || goes_before(at(all[index - 1]), {low, to.depth})) &&
         (index + 1 == all.size() || goes_before({high, to.depth}, at(all[index + 1])));
}

// By arrange(), of one that has not met; `next`: the one behind it has just moved.
bool Sbi::stays_as_it_is(const std::vector<WarpId>& all, size_t index, bool waits, bool next) const {
  const Warp& warp = host_.warp(all[index]);
  if (warp.state == WarpState::Held) return waits;
  return !waits && !next && warp.ask_at == ask_at(all, index, warp.pc);
}

void Sbi::arrive(WarpId id) {
  StaticWarp& own = of(id);
  place(own, id, {host_.warp(id).pc, contexts_[id].depth});
  arrange(own);
}

void Sbi::release(WarpId id) {
  ++host_.warp(id).pc;
  arrive(id);
}

// ---- contexts

// A context that stands there and has not been issued.
WarpId Sbi::standing_at(const StaticWarp& own, const CodePoint& at, WarpId besides) const {
  for (const WarpId id : own.contexts) {
    const Warp& warp = host_.warp(id);
    const bool stands = warp.state == WarpState::Ready || warp.state == WarpState::Held;
    if (id != besides && stands && CodePoint{warp.pc, contexts_[id].depth} == at) return id;
  }
  return kNoWarp;
}

void Sbi::join(WarpId id, LaneMask who) {
  Group& group = host_.warp(id).group;
  group = group.part(group.mask | who);
  fit_.regroups(id);
}

void Sbi::place(StaticWarp& own, WarpId id, const CodePoint& at) {
  Warp& warp = host_.warp(id);
  warp.pc = at.pc;
  warp.depth = static_cast<uint8_t>(std::min(at.depth, 255U));
  contexts_[id].depth = at.depth;
  host_.set_state(id, WarpState::Ready);
  const WarpId met = standing_at(own, at, id);
  if (met == kNoWarp) return;
  join(id, host_.warp(met).group.mask);
  std::erase(own.contexts, met);
  host_.close(met);
}

void Sbi::add(StaticWarp& own, WarpId sibling, const CodePoint& at, LaneMask who) {
  if (const WarpId met = standing_at(own, at, kNoWarp); met != kNoWarp) return join(met, who);
  const WarpId id = host_.open_split(sibling, at.pc, Group::rows(own.row, who));
  note_opened(id, {contexts_[sibling].owner, at.depth});
  own.contexts.push_back(id);
}

// ---- who goes

void Sbi::arrange(StaticWarp& own) {
  std::vector<WarpId>& all = own.contexts;
  most_ = std::max(most_, static_cast<unsigned>(all.size()));
  for (size_t i = 1; i < all.size(); ++i)  // few are not where they were
    for (size_t k = i; k > 0 && goes_before(at(all[k]), at(all[k - 1])); --k) std::swap(all[k], all[k - 1]);
  CodePoint first;  // of those that go on by themselves
  uint32_t rank = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const WarpId id = all[i];
    if (has_met(id)) continue;  // it is placed anew when it is released
    Warp& warp = host_.warp(id);
    host_.set_key(id, rank);
    const bool stays = waits(at(id), first);
    if (warp.state == WarpState::Ready || warp.state == WarpState::Held)
      host_.set_state(id, stays ? WarpState::Held : WarpState::Ready);
    if (warp.state == WarpState::Ready || warp.state == WarpState::InFlight)
      warp.ask_at = stays ? warp.pc + 1 : ask_at(all, i, warp.pc);
    if (meetings_.at(warp.pc)) continue;
    if (rank++ == 0) first = at(id);
  }
}

bool Sbi::waits(const CodePoint& join, const CodePoint& first) const {
  if (!constrained_ || first.pc == kNoPc || first_branch_[join.pc] == kNoPc) return false;
  return first.depth > join.depth || (first_branch_[join.pc] <= first.pc && first.pc < join.pc);
}

// The next place where it may meet another context, must let others go first or wait for them. Others may go on
// meanwhile; then it is asked too early. One that is under way where it stands will be behind it.
Pc Sbi::ask_at(const std::vector<WarpId>& all, size_t index, Pc pc) const {
  if (all.size() == 1) return kNoPc;
  Pc next = meetings_.next(pc + 1);
  if (constrained_) next = std::min(next, next_join_[pc + 1]);
  const auto meet = [&](size_t other) {
    if (other >= all.size() || contexts_[all[other]].depth != contexts_[all[index]].depth) return;
    if (const Pc there = host_.warp(all[other]).pc; there >= pc) next = std::min(next, std::max(there, pc + 1));
  };
  meet(index - 1);
  meet(index + 1);
  return next;
}

WarpId Sbi::companion(WarpId id, const WarpSet& ready) {
  if (&ready != &host_.ready() || !siblings_.knows(id)) return look_for_companion(id, ready);
  const WarpId sibling = siblings_.of(id);
  return sibling == kNoWarp && warps_too_ ? fit_.beside(id, ready) : sibling;
}

WarpId Sbi::look_for_companion(WarpId id, const WarpSet& ready) {
  const std::vector<WarpId>& all = of(id).contexts;
  const auto goes = [&](WarpId other) { return other != id && ready.contains(other); };
  const auto found = std::find_if(all.begin(), all.end(), goes);
  const WarpId sibling = found != all.end() ? *found : kNoWarp;
  if (&ready == &host_.ready()) siblings_.note(id, sibling);
  return sibling == kNoWarp && warps_too_ ? fit_.beside(id, ready) : sibling;
}

// ---- for a person

State Sbi::state(BlockId block) const {
  const BlockShape& shape = host_.block(block);
  State state;
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    StateRow row{"static warp", i, {}};
    for (const WarpId id : warps_[shape.first / host_.warp_size() + i].contexts) {
      const Warp& warp = host_.warp(id);
      const bool held = warp.state == WarpState::Held;
      const bool met = has_met(id);
      row.entries.push_back({met    ? "meets"
                             : held ? "waits"
                                    : "runs",
                             {{met || held ? "next" : "pc", CodeAddress{warp.pc}},
                              {"depth", uint64_t{contexts_[id].depth}},
                              {"mask", lanes_of_warp(host_.warp_size(), warp.group.mask)}}});
    }
    state.push_back(std::move(row));
  }
  return state;
}

}  // namespace heddle
