// What a machine without a clock issues by steps of a warp's PC: what only computes, executed later, with those behind
// it; or before, where the warp goes alone.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/warp_engine.h"

namespace heddle {

// The first that a warp puts off, or issues of those it executes ahead. Most call nobody, and keep nothing on the
// stack.
bool WarpEngine::put_off_more(WarpId id, Warp& warp) {
  if (warp.alone) return put_off_behind(id, warp);
  if (warp.groups > 1 || warp.group.kind == Group::Kind::Phantom) return false;
  const Pc until = context_.computes_until[warp.pc];
  if (may_jump_[until] && alone_pays_[warp.pc].asks()) return issue_or_put_off(id, warp);
  return put_off_until(until, warp);
}

[[gnu::always_inline]] inline bool WarpEngine::put_off_until(Pc until, Warp& warp) {
  until = std::min(until, warp.ask_at - 1);
  if (until <= warp.pc) return false;
  warp.done = warp.pc++;
  warp.puts_off_until = until;
  ++lagging_[warp.group.row];
  return true;
}

// All that it has executed has been issued.
[[gnu::noinline]] bool WarpEngine::put_off_behind(WarpId id, Warp& warp) {
  count_alone(id, warp);
  return put_off_more(id, warp);
}

[[gnu::noinline]] bool WarpEngine::issue_or_put_off(WarpId id, Warp& warp) {
  if (slots() < goes_alone_until_ && run_alone(id, warp)) return issue_ahead(warp);
  return put_off_until(context_.computes_until[warp.pc], warp);
}

// All that only computes, and branches by which all threads go one way, as far as the mechanism need not be told.
// False: it is put off instead, which takes less where that is little.
bool WarpEngine::run_alone(WarpId id, Warp& warp) {
  const Pc first = warp.pc, ask_at = warp.ask_at;
  if (!mechanism().goes_alone(id)) return false;
  if (alone_.size() <= id) alone_.resize(host().size());
  LoneRun& run = alone_[id];
  run.stop_count = run.next = 0;
  const Lanes lanes = warp.group.lanes();
  unsigned left = LoneRun::kMost;
  for (;;) {
    left -= compute_straight(warp, lanes, left);
    if (left == 0 || run.stop_count == run.stops.size() || !compute_stop(id, warp, run)) break;
    --left;
  }
  warp.pc = first;
  warp.ask_at = ask_at;
  run.left = LoneRun::kMost - left;
  alone_pays_[first].note(run.left);
  if (run.left == 0) return false;
  warp.alone = true;
  warp.ahead = static_cast<int16_t>(has_no_companion(id, warp) ? run.left : -run.left);
  return true;
}

// As long as it goes alone?
bool WarpEngine::has_no_companion(WarpId id, const Warp& warp) const {
  if (traits().issue_width == 1 || warp.group.count == host().warp_size()) return true;
  return traits().beside_kin && host().goes_alone(id);
}

// So many at most.
[[gnu::always_inline]] inline unsigned WarpEngine::compute_straight(Warp& warp, const Lanes& lanes, unsigned most) {
  const Pc first = warp.pc;
  const Pc end = std::min({context_.computes_until[first], plain_until_[first], warp.ask_at - 1, first + most});
  const Instruction* const code = kernel_.code.data();
  const Handler* const handlers = context_.handlers.data();
  for (Pc pc = first; pc < end; ++pc) {
    context_.pc = pc;
    handlers[pc](context_, code[pc], lanes);
  }
  warp.pc = end;
  return end - first;
}

// One that is guarded, or a branch. False: nothing has happened.
[[gnu::always_inline]] inline bool WarpEngine::compute_stop(WarpId id, Warp& warp, LoneRun& run) {
  const Pc pc = warp.pc;
  if (context_.computes_until[pc] > pc) {
    if (warp.ask_at == pc + 1) return false;
    const Lanes active = context_.guarded(kernel_.code[pc], warp.group.lanes());
    context_.pc = pc;
    if (!active.mask.empty()) context_.handlers[pc](context_, kernel_.code[pc], active);
    const unsigned off = warp.group.mask.count() - active.mask.count();
    run.stops[run.stop_count++] = {pc, ++warp.pc, warp.ask_at, static_cast<uint8_t>(off), false};
    return true;
  }
  const std::optional<Way> way = one_way_alone(id, warp, run);
  if (!way) return false;
  run.stops[run.stop_count++] = {pc, way->to, way->ask_at, 0, true};
  warp.pc = way->to;
  warp.ask_at = way->ask_at;
  return true;
}

// As one_way(); the mechanism answers as it did.
[[gnu::always_inline]] inline std::optional<WarpEngine::Way> WarpEngine::one_way_alone(WarpId id, const Warp& warp,
                                                                                       const LoneRun& run) const {
  if (!may_jump_[warp.pc]) return {};
  const Instruction& instruction = kernel_.code[warp.pc];
  const LaneMask taken = context_.guarded(instruction, warp.group.lanes()).mask;
  if (!taken.empty() && taken != warp.group.mask) return {};
  const Pc to = taken.empty() ? warp.pc + 1 : instruction.target;
  for (unsigned i = run.stop_count; i-- > 0;)
    if (const LoneRun::Stop& stop = run.stops[i]; stop.at == warp.pc && stop.to == to) return Way{to, stop.ask_at};
  const std::optional<Pc> ask_at = mechanism().goes_on(id, to);
  return ask_at ? std::optional(Way{to, *ask_at}) : std::nullopt;
}

// What has been issued of it since it was counted last.
void WarpEngine::count_alone(WarpId id, Warp& warp) {
  LoneRun& run = alone_[id];
  const auto left = static_cast<unsigned>(std::abs(warp.ahead));
  unsigned slots = std::exchange(run.left, left) - left;
  put_off_ -= slots;
  charge(id, warp.group, warp.pc, slots);
  for (; run.next < run.stop_count && run.stops[run.next].at - warp.pc < slots; ++run.next) {
    const LoneRun::Stop& stop = run.stops[run.next];
    slots -= stop.at + 1 - warp.pc;
    stats_.predicated_off += stop.off;
    warp.pc = stop.to;
    warp.ask_at = stop.ask_at;
    if (!stop.jumps) continue;
    ++stats_.branches;
    host().watch.count_branch(stop.at, false);
  }
  warp.pc += slots;
  warp.alone = left > 0;
}

void WarpEngine::catch_up(WarpId id, Warp& warp) {
  const Lanes lanes = warp.group.lanes();
  const Instruction* const code = kernel_.code.data();
  const Pc first = std::exchange(warp.done, 0), end = warp.pc;
  warp.puts_off_until = 0;
  --lagging_[warp.group.row];
  put_off_ -= end - first;
  charge(id, warp.group, first, end - first);
  for (Pc pc = first; pc < end; ++pc) {
    context_.pc = pc;
    execute(code[pc], lanes);
  }
}

void WarpEngine::catch_up_around(WarpId id) {
  Warp& warp = host().warp(id);
  if (warp.alone) count_alone(id, warp);
  const Instruction& instruction = kernel_.code[warp.pc];
  const bool meets = instruction.flow == Flow::Barrier || instruction.flow == Flow::Sync || instruction.op == Op::Exit;
  if (!meets && lagging_[warp.group.row] == 0) return;
  if (!meets) return host().for_each_kin(id, [&](WarpId each) { catch_up(each); });
  const WarpSet &all = host().warps_in(warp.block), &ready = host().ready();
  for (WarpId each = all.next_from(0, ready); each != kNoWarp; each = all.next_from(each + 1U, ready)) catch_up(each);
}

void WarpEngine::catch_up_all() {
  for (WarpId id{0}; put_off_ > 0 && id < host().size(); ++id) {
    if (Warp& warp = host().warp(id); warp.alone) count_alone(id, warp);
    catch_up(id);
  }
}

}  // namespace heddle
