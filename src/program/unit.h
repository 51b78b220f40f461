// Which unit of a core an instruction needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/instruction.h"

namespace heddle {

// Multiply and Control are apart for machine code alone (machine_cost.h): as PTX, integer products and branches are
// Integer.
enum class Unit : uint8_t { Integer, Single, Double, Special, Memory, Tensor, Multiply, Control, Count_ };
inline constexpr size_t kUnits = static_cast<size_t>(Unit::Count_);

Unit unit_of(const Instruction& instruction);
bool touches_memory(Op op);  // fills Context::access
bool is_mbarrier(Op op);
bool reaches_global(const Instruction& instruction);  // may it touch global memory that threads write?

}  // namespace heddle
