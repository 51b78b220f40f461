// A core without a clock whose warps go one instruction at a time, as the scheduler chooses.
#include <algorithm>

#include "gpu/emulated_core.h"

namespace heddle {

// What has been executed by then and not issued is issued before somebody looks whether threads come to anything new.
uint64_t EmulatedCore::calm_until() const {
  const uint64_t warps = uint64_t{room_.now} * rows_per_block_ * kRow;
  const uint64_t reach = LoneRun::kMost * warps * traits_.issue_width;
  return std::max(spin_.calm_until(), reach) - reach;
}

// Until a limit may be met, or nobody can go.
void EmulatedCore::run_scheduled() {
  const uint64_t until = slots() + unchecked();
  uint64_t before = 0;
  if (goes_alone_) engine_.let_go_alone(calm_until());
  do {
    before = engine_.context().clock;
    step_scheduled(until);
  } while (engine_.context().clock != before && slots() < until && !running_.empty());
  if (in_turn_) engine_.mechanism().name_groups();
}

// What step_scheduled() would do so many times.
bool EmulatedCore::run_in_turn() {
  Turns turns = engine_.mechanism().turns();
  if (turns.each == 0) return false;
  turns.each = std::min(turns.each, unchecked() / turns.warps.size());
  const bool branch = turns.each > 0 && kernel_.code[engine_.host().warp(turns.warps[0]).pc].flow == Flow::Branch;
  if (turns.each == 0 || (branch && engine_.context().taint)) return false;
  engine_.run_in_turn(turns);
  return true;
}

// Nothing changes by which one is chosen, until one does not go quietly.
void EmulatedCore::step_scheduled(uint64_t until) {
  Host& host = engine_.host();
  if (in_turn_ && host.wished != kNoWarp && run_in_turn()) return;
  if (in_turn_) engine_.mechanism().name_groups();
  host.now = CoreCycle(engine_.context().clock);
  if (host.wished != kNoWarp && host.ready().contains(host.wished)) {  // whom keep_first_wishes() would leave alone
    const uint32_t only = host.position(host.wished);
    run_round({&only, 1}, until);
    return;
  }
  if (traits_.wishes) host.take_first_wishes(first_);
  const WarpSet& warps = traits_.wishes ? first_ : host.ready();
  if (warps.empty()) return;
  while (run_round(scheduler_->choose_round(warps), until) && slots() < until) {
  }
}

// An instruction of which the mechanism need not be told. False: it must, and nothing has happened.
[[gnu::always_inline]] inline bool EmulatedCore::goes_quietly(WarpId id, bool beside) {
  return (puts_off_ && engine_.put_off(id, beside)) || steps_quietly(id, beside);
}

// Warps that are issued one after the other, until one does not go quietly; false: one did not. Companions are chosen
// before anything of a step is done, as in a cycle.
bool EmulatedCore::run_round(std::span<const uint32_t> positions, uint64_t until) {
  auto left = static_cast<int64_t>(until - slots());
  WarpId id = kNoWarp, companion = kNoWarp;
  size_t gone = 0;
  bool quiet = true;
  do {
    id = Host::at_position(positions[gone]);
    if (engine_.goes_beside_nobody(id) && left > 0) {
      const size_t most = std::min(positions.size() - gone, static_cast<size_t>(left));
      const size_t steps = engine_.step_alone(positions.subspan(gone, most));
      id = Host::at_position(positions[gone + steps - 1]);
      gone += steps;
      left -= static_cast<int64_t>(steps);
      continue;
    }
    companion = companion_of(id);
    quiet = companion == kNoWarp ? goes_quietly(id, false) : goes_together(id, companion);
    left -= companion == kNoWarp ? 1 : static_cast<int64_t>(step_.count);
    gone += quiet ? 1 : 0;
  } while (quiet && gone < positions.size() && left > 0);
  scheduler_->issued(id);
  if (!quiet) companion == kNoWarp ? issue_alone(id) : issue_rest();
  return quiet;
}

// Nobody, where no lane is left.
[[gnu::always_inline]] inline WarpId EmulatedCore::companion_of(WarpId id) {
  const Host& host = engine_.host();
  if (traits_.issue_width == 1 || host.warp(id).group.count == host.warp_size()) return kNoWarp;
  return engine_.mechanism().companion(id, host.ready());
}

bool EmulatedCore::goes_together(WarpId id, WarpId companion) {
  step_.warps[0] = id;
  step_.warps[1] = companion;
  step_.count = 2;
  step_.gone = 0;
  if (traits_.issue_width > 2) add_companions();
  while (step_.gone < step_.count && goes_quietly(step_.warps[step_.gone], step_.gone > 0)) ++step_.gone;
  return step_.gone == step_.count;
}

void EmulatedCore::issue_alone(WarpId id) {
  catch_up_around(id);
  engine_.issue_at_once(id);
}

// All are under way where the mechanism is to hear of one.
void EmulatedCore::issue_rest() {
  const auto rest = std::span(step_.warps).subspan(step_.gone, step_.count - step_.gone);
  for (const WarpId id : rest)
    if (!engine_.goes_alone(id)) catch_up_around(id);
  for (const WarpId id : rest)
    if (!engine_.goes_alone(id)) engine_.begin(id);
  for (const WarpId id : rest) {
    const bool beside = id != step_.warps[0];
    if (!engine_.goes_alone(id) || !engine_.put_off(id, beside)) engine_.issue_at_once(id, beside);
  }
}

bool EmulatedCore::steps_quietly(WarpId id, bool beside) {
  if (!simple_) return false;
  engine_.catch_up(id);
  return engine_.step_plain(id, beside) || (quiet_jumps_ && engine_.jump(id, beside));
}

void EmulatedCore::add_companions() {
  others_ = engine_.host().ready();
  for (WarpId next = step_.warps[1]; step_.count < traits_.issue_width;) {
    others_.erase(next);
    next = engine_.mechanism().companion(step_.warps[0], others_);
    if (next == kNoWarp) return;
    step_.warps[step_.count++] = next;
  }
}

}  // namespace heddle
