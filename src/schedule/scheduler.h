// Who is issued next: a scheduler chooses among ready warps. It knows nothing of masks.
//
// Life cycle: one per sub-core and launch. choose() is called whenever an instruction can be issued, with the warps
// that may go; the machine may find that the chosen one cannot after all (its unit is busy) and ask again with fewer.
// Then issued() tells which warp went; of warps that go in one cycle, the first. A machine without a clock asks for a
// round of them at once (choose_round()), and tells which of it was the last to go. Where a mechanism has wishes
// (Traits::wishes), only the warps with the smallest key are given.
#pragma once

#include <span>

#include "divergence/host.h"

namespace heddle {

class Scheduler {
 public:
  explicit Scheduler(const Host& host) : host_(host) {}
  virtual ~Scheduler() = default;

  virtual WarpId choose(const WarpSet& ready) const = 0;  // one of them; never empty
  virtual void issued(WarpId warp) = 0;
  // Whom it would choose from these one after the other, each issued before the next is chosen, by their positions
  // (Host::position); as many as it knows, at least one: who knows more needs to hear of the last of them only. Good
  // until it is asked or told something.
  virtual std::span<const uint32_t> choose_round(const WarpSet& ready) {
    only_ = host_.position(choose(ready));
    return {&only_, 1};
  }

 protected:
  const Host& host_;

 private:
  uint32_t only_ = 0;
};

}  // namespace heddle
