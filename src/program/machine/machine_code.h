// The machine code of a kernel, as far as its speed depends on it.
//
// A back end is followed in what decides how many machine instructions are issued, and in which order: short sides of
// branches become guarded instructions, loads move up in their basic block, and every instruction is given its cost
// (machine_cost.h): none where it is part of another, several where the machine has no such instruction. What is
// computed is still the PTX, so the results are the same bit for bit.
#pragma once

#include "program/kernel.h"
#include "program/machine/code_options.h"

namespace heddle {

Kernel machine_code(const Kernel& kernel, const CodeOptions& options);

}  // namespace heddle
