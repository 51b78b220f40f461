// Joins that do not keep a thread from the store that others spin for.
//
// Threads that leave a spin loop (Kernel::spin_loops) wait at its end for those that spin; if one of them was to give
// back the lock behind that place, nobody goes on. So the join of every branch that has a spin loop between it and its
// join is moved along the chain of post-dominators to the first place from which no releasing store can be reached.
// Releasing is whatever may end a loop of a program without races: atomics, and stores that are volatile, relaxed or
// release, to memory that others see. Which of them writes what the loop reads is not asked; so it may be moved too
// far, never too little. Branches around the loop are moved with it, so that joins stay nested.
//
// Functions are looked at one by one: a call counts as a releasing store, what a caller does behind it is not seen.
#pragma once

#include <vector>

#include "program/kernel.h"

namespace heddle {

// By PC of a branch, as Kernel::reconvergence. A place behind a store may be in the middle of a block.
std::vector<Pc> delayed_joins(const Kernel& kernel);

}  // namespace heddle
