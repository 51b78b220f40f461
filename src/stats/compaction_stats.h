// How well the paths of divergent branches compact (Rhu and Erez, ISCA 2013, figures 6, 11, 12 and 13). Values only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/branch_record.h"

namespace heddle {

// Block-wide paths of divergent branches: each of them, every time.
struct PathCounts {
  uint64_t paths = 0;
  uint64_t compactable = 0;         // if threads could change lanes: NW_ideal < NW_none
  std::vector<uint64_t> compacted;  // in their home lanes, by lane map (LaneMap::all()): NW_tbc < NW_none

  bool operator==(const PathCounts&) const = default;
  void add(const PathCounts& other);
};

struct CompactionStats {
  static constexpr size_t kKinds = 3, kQuarters = 4;

  // By what the branch depends on, and by the share of the block's threads on the path: below a quarter, a half, three
  // quarters, and from there to all of them.
  std::array<std::array<PathCounts, kQuarters>, kKinds> counts;

  std::array<PathCounts, kQuarters>& of(BranchKind kind) { return counts[static_cast<size_t>(kind)]; }
  const std::array<PathCounts, kQuarters>& of(BranchKind kind) const { return counts[static_cast<size_t>(kind)]; }
  PathCounts sum(BranchKind kind) const;
  PathCounts sum() const;
  bool operator==(const CompactionStats&) const = default;
  void add(const CompactionStats& other);
};

}  // namespace heddle
