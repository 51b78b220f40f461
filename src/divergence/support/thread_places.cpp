#include "divergence/support/thread_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

bool is_meeting(const Instruction& instruction) {
  return instruction.flow == Flow::Barrier || instruction.flow == Flow::Sync;
}

}  // namespace

ThreadPlaces::ThreadPlaces(Host& host) : Mechanism(host) {
  const std::vector<Instruction>& code = host.kernel().code;
  next_meeting_.assign(code.size() + 1, kNoPc);
  for (size_t pc = code.size(); pc-- > 0;)
    next_meeting_[pc] = is_meeting(code[pc]) ? static_cast<Pc>(pc) : next_meeting_[pc + 1];
}

WarpId ThreadPlaces::open(BlockSlot slot, const Group& group, size_t index) {
  const WarpId id = host_.open(slot, 0, group);
  if (owner_.size() <= id) owner_.resize(id + 1U);
  owner_[id] = index;
  return id;
}

void ThreadPlaces::block_start(BlockSlot slot) {
  const BlockShape& shape = host_.block(slot);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(slot, i);
    const size_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1);
    StaticWarp& threads = warps_[index];
    threads = {slot, group.row, open(slot, group, index), {}, {{0, 0, group.mask}}, {}};
    arbitrate(threads);
  }
}

void ThreadPlaces::wait(StaticWarp& threads, const Place& place) {
  const auto same = std::find_if(threads.waiting.begin(), threads.waiting.end(), [&](const Place& other) {
    return other.pc == place.pc && other.depth == place.depth;
  });
  if (same != threads.waiting.end())
    same->who |= place.who;
  else
    threads.waiting.push_back(place);
}

void ThreadPlaces::set_depth(StaticWarp& threads, Outcome::Kind kind) {
  for (Place& place : threads.running) {
    if (kind == Outcome::Kind::Call) ++place.depth;
    if (kind == Outcome::Kind::Return) --place.depth;
  }
}

void ThreadPlaces::part(StaticWarp& threads, std::span<const Target> targets) {
  for (const Place& place : threads.running)
    for (const Target& target : targets)
      if (const LaneMask who = place.who & target.who; !who.empty()) wait(threads, {target.pc, place.depth, who});
  threads.running.clear();
}

void ThreadPlaces::resolve(WarpId id, std::span<const Outcome> outcomes) {
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

void ThreadPlaces::arrive(WarpId id) {
  StaticWarp& threads = of(id);
  stop(threads);
  arbitrate(threads);
}

void ThreadPlaces::stop(StaticWarp& threads) {
  for (const Place& place : threads.running) wait(threads, {host_.warp(threads.warp).pc, place.depth, place.who});
  threads.running.clear();
  threads.phantom = false;
}

// The released threads wait with the others; one warp goes on for them and those that went on meanwhile.
void ThreadPlaces::release(WarpId id) {
  StaticWarp& threads = of(id);
  const Pc next = ++host_.warp(id).pc;
  const auto found =
      std::find_if(threads.detached.begin(), threads.detached.end(), [&](const Detached& d) { return d.warp == id; });
  if (found == threads.detached.end()) {  // it was all that was left of the static warp
    stop(threads);
    return arbitrate(threads);
  }
  const std::vector<Place> back = std::move(found->places);
  threads.detached.erase(found);
  const bool others_under_way = under_way(threads);
  if (!others_under_way) take_over(threads, id);
  for (const Place& place : back) wait(threads, {next, place.depth, place.who});
  if (!others_under_way) return arbitrate(threads);
  host_.warp(threads.warp).ask_at = host_.warp(threads.warp).pc + 1;
  host_.close(id);
}

// The running threads will be back when their instruction is done. From a meeting they may not be: the others must go
// on without them.
bool ThreadPlaces::under_way(const StaticWarp& threads) const {
  if (!carried(threads)) return false;
  const Warp& warp = host_.warp(threads.warp);
  return warp.state == WarpState::InFlight && (threads.phantom || !is_meeting(host_.kernel().code[warp.pc]));
}

// Makes `id` the warp of the threads that are not detached.
void ThreadPlaces::take_over(StaticWarp& threads, WarpId id) {
  if (carried(threads)) {
    const Warp& warp = host_.warp(threads.warp);
    if (warp.state == WarpState::Ready) {
      stop(threads);
      host_.close(threads.warp);
    } else {  // they have come to a meeting of their own, with nobody left to go on without them
      for (Place& place : threads.running) place.pc = warp.pc;
      threads.detached.push_back({threads.warp, std::move(threads.running)});
      threads.running.clear();
    }
  }
  threads.warp = id;
}

void ThreadPlaces::arbitrate(StaticWarp& threads) {
  if (threads.waiting.empty()) return host_.close(threads.warp);
  pick(threads);
  go(threads);
}

// Where they come to a meeting and others are left, they are detached and the others go on.
void ThreadPlaces::go(StaticWarp& threads) {
  while (is_meeting(host_.kernel().code[threads.running[0].pc]) && !threads.waiting.empty()) {
    detach(threads);
    pick(threads);
  }
  show(threads);
}

void ThreadPlaces::detach(StaticWarp& threads) {
  show(threads);
  threads.detached.push_back({threads.warp, std::move(threads.running)});
  threads.running.clear();
  threads.warp = open(threads.block, Group::rows(threads.row, {}), owner_[threads.warp]);
}

void ThreadPlaces::show(StaticWarp& threads) {
  Warp& warp = host_.warp(threads.warp);
  LaneMask mask;
  unsigned depth = 0;
  for (const Place& place : threads.running) {
    mask |= place.who;
    depth = std::max(depth, place.depth);
  }
  threads.phantom = false;
  warp.pc = threads.running[0].pc;
  host_.set_state(threads.warp, WarpState::Ready);
  warp.depth = static_cast<uint8_t>(std::min(depth, 255U));
  warp.group = Group::rows(threads.row, mask);
  warp.ask_at = threads.waiting.empty() ? kNoPc : std::min(next_meeting_[warp.pc + 1], next_ask(threads));
}

Pc ThreadPlaces::next_ask(const StaticWarp& threads) const {
  Pc next = kNoPc;
  for (const Place& place : threads.waiting)
    if (place.pc > threads.running[0].pc) next = std::min(next, place.pc);
  return next;
}

void ThreadPlaces::show_phantom(StaticWarp& threads, Pc pc, unsigned depth, unsigned count) {
  Warp& warp = host_.warp(threads.warp);
  threads.phantom = true;
  warp.pc = pc;
  warp.depth = static_cast<uint8_t>(std::min(depth, 255U));
  host_.set_state(threads.warp, WarpState::Ready);
  warp.group = Group::phantom(count);
  warp.ask_at = kNoPc;
}

State ThreadPlaces::state(BlockSlot slot) const {
  const BlockShape& shape = host_.block(slot);
  State state;
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const StaticWarp& threads = warps_[shape.first / host_.warp_size() + i];
    StateRow row{"static warp", i, {}};
    const auto add = [&](std::string_view word, Pc pc, const Place& place) {
      row.entries.push_back({word,
                             {{"pc", CodeAddress{pc}},
                              {"depth", uint64_t{place.depth}},
                              {"mask", lanes_of_warp(host_.warp_size(), place.who)}}});
    };
    const Pc pc = carried(threads) ? host_.warp(threads.warp).pc : kNoPc;
    if (threads.running.empty() && threads.phantom) row.entries.push_back({"nobody", {{"pc", CodeAddress{pc}}}});
    for (const Place& place : threads.running) add("runs", pc, place);
    for (const Place& place : threads.waiting) add("waits", place.pc, place);
    for (const Detached& detached : threads.detached)
      for (const Place& place : detached.places) add("meets", place.pc, place);
    state.push_back(std::move(row));
  }
  return state;
}

}  // namespace heddle
