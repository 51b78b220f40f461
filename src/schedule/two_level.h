// two-level: fetch groups (Narasiman et al., 2010, 4). Warps are grouped in the order of the warp table, fetch_group to
// a group, splits with their parents; a group has priority as long as one of its warps is ready, so that groups reach
// their long stalls one after the other.
//
// Inside a group round robin, with a pointer that the group keeps while others have priority. When no warp of the
// group is ready the next group, round robin, takes over in the same cycle. Nothing moves when nothing is ready. With
// one group for all it is rr.
#pragma once

#include <algorithm>
#include <vector>

#include "config/config.h"
#include "schedule/scheduler.h"

namespace heddle {

class TwoLevel : public Scheduler {
 public:
  static constexpr Key kKeys[] = {
      {"fetch_group", Key::Kind::Integer, "8", "two-level: warps of a fetch group", "1 1024"},
  };
  TwoLevel(const Host& host, const Config& config)
      : Scheduler(host), size_(static_cast<unsigned>(config.integer("fetch_group"))) {}

  WarpId choose(const WarpSet& ready) const override;
  void issued(WarpId warp) override;

 private:
  unsigned group_of(WarpId id) const { return host_.warp(id).parent / size_; }
  uint32_t first_of(unsigned group) const { return std::min(group * size_, 0xffffU) << 16; }  // as Host::position_after
  WarpId choose_in(unsigned group, const WarpSet& ready) const;                               // kNoWarp: none is ready

  const unsigned size_;
  unsigned group_ = 0;          // has priority
  std::vector<uint32_t> next_;  // by group: Host::position_after
};

}  // namespace heddle
