// Registers, numbers and instructions that the text does not have.
#pragma once

#include <initializer_list>

#include "program/kernel.h"

namespace heddle {

// A register that nothing else uses; of no bytes: a predicate.
Operand new_register(Kernel& kernel, unsigned bytes);
Operand new_number(Kernel& kernel, uint64_t bits, unsigned bytes);
// It stands where `beside` does in the text.
Instruction made(const Instruction& beside, Op op, Type type, std::initializer_list<Operand> results,
                 std::initializer_list<Operand> sources);

}  // namespace heddle
