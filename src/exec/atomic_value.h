// What an atomic leaves in memory, given what was there: values up to 64 bits, zero-extended.
#pragma once

#include <cstdint>

#include "program/instruction.h"

namespace heddle {

uint64_t atomic_value(const Instruction& instruction, bool shared, uint64_t old, uint64_t a, uint64_t b);

}  // namespace heddle
