// Who is issued next: a scheduler chooses among ready warps. It knows nothing of masks.
//
// Life cycle: one per sub-core and launch. choose() is called whenever an instruction can be issued, with the warps
// that may go; the machine may find that the chosen one cannot after all (its unit is busy) and ask again with fewer.
// Then issued() tells which warp went; of warps that go in one cycle, the first. Where a mechanism has wishes
// (Traits::wishes), choose() is only given the warps with the smallest key.
#pragma once

#include "divergence/host.h"

namespace heddle {

class Scheduler {
 public:
  explicit Scheduler(const Host& host) : host_(host) {}
  virtual ~Scheduler() = default;

  virtual WarpId choose(const WarpSet& ready) const = 0;  // one of them; never empty
  // The same, where these are they whom it has chosen from last, and no warp has been opened since.
  virtual WarpId choose_again(const WarpSet& ready) const { return choose(ready); }
  virtual void issued(WarpId warp) = 0;  // at host.now

 protected:
  const Host& host_;
};

}  // namespace heddle
