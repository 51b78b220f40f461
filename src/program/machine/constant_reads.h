// Machine instructions that bring parameters, sizes of the launch and the base of shared memory to those that use them.
#pragma once

#include "program/machine/cost_table.h"

namespace heddle {

// Where instructions do not read constant memory themselves, a back end reads it again in every basic block that needs
// it, rather than to hold registers; before an innermost loop, for what is needed in every trip of it. The cost goes to
// the first instruction of the block that uses it.
void add_constant_reads(Kernel& kernel, const CostTable& table);

}  // namespace heddle
