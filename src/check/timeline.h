// The segments of all warps of a GPU, in the order in which they began. One for all cores and launches.
//
// What earlier launches did is ordered before the launch that begins, but for those that are said to be in no order
// with it: launches of streams that do not wait for each other. Launches that nobody has waited for yet are remembered,
// the last few of them.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "check/segment.h"
#include "exec/context.h"

namespace heddle::check {

// Which of the launches before it, by their numbers, a launch is in no order with.
struct LaunchOrder {
  size_t number = 0;              // its own
  size_t settled = 0;             // those before this one are ordered before every launch to come
  std::vector<size_t> unordered;  // of the others
};

// A launch as it is remembered.
struct LaunchPast {
  std::shared_ptr<const Kernel> kernel;
  LaunchInfo launch;
  size_t number = 0;
  Segment after = 0;  // its segments begin behind this
  bool ordered = true;
  uint32_t warps_per_block() const { return static_cast<uint32_t>((launch.block.count() + kRow - 1) / kRow); }
};

class Timeline {
 public:
  // True: numbers have begun anew, and what was noted under the old ones must go.
  bool start_launch(std::shared_ptr<const Kernel> kernel, const LaunchInfo& launch, const LaunchOrder& order);

  // Whatever was done up to here is ordered before this launch.
  Segment floor() const { return floor_; }
  bool of_this_launch(Segment segment) const { return segment > before_; }
  // Of a segment of an earlier launch.
  const LaunchPast& launch_of(Segment segment) const;

  Segment now() const { return now_; }
  Segment open(uint32_t warp) {
    warps_.push_back(warp);
    return ++now_;
  }
  // The warp in its own grid.
  uint32_t warp_of(Segment segment) const { return warps_[segment - forgotten_ - 1]; }
  // Of this launch.
  uint32_t block_of(uint32_t warp) const { return warp / warps_per_block_; }
  Threads threads(Segment segment, LaneMask lanes) const {
    const uint32_t warp = warp_of(segment);
    return {block_of(warp), warp, lanes};
  }

 private:
  static constexpr Segment kMost = Segment{1} << 31;  // a launch has room for as many more
  static constexpr size_t kMostPast = 64, kMostWarps = size_t{1} << 24;

  void forget_settled(size_t settled);

  Segment now_ = 1, before_ = 1;  // 1 is nobody's, so that nothing is known up to it
  Segment floor_ = 1, forgotten_ = 1;
  uint32_t warps_per_block_ = 1;
  std::vector<uint32_t> warps_;  // by segment, from the first that is not forgotten on
  std::deque<LaunchPast> past_;  // the last is this launch
};

}  // namespace heddle::check
