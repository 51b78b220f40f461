// Which copies are instructions. A register allocator gives both names of a copy one register, unless they are wanted
// at the same time with different values: one of them is written while the other is still to be read. So it is where
// the values of a loop move on from one name to the next; such a copy waits for what it copies.
#pragma once

#include <vector>

#include "program/kernel.h"

namespace heddle {

std::vector<bool> find_copies(const Kernel& kernel);  // by PC

}  // namespace heddle
