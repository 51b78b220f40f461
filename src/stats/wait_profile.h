// What is counted of the time of each instruction of a kernel, for a profile at cycle level. Values only.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stats/idle_cause.h"

namespace heddle {

using WaitCycles = std::array<uint64_t, kIdleCauses>;  // by cause

struct AccessCounts {
  uint64_t groups = 0;  // that touched global, local or constant memory
  uint64_t lines = 0, sectors = 0, hits = 0, misses = 0;
  uint64_t shared_groups = 0, bank_passes = 0;  // of shared memory
  int64_t stride = 0;                           // the commonest between neighbouring threads,
  uint64_t strided = 0;                         // and groups that have it,
  uint64_t pairs = 0;                           // of those with at least two threads
  bool operator==(const AccessCounts&) const = default;
  void add(const AccessCounts& other);  // of two strides the commoner stays
};

struct PcTiming {
  WaitCycles waited{};  // cycles without an issue that are charged to it
  // Of these, cycles in which most warps of the core were at a barrier; and of a barrier: cycles without an issue in
  // which they were at this one.
  uint64_t others_at_barrier = 0, behind_barrier = 0;
  uint64_t beside = 0;                             // its issue slots in the cycle of another
  uint64_t completed = 0, cycles_to_complete = 0;  // instructions, and their cycles from issue to completion, summed
  AccessCounts access;

  uint64_t all_waited() const;
  bool operator==(const PcTiming&) const = default;
  void add(const PcTiming& other);
};

struct WaitProfile {
  std::vector<PcTiming> by_pc;
  WaitCycles nobodys{};  // charged to no instruction: no block, a warp being formed, the mechanism
  bool operator==(const WaitProfile&) const = default;
};

}  // namespace heddle
