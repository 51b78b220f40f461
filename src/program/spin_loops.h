// Loops that wait for what others write: their exit depends on a value that the loop itself gets by an atomic or by a
// load that may not be taken from a register (volatile, relaxed, acquire). Who spins there must let others run.
#pragma once

#include <vector>

#include "program/kernel.h"

namespace heddle {

// Their headers, by block. Without loops whose exit is proven to be taken by all or none.
std::vector<uint32_t> find_spin_loops(const Kernel& kernel);

}  // namespace heddle
