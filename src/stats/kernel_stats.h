// What is counted while a kernel runs. Values only: printing lives elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "stats/branch_record.h"
#include "stats/compaction_stats.h"
#include "stats/counter.h"
#include "stats/decision_stats.h"
#include "stats/pc_counts.h"
#include "stats/timing_stats.h"
#include "stats/wait_profile.h"

namespace heddle {

struct KernelStats {
  std::string kernel;
  Dim3 grid, block;
  uint64_t blocks = 0, threads = 0;
  bool interleaved = false;  // a scheduler chose each instruction

  uint64_t thread_instructions = 0;
  uint64_t issue_slots = 0;    // phantom slots included
  uint64_t active_slots = 0;   // active threads summed over issue slots
  uint64_t phantom_slots = 0;  // charged, nothing executed
  uint64_t phantom_threads = 0;
  uint64_t slots_beside = 0;    // slots in the issue cycle of another, on lanes that it left free
  uint64_t predicated_off = 0;  // thread instructions whose guard was false
  uint64_t branches = 0, divergent_branches = 0;
  std::array<uint64_t, 33> active_threads{};  // issue slots by active threads

  // The mechanism's state.
  unsigned deepest = 0;
  uint64_t state_bits_per_warp = 0;
  bool state_constant = false;
  uint64_t likely_merges = 0;     // how often threads met at a likely-convergence point
  std::vector<Counter> counters;  // the mechanism's own

  std::vector<BranchRecord> branch_records;
  std::vector<PcCounts> by_pc;                // if somebody asked; empty under a bound
  std::optional<WaitProfile> waits;           // likewise, at cycle level
  std::optional<CompactionStats> compaction;  // if somebody asked, of a mechanism with a stack per block
  std::optional<DecisionStats> decisions;     // if somebody asked, of a mechanism that waits at branches or does not
  std::optional<TimingStats> timing;          // cycle level
  std::optional<size_t> timed_as;             // the launch that its timing is of, where it was not timed itself

  void issue(uint64_t slots, unsigned active) {
    issue_slots += slots;
    active_slots += slots * active;
    active_threads[active] += slots;
  }
  double simd_efficiency(unsigned warp_size) const {
    const uint64_t offered = (issue_slots - slots_beside) * warp_size;  // lanes
    return offered == 0 ? 0 : static_cast<double>(active_slots) / static_cast<double>(offered);
  }
  double branch_efficiency() const {
    return branches == 0 ? 1 : 1 - static_cast<double>(divergent_branches) / static_cast<double>(branches);
  }
  double ipc() const { return timing ? timing->ipc(thread_instructions) : 0; }
  bool operator==(const KernelStats&) const = default;
  void add(const KernelStats& other);  // for the total over launches; names, branch records and counts by PC stay
  // What as many thread instructions would take on lanes that are never idle: the bound of every mechanism. What
  // describes groups of threads is gone.
  void fill_slots(unsigned warp_size);
};

}  // namespace heddle
