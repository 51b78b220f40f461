#include "report/profile/instruction_costs.h"

#include <algorithm>

#include "core/core_parameters.h"
#include "report/breakdown.h"
#include "report/profile/blame.h"

namespace heddle {
namespace {

Cost cost_of(const PcCounts& counts, unsigned warp_size) {
  const uint64_t needed = (counts.active + warp_size - 1) / warp_size;
  return {counts.slots, counts.threads, counts.active, counts.slots * warp_size - counts.active, counts.slots - needed};
}

bool is_of(const LaunchResult& launch, const std::string& only) { return only.empty() || launch.stats.kernel == only; }

bool counts(const LaunchResult& launch, const std::string& only) {
  return !launch.stats.by_pc.empty() && is_of(launch, only);
}

void add_launch(KernelCosts& costs, const KernelStats& stats, unsigned warp_size, unsigned interval) {
  for (Pc pc = 0; pc < stats.by_pc.size(); ++pc) {
    InstructionCost& each = costs.by_pc[pc];
    each.cost.add(cost_of(stats.by_pc[pc], warp_size));
    if (!stats.waits) continue;
    const PcTiming& timing = stats.waits->by_pc[pc];
    each.time.add({(stats.by_pc[pc].slots - timing.beside) * interval, timing});
  }
  const Blame part = blame(*costs.kernel, stats.by_pc, stats.branch_records, warp_size);
  for (Pc pc = 0; pc < costs.blamed.size(); ++pc) costs.blamed[pc] += part.branches[pc];
  costs.blamed_on_nobody += part.nobody;
}

double weighed(double sum, double now, uint64_t cycles) { return sum + now * static_cast<double>(cycles); }

}  // namespace

void Cost::add(const Cost& other) {
  slots += other.slots;
  threads += other.threads;
  active += other.active;
  lanes_lost += other.lanes_lost;
  slots_lost += other.slots_lost;
}

void Time::add(const Time& other) {
  issued += other.issued;
  waits.add(other.waits);
}

std::map<std::string, KernelCosts> instruction_costs(const RunResult& result, const std::string& only) {
  const unsigned interval = result.spec.timed ? CoreParameters::from(result.config).interval : 0;
  std::map<std::string, KernelCosts> kernels;
  for (const LaunchResult& launch : result.launches) {
    if (!counts(launch, only)) continue;
    KernelCosts& costs = kernels[launch.stats.kernel];
    costs.kernel = launch.kernel;
    costs.by_pc.resize(launch.stats.by_pc.size());
    costs.blamed.resize(launch.stats.by_pc.size());
    add_launch(costs, launch.stats, result.warp_size(), interval);
  }
  return kernels;
}

InstructionCost cost_inside(const KernelCosts& costs, Pc branch) {
  const std::vector<bool> inside = blocks_inside(*costs.kernel, branch);
  InstructionCost sum;
  for (Pc pc = 0; pc < costs.by_pc.size(); ++pc) {
    if (!inside[costs.kernel->block_of[pc]]) continue;
    sum.cost.add(costs.by_pc[pc].cost);
    sum.time.add(costs.by_pc[pc].time);
  }
  return sum;
}

MachineUse use_of(const RunResult& result, const std::string& only) {
  MachineUse use;
  use.timed = result.spec.timed;
  use.warp_size = result.warp_size();
  if (!use.timed) return use;
  use.most_warps = static_cast<double>(result.config.integer("core_threads")) / use.warp_size;
  const auto overhead =
      static_cast<uint64_t>(result.config.integer("launch_overhead") + result.config.integer("launch_drain"));
  uint64_t cycles = 0, launches = 0;
  CoreStats sum;
  for (const LaunchResult& launch : result.launches) {
    if (!is_of(launch, only) || !launch.stats.timing) continue;
    const TimingStats& timing = *launch.stats.timing;
    const CoreStats cores = timing.all_cores();
    use.cores = static_cast<unsigned>(timing.cores.size());
    use.cycles += cores.cycles();
    use.issued += cores.cycles() - cores.stall - cores.idle();
    use.overhead += std::min(cores.empty, overhead * use.cores * timing.sub_cores);
    cycles += timing.cycles;
    ++launches;
    sum.add(cores);
    const uint64_t share_of_core = (launch.stats.grid.count() + use.cores - 1) / use.cores;
    const auto resident = static_cast<double>(std::min<uint64_t>(timing.blocks_per_core, share_of_core));
    const uint64_t warps = (launch.stats.block.count() + use.warp_size - 1) / use.warp_size;
    use.warps_per_core = weighed(use.warps_per_core, resident * static_cast<double>(warps), timing.cycles);
    use.blocks = weighed(use.blocks, static_cast<double>(launch.stats.grid.count()), timing.cycles);
    use.dram = weighed(use.dram, timing.dram_utilisation(), timing.cycles);
  }
  use.launch_cycles = share(cycles, launches);
  const auto longest = std::max_element(sum.memory_stalls.begin(), sum.memory_stalls.end());
  use.held_by = static_cast<MemoryStall>(longest - sum.memory_stalls.begin());
  for (double* mean : {&use.warps_per_core, &use.blocks, &use.dram})
    *mean = cycles == 0 ? 0 : *mean / static_cast<double>(cycles);
  return use;
}

WaitCycles waits_for_nobody(const RunResult& result, const std::string& only) {
  WaitCycles sum{};
  for (const LaunchResult& launch : result.launches)
    if (counts(launch, only) && launch.stats.waits)
      for (size_t cause = 0; cause < kIdleCauses; ++cause) sum[cause] += launch.stats.waits->nobodys[cause];
  return sum;
}

}  // namespace heddle
