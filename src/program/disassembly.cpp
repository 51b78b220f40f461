#include "program/disassembly.h"

#include <fmt/format.h>

#include "program/analysis.h"
#include "program/barriers.h"

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

// Nodes without a block lead to one.
std::string node_name(const Kernel& kernel, const BarrierPlan& plan, uint32_t node) {
  if (node < kernel.blocks.size()) return fmt::format("B{}", node);
  return fmt::format("the way to {}", node_name(kernel, plan, plan.nodes[node].edges[0].node));
}

std::string barrier_lines(const Kernel& kernel, const BarrierPlan& plan, uint32_t index) {
  constexpr std::string_view kinds[] = {"", ", an extra one", ", of the loop"};
  const BarrierPlan::Node& node = plan.nodes[index];
  std::string text;
  const auto join_text = [&](uint32_t join) {
    return fmt::format("{}{}", node_name(kernel, plan, plan.joins[join].node),
                       kinds[static_cast<size_t>(plan.joins[join].kind)]);
  };
  if (node.joins) text += "        // threads meet here\n";
  for (uint32_t join : node.sets) text += fmt::format("        // sets a barrier at {}\n", join_text(join));
  for (const BarrierPlan::Edge& edge : node.edges)
    for (uint32_t join : edge.leaves)
      text += fmt::format("        // to B{}: leaves the barrier at {}\n", edge.to_block, join_text(join));
  return text;
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
  BarrierPlan plan;
  if (options.barriers) plan = place_barriers(kernel, JoinRule::Assembler);
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
    if (options.barriers) text += barrier_lines(kernel, plan, index);
  }
  if (options.barriers)
    for (uint32_t header : kernel.spin_loops)
      text += fmt::format("\nthe loop at B{} waits for others: its threads yield where a trip begins\n", header);
  return text;
}

}  // namespace heddle
