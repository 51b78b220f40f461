#include "report/profile/blame.h"

#include <algorithm>

namespace heddle {
namespace {

// A branch at which threads diverged: the blocks between it and where they meet again.
struct Region {
  Pc branch;
  std::vector<bool> blocks;
  size_t size = 0;
  double threads = 0;  // per slot, that came to it
};

double active_per_slot(const PcCounts& counts) {
  return counts.slots == 0 ? 0 : static_cast<double>(counts.active) / static_cast<double>(counts.slots);
}

// Threads per slot at the end of the block from which the region is entered: the branch's own, or, of a loop, the last
// one before it.
double threads_of(const Kernel& kernel, std::span<const PcCounts> counts, const Region& region) {
  auto block = static_cast<int32_t>(kernel.block_of[region.branch]);
  while (block >= 0 && region.blocks[static_cast<size_t>(block)])
    block = kernel.blocks[static_cast<size_t>(block)].dominator;
  const Pc at = block < 0 ? kernel.function_at(region.branch).begin : kernel.blocks[static_cast<size_t>(block)].end - 1;
  return active_per_slot(counts[at]);
}

Region region_of(const Kernel& kernel, std::span<const PcCounts> counts, Pc branch) {
  Region region{branch, blocks_inside(kernel, branch)};
  region.size = static_cast<size_t>(std::count(region.blocks.begin(), region.blocks.end(), true));
  region.threads = threads_of(kernel, counts, region);
  return region;
}

std::vector<Region> regions_of(const Kernel& kernel, std::span<const PcCounts> counts,
                               std::span<const BranchRecord> branches) {
  std::vector<Region> regions;
  for (const BranchRecord& record : branches)
    if (record.diverged > 0) regions.push_back(region_of(kernel, counts, record.pc));
  std::stable_sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) { return a.size > b.size; });
  return regions;
}

}  // namespace

std::vector<bool> blocks_inside(const Kernel& kernel, Pc branch) {
  std::vector<bool> inside(kernel.blocks.size());
  const Pc meet = kernel.reconvergence[branch];
  const int64_t end = meet == kNoPc ? -1 : static_cast<int64_t>(kernel.block_of[meet]);
  std::vector<uint32_t> open = kernel.blocks[kernel.block_of[branch]].successors;
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    if (block == end || inside[block]) continue;
    inside[block] = true;
    const auto& successors = kernel.blocks[block].successors;
    open.insert(open.end(), successors.begin(), successors.end());
  }
  return inside;
}

Blame blame(const Kernel& kernel, std::span<const PcCounts> counts, std::span<const BranchRecord> branches,
            unsigned warp_size) {
  Blame result{std::vector<double>(kernel.code.size()), 0};
  const std::vector<Region> regions = regions_of(kernel, counts, branches);
  for (Pc pc = 0; pc < counts.size(); ++pc) {
    if (counts[pc].slots == 0) continue;
    const auto slots = static_cast<double>(counts[pc].slots);
    const double active = active_per_slot(counts[pc]);
    double before = warp_size;
    double* guilty = &result.nobody;
    for (const Region& region : regions) {
      if (!region.blocks[kernel.block_of[pc]]) continue;
      const double here = std::max(active, std::min(before, region.threads));
      *guilty += slots * (before - here);
      before = here;
      guilty = &result.branches[region.branch];
    }
    *guilty += slots * (before - active);
  }
  return result;
}

}  // namespace heddle
