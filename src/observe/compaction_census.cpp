#include "observe/compaction_census.h"

#include "divergence/support/compactor.h"
#include "program/analysis.h"

namespace heddle {
namespace {

// Has some static warp threads on more than one path?
bool divergent(unsigned warp_size, unsigned threads, std::span<const BlockPath> paths) {
  for (unsigned first = 0; first < threads && paths.size() > 1; first += warp_size) {
    const LaneMask warp(LaneMask::first(warp_size).bits() << (first % kRow));
    const auto here = [&](const BlockPath& path) { return !(path.who.row(first / kRow) & warp).empty(); };
    if (std::count_if(paths.begin(), paths.end(), here) > 1) return true;
  }
  return false;
}

}  // namespace

CompactionCensus::CompactionCensus(const Kernel& kernel, bool taint)
    : kernel_(kernel), taint_(taint), branches_(kernel.code.size()) {
  for (auto& quarters : stats_.counts)
    for (PathCounts& counts : quarters) counts.compacted.resize(LaneMap::all().size());
}

void CompactionCensus::branch(const Host& host, BlockId block, Pc branch, Pc meets, std::span<const BlockPath> paths,
                              bool on_data) {
  if (!has_choice(kernel_.code[branch])) return;
  BlockWideCounts counts;
  counts.executed = 1;
  if (divergent(host.warp_size(), host.block(block).threads, paths)) {
    counts.diverged = 1;
    const BranchKind kind = !taint_ ? BranchKind::Unknown : on_data ? BranchKind::Data : BranchKind::Programmatic;
    for (const BlockPath& path : paths)
      if (path.pc != meets) count_path(host, block, path.who, kind, counts);
    counts.compactable = counts.compactable_paths > 0 ? 1 : 0;
    counts.compacted = counts.compacted_paths > 0 ? 1 : 0;
  }
  branches_[branch].add(counts);
}

void CompactionCensus::count_path(const Host& host, BlockId block, const BlockMask& threads, BranchKind kind,
                                  BlockWideCounts& counts) {
  if (lanes_.empty()) place_lanes(host.warp_size());
  const WarpsNeeded needed = warps_needed(host, block, threads);
  const size_t quarter = std::min<size_t>(3, 4 * threads.count() / host.block(block).threads);
  PathCounts& all = stats_.of(kind)[quarter];
  ++counts.paths;
  ++all.paths;
  if (needed.ideal >= needed.none) return;  // then no lane map can do it either
  ++counts.compactable_paths;
  ++all.compactable;
  counts.compacted_paths += needed.tbc < needed.none ? 1 : 0;
  for (size_t map = 0; map < lanes_.size(); ++map)
    all.compacted[map] += fullest_lane(map, threads) < needed.none ? 1 : 0;
}

void CompactionCensus::place_lanes(unsigned warp_size) {
  for (const LaneMap::Row& map : LaneMap::all()) {
    std::vector<uint8_t>& lanes = lanes_.emplace_back();
    for (unsigned thread = 0; thread < BlockMask::kRows * kRow; ++thread)
      lanes.push_back(static_cast<uint8_t>(map.lane(thread / warp_size, thread % warp_size, warp_size)));
  }
}

unsigned CompactionCensus::fullest_lane(size_t map, const BlockMask& threads) const {
  std::array<unsigned, kRow> by_lane{};
  for_each_thread(threads, [&](unsigned thread) { ++by_lane[lanes_[map][thread]]; });
  return *std::max_element(by_lane.begin(), by_lane.end());
}

}  // namespace heddle
