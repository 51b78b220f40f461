#include "program/disassembly.h"

#include <fmt/format.h>

#include "program/analysis.h"

namespace heddle {
namespace {

constexpr size_t kTextWidth = 56;  // where notes start

std::string joined_facts(const std::vector<std::string>& facts) {
  std::string text;
  for (const std::string& fact : facts) text += fmt::format("{}{}", text.empty() ? "" : ", ", fact);
  return text;
}

std::string slot_text(const Operand& operand) {
  return operand.bytes == 0 ? fmt::format("p@{}", operand.at) : fmt::format("b{}@{}", 8 * operand.bytes, operand.at);
}

std::string slots_text(const Kernel& kernel, Pc pc) {
  const Accesses accesses = accesses_of(kernel, kernel.code[pc]);
  std::string text;
  for (const Operand& operand : accesses.writes) text += fmt::format("{} ", slot_text(operand));
  text += "<-";
  for (const Operand& operand : accesses.reads) text += fmt::format(" {}", slot_text(operand));
  return text;
}

std::string instruction_line(const Kernel& kernel, Pc pc, const DisassemblyOptions& options) {
  const std::string written = instruction_text(kernel, pc);
  std::string notes = branch_facts(kernel, pc);
  if (options.slots) notes += fmt::format("{}{}", notes.empty() ? "" : "; ", slots_text(kernel, pc));
  if (notes.empty()) return fmt::format("{:6}  {}\n", pc, written);
  return fmt::format("{:6}  {:{}}  // {}\n", pc, written, kTextWidth, notes);
}

void append_block(const Kernel& kernel, uint32_t index, const DisassemblyOptions& options, std::string& place,
                  std::string& text) {
  text += fmt::format("  B{}: {}\n", index, joined_facts(block_facts(kernel, index)));
  for (Pc pc = kernel.blocks[index].begin; pc < kernel.blocks[index].end; ++pc) {
    const std::string here = source_place(kernel, pc);
    if (here != place && !here.empty()) text += fmt::format("        // {}\n", here);
    place = here;
    text += instruction_line(kernel, pc, options);
  }
}

}  // namespace

std::string disassembly(const Kernel& kernel, const DisassemblyOptions& options) {
  std::string text = fmt::format("kernel {}\n", kernel.name);
  for (const std::string& fact : kernel_facts(kernel)) text += fmt::format("  {}\n", fact);
  std::string place;
  uint32_t function = 0;
  for (uint32_t index = 0; index < kernel.blocks.size(); ++index) {
    if (kernel.blocks[index].function != function) {
      function = kernel.blocks[index].function;
      const FunctionRange& range = kernel.functions[function];
      text += fmt::format("\nfunction {}: {}\n", range.name, function_facts(range));
    } else {
      text += index == 0 ? "\n" : "";
    }
    append_block(kernel, index, options, place, text);
  }
  return text;
}

}  // namespace heddle
