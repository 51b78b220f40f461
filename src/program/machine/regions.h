// Machine instructions that stand for no PTX instruction: what a kernel begins with, and the ones that part and join
// the threads of a warp.
#pragma once

#include "program/kernel.h"

namespace heddle {

// Adds them to the costs of the instructions they stand beside: a branch at which threads may part is preceded by one
// that names the place where they meet (BSSY), and there each waits for the others (BSYNC). Where all that is left is
// to exit, nobody waits.
void add_meetings(Kernel& kernel);
// What is fetched behind a jump is thrown away, and its place at the port is lost: a cycle (branch.trip.full,
// rate.sqrt.rn.f32). Jumps are those that have no choice, and those that lead back, which mostly do.
void add_refetches(Kernel& kernel);
// The stack pointer and the descriptor of global memory.
void add_prologue(Kernel& kernel);

}  // namespace heddle
