#include "stats/compaction_stats.h"

#include <algorithm>

namespace heddle {

void PathCounts::add(const PathCounts& other) {
  paths += other.paths;
  compactable += other.compactable;
  compacted.resize(std::max(compacted.size(), other.compacted.size()));
  for (size_t i = 0; i < other.compacted.size(); ++i) compacted[i] += other.compacted[i];
}

PathCounts CompactionStats::sum(BranchKind kind) const {
  PathCounts all;
  for (const PathCounts& quarter : of(kind)) all.add(quarter);
  return all;
}

PathCounts CompactionStats::sum() const {
  PathCounts all;
  for (BranchKind kind : {BranchKind::Unknown, BranchKind::Programmatic, BranchKind::Data}) all.add(sum(kind));
  return all;
}

void CompactionStats::add(const CompactionStats& other) {
  for (size_t kind = 0; kind < kKinds; ++kind)
    for (size_t quarter = 0; quarter < kQuarters; ++quarter) counts[kind][quarter].add(other.counts[kind][quarter]);
}

}  // namespace heddle
