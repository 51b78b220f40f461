// The functions the driver provides to kernels: printf and assert.
#pragma once

#include "exec/context.h"

namespace heddle {

void call_builtin(Context& context, const Instruction& instruction, const Lanes& lanes);

}  // namespace heddle
