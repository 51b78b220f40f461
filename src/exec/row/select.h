// Row forms by theme, the fast ones for plain values and memory; null where the theme does not know the instruction.
#pragma once

#include "exec/context.h"

namespace heddle {

Handler select_row_integer(const Instruction& instruction);
Handler select_row_float(const Instruction& instruction);
Handler select_row_approximate(const Instruction& instruction);
Handler select_row_logic(const Instruction& instruction);
Handler select_row_memory(const Instruction& instruction);
Handler select_row_atomic(const Instruction& instruction);

}  // namespace heddle
