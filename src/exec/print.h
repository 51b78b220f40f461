// The functions the driver provides to kernels: printf, assert, malloc and free.
#pragma once

#include "exec/context.h"

namespace heddle {

void call_builtin(Context& context, const Instruction& instruction, const Lanes& lanes);

}  // namespace heddle
