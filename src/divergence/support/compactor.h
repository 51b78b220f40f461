// Forming warps from a set of threads of one block: the thread compactor of Fung and Aamodt (HPCA 2011, figure 9) and
// the sub-warping logic of Narasiman et al. (2010, figure 7), which are the same rule.
//
// Every lane has a priority encoder over the threads that are at home in it. The i-th warp takes from each lane the
// i-th of its threads, lowest number first; no thread ever leaves its home lane. A full set gives the static warps
// back, whatever the lane map.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "divergence/host.h"
#include "divergence/support/block_mask.h"

namespace heddle {

// How many warps a set of threads needs.
struct WarpsNeeded {
  unsigned none = 0;   // uncompacted: static warps with at least one of them
  unsigned tbc = 0;    // home lanes kept: the most threads of any one lane
  unsigned ideal = 0;  // threads may change lane
  bool operator==(const WarpsNeeded&) const = default;
};
WarpsNeeded warps_needed(const Host& host, BlockId block, const BlockMask& threads);
unsigned compacted_warps(const Host& host, BlockId block, const BlockMask& threads);  // WarpsNeeded::tbc alone

// The warps formed last. Threads of one static warp are a Rows group, others a List by lane, which points into here.
class Compactor {
 public:
  enum class Rule : uint8_t { HomeLanes, StaticWarps, AnyLane };
  std::span<const Group> form(Rule rule, const Host& host, BlockId block, const BlockMask& threads);
  std::span<const Group> compact(const Host& host, BlockId block, const BlockMask& threads);
  // Without compaction: each static warp with its own threads of the set.
  std::span<const Group> keep_static(const Host& host, BlockId block, const BlockMask& threads);
  // As if threads could change lane: full warps, lowest threads first.
  std::span<const Group> pack(const Host& host, BlockId block, const BlockMask& threads);
  std::span<const Group> formed() const { return formed_; }
  // Of the warps that form() would give: how many threads each has,
  std::span<const uint8_t> sizes(Rule rule, const Host& host, BlockId block, const BlockMask& threads);
  // and whether it has some of `chosen`, and others.
  std::span<const bool> divides(Rule rule, const Host& host, BlockId block, const BlockMask& threads,
                                const BlockMask& chosen);

 private:
  struct Forming {
    std::array<Hw, kRow> threads{};  // by lane
    LaneMask lanes;
    unsigned row = 0;    // of the first,
    LaneMask places;     // the same threads by their places in it,
    unsigned from = 0;   // and its static warp
    bool mixed = false;  // of more than one static warp
  };
  void take(size_t index, LaneMask lanes, unsigned row, LaneMask places, unsigned static_warp);
  template <class F>
  void for_each_part(Rule rule, const Host& host, BlockId block, const BlockMask& threads, F&& f);
  void take_rows(const Host& host, BlockId block, const BlockMask& threads);
  void take_mapped(const Host& host, BlockId block, const BlockMask& threads);
  void learn_lanes(const Host& host, BlockId block);
  std::span<const Group> finish();

  std::vector<uint8_t> lane_of_;  // by a thread's number in its block; the same for all blocks
  std::vector<Forming> forming_;
  std::vector<Hw> packed_;
  std::vector<Group> formed_;
  static constexpr size_t kMost = size_t{BlockMask::kRows} * kRow;  // warps
  std::array<uint8_t, kMost> sizes_{};
  struct Sides {
    LaneMask chosen, others;
  };
  std::vector<Sides> sides_;
  std::array<bool, kMost> divided_{};
};

}  // namespace heddle
