// What threads have released at places of memory: flags, locks, counters.
#pragma once

#include <unordered_map>

#include "check/clock.h"

namespace heddle::check {

struct SyncVariable {
  Knowledge gpu;       // for everybody
  Knowledge block;     // for threads of one block,
  uint32_t whose = 0;  // this one
};

using SyncVariables = std::unordered_map<uint64_t, SyncVariable>;  // by address

}  // namespace heddle::check
