#include "divergence/support/thread_pcs.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

WarpId ThreadPcs::open(BlockId block, const Group& group, size_t index) {
  const WarpId id = host_.open(block, 0, group);
  if (owner_.size() <= id) owner_.resize(id + 1U);
  owner_[id] = index;
  return id;
}

void ThreadPcs::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(block, i);
    const size_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1);
    StaticWarp& threads = warps_[index];
    threads = {block, group.row, open(block, group, index), {}, {{0, 0, group.mask}}, {}};
    arbitrate(threads);
  }
}

void ThreadPcs::wait(StaticWarp& threads, const Party& party) {
  const auto same = std::find_if(threads.waiting.begin(), threads.waiting.end(), [&](const Party& other) {
    return other.pc == party.pc && other.depth == party.depth;
  });
  if (same != threads.waiting.end())
    same->who |= party.who;
  else
    threads.waiting.push_back(party);
}

void ThreadPcs::set_depth(StaticWarp& threads, Outcome::Kind kind) {
  for (Party& party : threads.running) {
    if (kind == Outcome::Kind::Call) ++party.depth;
    if (kind == Outcome::Kind::Return) --party.depth;
  }
}

void ThreadPcs::part(StaticWarp& threads, std::span<const Target> targets) {
  for (const Party& party : threads.running)
    for (const Target& target : targets)
      if (const LaneMask who = party.who & target.who; !who.empty()) wait(threads, {target.pc, party.depth, who});
  threads.running.clear();
}

void ThreadPcs::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& threads = of(id);
  const Outcome& outcome = outcomes[0];
  set_depth(threads, outcome.kind);
  if (outcome.targets.size() == 1 && threads.waiting.empty() && threads.running.size() == 1) {  // nobody to choose from
    threads.running[0].pc = outcome.targets[0].pc;
    return show(threads);
  }
  part(threads, outcome.targets);
  arbitrate(threads);
}

void ThreadPcs::arrive(WarpId id) {
  StaticWarp& threads = of(id);
  stop(threads);
  arbitrate(threads);
}

bool ThreadPcs::goes_alone(WarpId id) const {
  const std::vector<Detached>& detached = of(id).detached;
  return std::all_of(detached.begin(), detached.end(), [&](const Detached& each) { return host_.stays(each.warp); });
}

void ThreadPcs::stop(StaticWarp& threads) {
  for (const Party& party : threads.running) wait(threads, {host_.warp(threads.warp).pc, party.depth, party.who});
  threads.running.clear();
  threads.phantom = false;
}

// The released threads wait with the others; one warp goes on for them and those that went on meanwhile.
void ThreadPcs::release(WarpId id) {
  StaticWarp& threads = of(id);
  const Pc next = ++host_.warp(id).pc;
  const auto found =
      std::find_if(threads.detached.begin(), threads.detached.end(), [&](const Detached& d) { return d.warp == id; });
  if (found == threads.detached.end()) {  // it was all that was left of the static warp
    stop(threads);
    return arbitrate(threads);
  }
  const std::vector<Party> back = std::move(found->parties);
  threads.detached.erase(found);
  const bool others_under_way = under_way(threads);
  if (!others_under_way) take_over(threads, id);
  for (const Party& party : back) wait(threads, {next, party.depth, party.who});
  if (!others_under_way) return arbitrate(threads);
  host_.warp(threads.warp).ask_at = host_.warp(threads.warp).pc + 1;
  host_.close(id);
}

// The running threads will be back when their instruction is done. From a meeting they may not be: the others must go
// on without them.
bool ThreadPcs::under_way(const StaticWarp& threads) const {
  if (!carried(threads)) return false;
  const Warp& warp = host_.warp(threads.warp);
  return warp.state == WarpState::InFlight && (threads.phantom || !meetings_.at(warp.pc));
}

// Makes `id` the warp of the threads that are not detached.
void ThreadPcs::take_over(StaticWarp& threads, WarpId id) {
  if (carried(threads)) {
    const Warp& warp = host_.warp(threads.warp);
    if (warp.state == WarpState::Ready) {
      stop(threads);
      host_.close(threads.warp);
    } else {  // they have come to a meeting of their own, with nobody left to go on without them
      for (Party& party : threads.running) party.pc = warp.pc;
      threads.detached.push_back({threads.warp, std::move(threads.running)});
      threads.running.clear();
    }
  }
  threads.warp = id;
}

void ThreadPcs::arbitrate(StaticWarp& threads) {
  if (threads.waiting.empty()) return host_.close(threads.warp);
  pick(threads);
  go(threads);
}

// Where they come to a meeting and others are left, they are detached and the others go on.
void ThreadPcs::go(StaticWarp& threads) {
  while (meetings_.at(threads.running[0].pc) && !threads.waiting.empty()) {
    detach(threads);
    pick(threads);
  }
  show(threads);
}

void ThreadPcs::detach(StaticWarp& threads) {
  show(threads);
  threads.detached.push_back({threads.warp, std::move(threads.running)});
  threads.running.clear();
  threads.warp = open(threads.block, Group::rows(threads.row, {}), owner_[threads.warp]);
}

void ThreadPcs::show(StaticWarp& threads) {
  Warp& warp = host_.warp(threads.warp);
  LaneMask mask;
  unsigned depth = 0;
  for (const Party& party : threads.running) {
    mask |= party.who;
    depth = std::max(depth, party.depth);
  }
  threads.phantom = false;
  warp.pc = threads.running[0].pc;
  host_.set_state(threads.warp, WarpState::Ready);
  warp.depth = static_cast<uint8_t>(std::min(depth, 255U));
  warp.group = Group::rows(threads.row, mask);
  warp.ask_at = asked_at(threads, warp.pc);
}

Pc ThreadPcs::asked_at(const StaticWarp& threads, Pc pc) const {
  return threads.waiting.empty() ? kNoPc : std::min(meetings_.next(pc + 1), next_ask(threads, pc));
}

Pc ThreadPcs::next_ask(const StaticWarp& threads, Pc pc) const {
  Pc next = kNoPc;
  for (const Party& party : threads.waiting)
    if (party.pc > pc) next = std::min(next, party.pc);
  return next;
}

void ThreadPcs::show_phantom(StaticWarp& threads, Pc pc, unsigned depth, unsigned count) {
  Warp& warp = host_.warp(threads.warp);
  threads.phantom = true;
  warp.pc = pc;
  warp.depth = static_cast<uint8_t>(std::min(depth, 255U));
  host_.set_state(threads.warp, WarpState::Ready);
  warp.group = Group::phantom(count);
  warp.ask_at = kNoPc;
}

State ThreadPcs::state(BlockId block) const {
  const BlockShape& shape = host_.block(block);
  State state;
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const StaticWarp& threads = warps_[shape.first / host_.warp_size() + i];
    StateRow row{"static warp", i, {}};
    const auto add = [&](std::string_view word, Pc pc, const Party& party) {
      row.entries.push_back({word,
                             {{"pc", CodeAddress{pc}},
                              {"depth", uint64_t{party.depth}},
                              {"mask", lanes_of_warp(host_.warp_size(), party.who)}}});
    };
    const Pc pc = carried(threads) ? host_.warp(threads.warp).pc : kNoPc;
    if (threads.running.empty() && threads.phantom) row.entries.push_back({"nobody", {{"pc", CodeAddress{pc}}}});
    for (const Party& party : threads.running) add("runs", pc, party);
    for (const Party& party : threads.waiting) add("waits", party.pc, party);
    for (const Detached& detached : threads.detached)
      for (const Party& party : detached.parties) add("meets", party.pc, party);
    state.push_back(std::move(row));
  }
  return state;
}

}  // namespace heddle
