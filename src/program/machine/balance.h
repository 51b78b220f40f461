// Instructions that two pipes can do, given to the one that has had less to do in their block: a 32-bit sum and the
// upper half of a 64-bit one are as well multiply-adds by one. Packed half precision goes to the multiply-add pipe and
// to that of double precision in turn.
#pragma once

#include "program/kernel.h"

namespace heddle {

void balance_pipes(Kernel& kernel);

}  // namespace heddle
