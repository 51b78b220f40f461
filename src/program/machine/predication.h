// Short sides of branches as guarded instructions.
#pragma once

#include "program/kernel.h"

namespace heddle {

// A branch over a basic block, or between two, that meet right behind: where each costs `limit` machine instructions at
// most, its instructions are guarded by the branch's predicate, and the branch is gone. Not where a side has an
// instruction that is guarded already, that writes the predicate, that waits for other threads or is an atomic. Inner
// branches go first, so that what encloses them cannot go.
//
// Reads the analyses and the costs. True: the code has changed, and they must be made again.
bool predicate(Kernel& kernel, unsigned limit);

}  // namespace heddle
