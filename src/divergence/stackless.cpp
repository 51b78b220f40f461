#include "divergence/stackless.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

bool is_meeting(const Instruction& instruction) {
  return instruction.flow == Flow::Barrier || instruction.flow == Flow::Sync;
}

}  // namespace

Stackless::Stackless(Host& host, const Config& config)
    : Mechanism(host),
      by_depth_(config.text("stackless_pick") == "min_sp_pc"),
      every_step_(config.boolean("stackless_every_step")) {
  const std::vector<Instruction>& code = host.kernel().code;
  next_meeting_.assign(code.size() + 1, kNoPc);
  for (size_t pc = code.size(); pc-- > 0;)
    next_meeting_[pc] = is_meeting(code[pc]) ? static_cast<Pc>(pc) : next_meeting_[pc + 1];
}

void Stackless::block_start(BlockSlot slot) {
  const BlockShape& shape = host_.block(slot);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(slot, i);
    const size_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1);
    StaticWarp& threads = warps_[index];
    threads = {slot, group.row, host_.open(slot, 0, group), {}, {{0, 0, group.mask}}, {}};
    arbitrate(threads);
  }
}

// A warp never leaves its static warp, so that any of its threads names it.
Stackless::StaticWarp& Stackless::of(WarpId id) {
  const Group& group = host_.warp(id).group;
  return warps_[group.thread(group.mask.lowest()) / host_.warp_size()];
}

void Stackless::put(std::vector<Place>& places, Pc pc, unsigned depth, LaneMask who) const {
  if (who.empty()) return;
  const auto same =
      std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.pc == pc && p.depth == depth; });
  if (same != places.end())
    same->who |= who;
  else
    places.push_back({pc, depth, who});
}

bool Stackless::before(const Place& a, const Place& b) const {
  if (by_depth_ && a.depth != b.depth) return a.depth > b.depth;
  return a.pc < b.pc;
}

void Stackless::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& threads = of(id);
  const Outcome& outcome = outcomes[0];
  for (Place& place : threads.running) {
    if (outcome.kind == Outcome::Kind::Call) ++place.depth;
    if (outcome.kind == Outcome::Kind::Return) --place.depth;
  }
  if (outcome.targets.size() == 1 && threads.waiting.empty() && threads.running.size() == 1) {  // nobody to choose from
    threads.running[0].pc = outcome.targets[0].pc;
    return show(threads);
  }
  for (const Place& place : threads.running)
    for (const Target& target : outcome.targets) put(threads.waiting, target.pc, place.depth, place.who & target.who);
  threads.running.clear();
  arbitrate(threads);
}

void Stackless::arrive(WarpId id) {
  StaticWarp& threads = of(id);
  stop(threads);
  arbitrate(threads);
}

void Stackless::stop(StaticWarp& threads) {
  for (const Place& place : threads.running) put(threads.waiting, host_.warp(threads.warp).pc, place.depth, place.who);
  threads.running.clear();
}

// The released threads go back to the arbiter; one warp goes on for them and those that went on meanwhile.
void Stackless::release(WarpId id) {
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
  if (under_way(threads)) {
    for (const Place& place : back) put(threads.waiting, next, place.depth, place.who);
    host_.warp(threads.warp).ask_at = host_.warp(threads.warp).pc + 1;
    return host_.close(id);
  }
  take_over(threads, id);
  for (const Place& place : back) put(threads.waiting, next, place.depth, place.who);
  arbitrate(threads);
}

// The running threads will be back at the arbiter when their instruction is done. From a meeting they may not be: the
// others must go on without them.
bool Stackless::under_way(const StaticWarp& threads) const {
  if (threads.running.empty()) return false;
  const Warp& warp = host_.warp(threads.warp);
  return warp.state == WarpState::InFlight && !is_meeting(host_.kernel().code[warp.pc]);
}

// A warp that detached itself to wait may have left others that go on.
bool Stackless::yield(BlockSlot slot) {
  for (WarpId id = 0; id < host_.size(); ++id)
    if (host_.warp(id).state == WarpState::Ready && host_.warp(id).block == slot) return true;
  return false;
}

// Makes `id` the warp of the threads that are not detached.
void Stackless::take_over(StaticWarp& threads, WarpId id) {
  if (!threads.running.empty()) {
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

// Chooses who runs among all threads that are not detached. Where they come to a meeting and others are left, they
// are detached and the others arbitrate again.
void Stackless::arbitrate(StaticWarp& threads) {
  if (threads.waiting.empty()) return host_.close(threads.warp);
  pick(threads);
  while (is_meeting(host_.kernel().code[threads.running[0].pc]) && !threads.waiting.empty()) {
    detach(threads);
    pick(threads);
  }
  show(threads);
}

void Stackless::pick(StaticWarp& threads) {
  std::vector<Place>& waiting = threads.waiting;
  const Pc pc = std::min_element(waiting.begin(), waiting.end(), [&](const Place& a, const Place& b) {
                  return before(a, b);
                })->pc;
  threads.running.clear();
  std::erase_if(waiting, [&](const Place& place) {
    if (place.pc == pc) threads.running.push_back(place);
    return place.pc == pc;
  });
}

void Stackless::detach(StaticWarp& threads) {
  show(threads);
  threads.detached.push_back({threads.warp, std::move(threads.running)});
  threads.running.clear();
  threads.warp = host_.open(threads.block, 0, Group::rows(threads.row, {}));
}

// Makes the running threads the warp.
void Stackless::show(StaticWarp& threads) {
  Warp& warp = host_.warp(threads.warp);
  LaneMask mask;
  unsigned depth = 0;
  for (const Place& place : threads.running) {
    mask |= place.who;
    depth = std::max(depth, place.depth);
  }
  warp.pc = threads.running[0].pc;
  host_.set_state(threads.warp, WarpState::Ready);
  warp.depth = static_cast<uint8_t>(std::min(depth, 255U));
  warp.group = Group::rows(threads.row, mask);
  warp.ask_at = kNoPc;
  if (threads.waiting.empty()) return;
  warp.ask_at = next_meeting_[warp.pc + 1];
  for (const Place& place : threads.waiting)
    if (place.pc > warp.pc) warp.ask_at = std::min(warp.ask_at, place.pc);
}

void Stackless::explain(const std::vector<Place>& places, std::string_view what, std::string& text) const {
  for (const Place& place : places)
    text += fmt::format(" [{} pc {} depth {} mask {:08x}]", what, place.pc, place.depth, place.who.bits());
}

void Stackless::explain(BlockSlot slot, std::string& text) const {
  const BlockShape& shape = host_.block(slot);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const StaticWarp& threads = warps_[shape.first / host_.warp_size() + i];
    text += fmt::format("  static warp {}:", i);
    std::vector<Place> running = threads.running;
    for (Place& place : running) place.pc = host_.warp(threads.warp).pc;
    explain(running, "runs", text);
    explain(threads.waiting, "waits", text);
    for (const Detached& detached : threads.detached) explain(detached.places, "meets", text);
    text += "\n";
  }
}

StateCost Stackless::cost() const {
  // A PC and a stack pointer per thread, whatever the nesting.
  return {1, uint64_t{host_.warp_size()} * (32 + 32), true};
}

}  // namespace heddle
