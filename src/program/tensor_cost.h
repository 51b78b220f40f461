// What a matrix product takes of the unit that makes it.
#pragma once

#include "program/machine_cost.h"

namespace heddle {

MachineCost tensor_cost(const Instruction& product);  // of Op::Mma

}  // namespace heddle
