// What a mechanism finds on the machine it runs on: the warp table of a core, its blocks, the kernel, the clock.
// A plain object, so that a test can drive a mechanism by hand.
#pragma once

#include <array>
#include <vector>

#include "divergence/lane_map.h"
#include "divergence/warp.h"
#include "program/kernel.h"

namespace heddle {

struct BlockShape {
  Hw first = 0;  // the block owns first … first + threads - 1; first is the start of a row
  unsigned threads = 0;
  uint64_t order = 0;  // blocks are numbered as they start
};

class Host {
 public:
  Host(const Kernel& kernel, unsigned warp_size, LaneMap lanes = LaneMap::none())
      : kernel_(kernel), warp_size_(warp_size), lanes_(lanes) {}

  const Kernel& kernel() const { return kernel_; }
  unsigned warp_size() const { return warp_size_; }
  unsigned warps_of(const BlockShape& block) const { return (block.threads + warp_size_ - 1) / warp_size_; }

  // Warps. References are good until the next open().
  Warp& warp(WarpId id) { return warps_[id]; }
  const Warp& warp(WarpId id) const { return warps_[id]; }
  WarpId size() const { return static_cast<WarpId>(warps_.size()); }
  WarpId open(BlockSlot block, Pc pc, const Group& group);  // Ready; a List's threads are copied
  void close(WarpId id);
  void set_group(WarpId id, const Group& group);  // a List's threads are copied

  // Blocks and threads.
  void start_block(BlockSlot slot, const BlockShape& shape);
  const BlockShape& block(BlockSlot slot) const { return blocks_[slot]; }
  Group static_warp(BlockSlot slot, unsigned index) const;  // threads W·index … of the block, as a row group
  bool alive(Hw thread) const { return alive_[thread / kRow].has(thread % kRow); }
  LaneMask alive_row(unsigned row) const { return alive_[row]; }
  void exit(Hw thread) { alive_[thread / kRow].remove(thread % kRow); }
  // The lane a thread must run in.
  unsigned home_lane(BlockSlot slot, Hw thread) const {
    const unsigned id = static_cast<unsigned>(thread) - blocks_[slot].first;
    return lanes_.lane(id / warp_size_, id % warp_size_, warp_size_);
  }

  Cycle now = 0;

 private:
  const Kernel& kernel_;
  unsigned warp_size_;
  LaneMap lanes_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<std::array<Hw, kRow>>> lists_;  // by warp: storage of List groups
  std::vector<WarpId> free_;
  uint64_t opened_ = 0;
  std::vector<BlockShape> blocks_;
  std::vector<LaneMask> alive_;  // by row
};

}  // namespace heddle
