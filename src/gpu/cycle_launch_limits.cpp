// A launch that does not end, or not in time.
#include <fmt/format.h>

#include "base/kernel_name.h"
#include "gpu/cycle_launch.h"

namespace heddle {

uint64_t CycleLaunch::resident_blocks() const {
  uint64_t blocks = 0;
  for (const std::unique_ptr<Site>& site : sites_) blocks += site->core->running().size() + site->coming.size();
  return blocks;
}

uint64_t CycleLaunch::issue_slots() const {
  uint64_t slots = 0;
  for (const std::unique_ptr<Site>& site : sites_) slots += site->engine->stats().issue_slots;
  return slots;
}

void CycleLaunch::lead() const {
  if (options_.progress) options_.progress->begin(readable_name(what_.kernel.name), grid_blocks_);
}

std::vector<const WarpEngine*> CycleLaunch::engines() const {
  std::vector<const WarpEngine*> engines;
  for (const std::unique_ptr<Site>& site : sites_) engines.push_back(site->engine.get());
  return engines;
}

Tick CycleLaunch::check_limits(Tick now, bool leads) {
  if (now < next_check_) return next_check_;
  const uint64_t slots = issue_slots();
  const CoreCycle cycle = clocks_.core.at_or_after(now);
  const std::string name = readable_name(what_.kernel.name);
  next_check_ = clocks_.core.time(cycle + check_every_);
  if (leads && options_.progress) options_.progress->at(slots, next_block_ - resident_blocks());
  if (options_.stop && options_.stop->load(std::memory_order_relaxed))
    throw Error(ExitCode::Interrupted, "interrupted");
  if (slots != slots_seen_ || sites_.empty()) progress_at_ = cycle;
  slots_seen_ = slots;
  if (max_slots_ > 0 && slots >= max_slots_)
    report(fmt::format("kernel {} has not ended after {} issue slots (max_slots)", name, slots), cycle);
  if (spin_.due(slots) && spin_.spins(slots, engines()))
    report(fmt::format("kernel {} spins under '{}': no thread has come to anything new in {} issue slots (spin_limit)",
                       name, options_.mechanism, spin_.limit()),
           cycle);
  if (max_cycles_ > 0 && cycle - start_ >= max_cycles_)
    report(fmt::format("kernel {} has not ended after {} cycles (max_cycles)", name, cycle - start_), cycle);
  if (stall_limit_ > 0 && cycle - progress_at_ >= stall_limit_)
    report(fmt::format("kernel {} has issued nothing for {} cycles (stall_limit)", name, cycle - progress_at_), cycle);
  return next_check_;
}

void CycleLaunch::report(const std::string& what, CoreCycle cycle) {
  std::string text = what + "\n";
  unsigned listed = 0;
  for (size_t i = 0; i < sites_.size() && listed < 2; ++i) {
    if (sites_[i]->core->running().empty()) continue;
    text += fmt::format("core {}, cycle {}:\n", sites_[i]->number, cycle.count());
    explain_spinning(*sites_[i]->engine, text);
    sites_[i]->core->explain(text);
    ++listed;
  }
  system_.explain(text);
  throw Error(ExitCode::Deadlock, text);
}

}  // namespace heddle
