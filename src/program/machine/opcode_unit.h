// The units of machine instructions, by their opcode.
#pragma once

#include <string_view>

#include "program/unit.h"

namespace heddle {

Unit unit_of_opcode(std::string_view opcode);  // "IADD3"; Integer where it is none of the known
// Cycles after which another may use what an instruction of this unit writes, as the assembler reckons.
unsigned chain_latency(Unit unit);

}  // namespace heddle
