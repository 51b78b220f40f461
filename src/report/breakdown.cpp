#include "report/breakdown.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

unsigned class_size(unsigned warp_size) { return std::max(1U, warp_size / 8); }

std::string class_name(unsigned low, unsigned warp_size) {
  const unsigned size = class_size(warp_size);
  return size == 1 ? fmt::format("W{}", low) : fmt::format("W{}-{}", low, low + size - 1);
}

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<CycleClass> breakdown_of(const CoreStats& core, unsigned warp_size) {
  std::vector<CycleClass> classes;
  const unsigned size = class_size(warp_size);
  for (unsigned low = 1; low <= warp_size; low += size) {
    uint64_t cycles = 0;
    for (unsigned active = low; active < low + size; ++active) cycles += core.issue_cycles[active];
    classes.push_back({class_name(low, warp_size), cycles});
  }
  classes.push_back({"Stall", core.stall});
  classes.push_back({"W0_Mem", core.w0_mem});
  classes.push_back({"W0_Idle", core.w0_idle});
  classes.push_back({"W0_Phantom", core.issue_cycles[0]});
  return classes;
}

std::vector<Interval> intervals_of(const KernelStats& stats) {
  if (!stats.timing) return {};
  std::vector<Sample> ends = stats.timing->samples;
  for (Sample& end : ends)  // cores that had no block are idle, and in no sample
    end.cores.w0_idle += end.cycle * stats.timing->cores.size() * stats.timing->sub_cores - end.cores.cycles();
  const Sample whole{stats.timing->cycles, stats.thread_instructions, stats.issue_slots, stats.timing->all_cores(),
                     stats.timing->memory};
  if (ends.empty() || ends.back().cycle < whole.cycle) ends.push_back(whole);
  std::vector<Interval> intervals;
  Sample before;
  for (const Sample& end : ends) {
    intervals.push_back(
        {end.cycle - before.cycle,
         {end.cycle, end.thread_instructions - before.thread_instructions, end.issue_slots - before.issue_slots,
          end.cores.since(before.cores), end.memory.since(before.memory)}});
    before = end;
  }
  return intervals;
}

}  // namespace heddle
