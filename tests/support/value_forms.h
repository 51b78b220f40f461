// Every value instruction that can be written with a form of the instruction table.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "program/instruction.h"
#include "program/isa.h"

namespace heddle::test {

using Words = std::vector<std::string>;

Words split_words(std::string_view text, char separator);

// What the operands of a form are: a width in bytes, 0 for a predicate or the carry.
struct OperandWidths {
  std::vector<unsigned> destinations, sources;
  unsigned least_destinations = 0, least_sources = 0;  // the others may be missing
};
OperandWidths operand_widths(const Form& form, Type type, Type source_type);

bool is_value(Op op);
// opcode.words as an instruction without operands; a failure of the test if there is no such form.
Instruction instruction_of(std::string_view opcode, const Words& words);
std::string text_of(const Form& form, const Words& words);  // "add.cc.u32"

// Calls f for each combination of modifiers and types, and each number of sources.
void for_each_value_instruction(const std::function<void(const Form&, const Words&, const Instruction&)>& f);

}  // namespace heddle::test
