// Which unit of a core an instruction needs.
#pragma once

#include <cstdint>
#include <string_view>

#include "program/instruction.h"

namespace heddle {

enum class Unit : uint8_t { Integer, Single, Double, Special, Memory, Count_ };
inline constexpr size_t kUnits = static_cast<size_t>(Unit::Count_);

Unit unit_of(const Instruction& instruction);
bool touches_memory(Op op);  // fills Context::access

}  // namespace heddle
