// Who goes beside a warp, where that is a matter of its own static warp: it stays so until something of its kin
// changes.
#pragma once

#include <vector>

#include "divergence/host.h"

namespace heddle {

class KnownCompanions {
 public:
  explicit KnownCompanions(const Host& host) : host_(host) {}
  bool knows(WarpId id) const { return id < known_.size() && known_[id].at == host_.kin_changes(id); }
  WarpId of(WarpId id) const { return known_[id].companion; }
  void note(WarpId id, WarpId companion) {
    if (known_.size() <= id) known_.resize(id + 1U);
    known_[id] = {companion, host_.kin_changes(id)};
  }

 private:
  struct Known {
    WarpId companion = kNoWarp;
    uint64_t at = ~uint64_t{0};  // Host::kin_changes
  };
  const Host& host_;
  std::vector<Known> known_;  // by warp
};

}  // namespace heddle
