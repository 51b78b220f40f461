// SIMD lane permutation (Rhu and Erez, ISCA 2013): which physical lane a thread of a static warp is wired to.
// Compaction may not move a thread out of its lane; a permutation decides which threads compete for one.
//
// A map is a row of kMaps in lane_map.cpp (docs/adding-a-lane-map.md). With w' = static warp index mod W, l = logical
// lane:
//   none          l
//   odd_even      odd w': l ^ 1
//   flip_odd      odd w': l ^ (W-1)
//   xor_half      odd w': l ^ (W/2)
//   rotate_odd_1  odd w': (l + 1) mod W
//   random        l ^ r(w), r from a fixed seed
//   wid           l ^ w'
//   rev_wid       l ^ bit-reversed w'
//   balanced      even w': l ^ (w'/2);  odd w': l ^ (W-1-(w'-1)/2)
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace heddle {

class LaneMap {
 public:
  struct Row {
    std::string_view name, summary;
    unsigned (*lane)(unsigned warp, unsigned lane, unsigned width);
  };
  static std::span<const Row> all();
  static LaneMap named(std::string_view name);  // Error (Usage) that lists the names
  static LaneMap none() { return LaneMap(all()[0]); }

  unsigned lane(unsigned warp, unsigned lane, unsigned width) const { return row_->lane(warp, lane, width); }
  std::string_view name() const { return row_->name; }

 private:
  explicit LaneMap(const Row& row) : row_(&row) {}
  const Row* row_;
};

}  // namespace heddle
