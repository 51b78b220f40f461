// tesla: the explicit stack that the stack-less paper measures itself against (Coon and Lindholm, US patent 7353369;
// Collange 2011, sections 2.1 and 5.2). As pdom, but a path that comes to a join point has been fetched there before it
// is seen to have arrived: it spends one issue slot with its own mask, then it is popped, and the join is issued once
// more for the reunited warp. A path that starts at the join spends its slot too, at once, before the other paths run.
// The slots are phantoms: they count their threads, but no thread instructions. A call's return is no join.
#pragma once

#include "divergence/mechanisms/pdom.h"

namespace heddle {

class Tesla : public Pdom {
 public:
  explicit Tesla(Host& host) : Pdom(host, {.join_slots = true}) {}
};

}  // namespace heddle
