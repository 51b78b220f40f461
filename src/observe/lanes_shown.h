// The threads of a group by lane, as a person is shown them.
#pragma once

#include <vector>

#include "divergence/host.h"

namespace heddle {

// The thread of each lane, numbered within its block; -1 where there is none, and everywhere for a phantom. A mechanism
// that does not keep threads in their lanes fills them in order.
std::vector<int> threads_by_lane(const Host& host, BlockId block, const Group& group);

}  // namespace heddle
