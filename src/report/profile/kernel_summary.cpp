#include "report/profile/kernel_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/kernel_name.h"
#include "core/core_parameters.h"
#include "report/breakdown.h"
#include "report/kernel_names.h"
#include "report/profile/instruction_costs.h"
#include "report/table.h"

namespace heddle {
namespace {

// What the counters know. A port that stalls waits for the memory stage as long as that was held, else for a unit;
// dependences, barriers and fetches are one class.
Spent spent_by(const KernelStats& stats, const TimingStats& timing, const MachineUse& use) {
  const CoreStats cores = timing.all_cores();
  const auto held = [&](uint64_t core_cycles) { return core_cycles * timing.sub_cores; };
  Spent spent;
  spent.cycles = use.cycles;
  spent.no_block = cores.empty;
  spent.overhead = use.overhead;
  spent.issued = use.issued;
  spent.memory = cores.w0_mem;
  spent.memory_stage = std::min(cores.stall, held(cores.memory_stall_cycles()));
  spent.unit = cores.stall - spent.memory_stage;
  spent.result = cores.w0_idle - cores.empty;
  spent.conflicts =
      std::min(held(cores.memory_stalls[static_cast<size_t>(MemoryStall::Banks)]), spent.memory + spent.memory_stage);
  spent.dram = use.dram;
  spent.active = stats.simd_efficiency(use.warp_size);
  return spent;
}

// Launches of one kernel together, in the order of the first.
std::vector<std::pair<KernelStats, uint64_t>> timed_kernels(const RunResult& result) {
  std::vector<std::pair<KernelStats, uint64_t>> kernels;
  for (const LaunchResult& launch : result.launches) {
    if (!launch.stats.timing) continue;
    const auto known = std::find_if(kernels.begin(), kernels.end(),
                                    [&](const auto& each) { return each.first.kernel == launch.stats.kernel; });
    if (known == kernels.end()) {
      kernels.emplace_back(launch.stats, 1);
    } else {
      known->first.add(launch.stats);
      ++known->second;
    }
  }
  return kernels;
}

KernelSummary summary_of_kernel(const RunResult& result, const KernelStats& stats, uint64_t launches) {
  const TimingStats& timing = *stats.timing;
  const CoreStats cores = timing.all_cores();
  const NetworkStats& network = timing.memory.network;
  KernelSummary summary;
  summary.kernel = stats.kernel;
  summary.launches = launches;
  summary.cycles = timing.cycles;
  summary.instructions = cores.machine_instructions > 0 ? cores.machine_instructions : stats.issue_slots;
  summary.seconds = static_cast<double>(timing.cycles) / (1e6 * timing.core_mhz);
  summary.dram_bytes_per_second = timing.dram_bytes_per_second();
  if (timing.cycles > 0)
    summary.l2_bytes_per_second = static_cast<double>(network.request_bytes + network.reply_bytes) / summary.seconds;
  summary.use = use_of(result, stats.kernel);
  const Spent spent = spent_by(stats, timing, summary.use);
  summary.bound = bound_of(spent);
  summary.where_busy = bound_where_busy(spent);
  return summary;
}

// "memory latency"; "too few blocks (64 for 132 cores), then memory latency"
std::string limit_text(const KernelSummary& summary) {
  std::string text = words_of(summary.bound);
  if (summary.bound == Bound::Blocks)
    text += fmt::format(" ({:.0f} for {} cores)", summary.use.blocks, summary.use.cores);
  if (summary.bound != summary.where_busy) text += fmt::format(", then {}", words_of(summary.where_busy));
  return text;
}

// What the columns are shares of.
std::string peak_line(const RunResult& result) {
  const TimingStats timing = result.timing();
  const double issue =
      static_cast<double>(timing.cores.size()) * timing.sub_cores / CoreParameters::from(result.config).interval;
  return fmt::format("peaks: DRAM {:.0f} GB/s, {:.4g} instructions per cycle at {} MHz, {} warps in a core\n",
                     timing.dram_peak() / 1e9, issue, timing.core_mhz,
                     result.config.integer("core_threads") / result.warp_size());
}

}  // namespace

double KernelSummary::issue_rate() const { return heddle::share(instructions, cycles); }
double KernelSummary::issue_share() const { return heddle::share(use.issued, use.cycles); }

std::vector<KernelSummary> summary_of(const RunResult& result) {
  std::vector<KernelSummary> all;
  for (const auto& [stats, launches] : timed_kernels(result)) all.push_back(summary_of_kernel(result, stats, launches));
  const uint64_t cycles = std::accumulate(all.begin(), all.end(), uint64_t{0},
                                          [](uint64_t sum, const KernelSummary& each) { return sum + each.cycles; });
  for (KernelSummary& each : all) each.share = share(each.cycles, cycles);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cycles > b.cycles; });
  return all;
}

std::string summary_table(const RunResult& result) {
  const std::vector<KernelSummary> all = summary_of(result);
  if (all.empty()) return "";
  const KernelNames names(result.launches);
  Table table({{"kernel", false},
               {"launches"},
               {"µs"},
               {"of time"},
               {"DRAM GB/s"},
               {"of peak"},
               {"L2 GB/s"},
               {"instr./cycle"},
               {"of peak"},
               {"warps"},
               {"of all"},
               {"limited by", false}});
  double seconds = 0;
  for (const KernelSummary& each : all) {
    seconds += each.seconds;
    table.add({names.of(each.kernel), grouped(each.launches), fmt::format("{:.2f}", 1e6 * each.seconds),
               percent(each.share), fmt::format("{:.1f}", each.dram_bytes_per_second / 1e9), percent(each.use.dram),
               fmt::format("{:.1f}", each.l2_bytes_per_second / 1e9), fmt::format("{:.2f}", each.issue_rate()),
               percent(each.issue_share()), fmt::format("{:.0f}", each.use.warps_per_core), percent(each.occupancy()),
               limit_text(each)});
  }
  return fmt::format("what the kernels made of the machine in {:.2f} µs\n{}{}", 1e6 * seconds, table.text(),
                     peak_line(result));
}

nlohmann::ordered_json summary_json(const RunResult& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const KernelSummary& each : summary_of(result))
    json.push_back({{"kernel", each.kernel},
                    {"name", readable_name(each.kernel)},
                    {"launches", each.launches},
                    {"cycles", each.cycles},
                    {"seconds", each.seconds},
                    {"share", each.share},
                    {"dram_bytes_per_second", each.dram_bytes_per_second},
                    {"dram_share", each.use.dram},
                    {"l2_bytes_per_second", each.l2_bytes_per_second},
                    {"instructions", each.instructions},
                    {"instructions_per_cycle", each.issue_rate()},
                    {"issue_share", each.issue_share()},
                    {"warps_per_core", each.use.warps_per_core},
                    {"occupancy", each.occupancy()},
                    {"bound", name_of(each.bound)},
                    {"limited_by", limit_text(each)}});
  return json;
}

}  // namespace heddle
