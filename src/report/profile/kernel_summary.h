// What each kernel made of the machine, as CUDA programmers ask for it: time, bandwidth, issue and occupancy beside
// what the machine can do, and what limits it. From the counters of every run at cycle level; a profile knows more.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/profile/answer.h"
#include "run/run_result.h"

namespace heddle {

struct KernelSummary {
  std::string kernel;
  uint64_t launches = 0, cycles = 0, instructions = 0;  // instructions: of the machine's, warp by warp
  double seconds = 0, share = 0;                        // share: of the time of all kernels
  double dram_bytes_per_second = 0;
  double l2_bytes_per_second = 0;  // between the cores and the L2, headers of packets included
  MachineUse use;
  Bound bound = Bound::Nothing, where_busy = Bound::Nothing;  // where_busy: of the cores that have a block

  double issue_rate() const;   // instructions in a cycle
  double issue_share() const;  // of the turns of all issue ports
  double occupancy() const { return use.most_warps > 0 ? use.warps_per_core / use.most_warps : 0; }
};

std::vector<KernelSummary> summary_of(const RunResult& result);  // the longest first
std::string summary_table(const RunResult& result);              // "" where nothing was timed
nlohmann::ordered_json summary_json(const RunResult& result);

}  // namespace heddle
