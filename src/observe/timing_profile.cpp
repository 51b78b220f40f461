#include "observe/timing_profile.h"

#include "divergence/host.h"
#include "program/kernel.h"

namespace heddle {

void TimingProfile::launch_began(const LaunchBegan& launch) {
  timed_ = launch.timed;
  told_ = 0;
  profile_ = {};
  profile_.by_pc.resize(launch.kernel.code.size());
  strides_.assign(launch.kernel.code.size(), {});
}

void TimingProfile::idled(const Scene&, const Idled& event) {
  const auto cause = static_cast<size_t>(event.cause);
  told_ += event.cycles;
  if (event.barrier != kNoPc) profile_.by_pc[event.barrier].behind_barrier += event.cycles;
  if (event.waited_for == kNoPc) {
    profile_.nobodys[cause] += event.cycles;
    return;
  }
  PcTiming& instruction = profile_.by_pc[event.waited_for];
  instruction.waited[cause] += event.cycles;
  if (event.barrier != kNoPc) instruction.others_at_barrier += event.cycles;
}

void TimingProfile::completed(const Scene& scene, const Completed& event) {
  PcTiming& instruction = profile_.by_pc[event.pc];
  ++instruction.completed;
  instruction.cycles_to_complete += scene.host.now - event.issued;
}

void TimingProfile::accessed(const Scene&, const Accessed& event) {
  AccessCounts& access = profile_.by_pc[event.pc].access;
  if (event.lines > 0) {
    ++access.groups;
    access.lines += event.lines;
    access.sectors += event.sectors;
    access.hits += event.hits;
    access.misses += event.misses;
  }
  if (event.bank_passes > 0) {
    ++access.shared_groups;
    access.bank_passes += event.bank_passes;
  }
  if (event.threads < 2) return;
  ++access.pairs;
  auto& strides = strides_[event.pc];
  if (const auto known = strides.find(event.stride); known != strides.end())
    ++known->second;
  else if (strides.size() < kStrides)
    strides.emplace(event.stride, 1);
}

// Cores that had no block told nothing.
void TimingProfile::launch_ended(KernelStats& stats) {
  if (!timed_) return;
  const CoreStats cores = stats.timing->all_cores();
  profile_.nobodys[static_cast<size_t>(IdleCause::NoWarp)] += cores.stall + cores.idle() - told_;
  for (size_t pc = 0; pc < strides_.size(); ++pc)
    for (const auto& [stride, groups] : strides_[pc]) {
      AccessCounts& access = profile_.by_pc[pc].access;
      if (groups <= access.strided) continue;
      access.stride = stride;
      access.strided = groups;
    }
  stats.waits = std::move(profile_);
}

}  // namespace heddle
