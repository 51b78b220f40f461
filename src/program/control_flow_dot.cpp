#include <fmt/format.h>

#include "program/disassembly.h"

namespace heddle {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// A line of a label, to the left.
std::string line(std::string_view text) { return escaped(text) + "\\l"; }

std::string label_of(const Kernel& kernel, uint32_t index) {
  std::string label = fmt::format("B{}\\l", index);
  const std::vector<std::string> facts = block_facts(kernel, index);
  for (size_t i = 2; i < facts.size(); ++i) label += line(facts[i]);  // edges show the first two
  std::string place;
  for (Pc pc = kernel.blocks[index].begin; pc < kernel.blocks[index].end; ++pc) {
    const std::string here = source_place(kernel, pc);
    if (here != place && !here.empty()) label += line(fmt::format("// {}", here));
    place = here;
    label += line(fmt::format("{}  {}", pc, instruction_text(kernel, pc)));
    if (const std::string facts_of_branch = branch_facts(kernel, pc); !facts_of_branch.empty())
      label += line(fmt::format("      {}", facts_of_branch));
  }
  return label;
}

void append_edges(const Kernel& kernel, uint32_t index, std::string& text) {
  const BasicBlock& block = kernel.blocks[index];
  const Instruction& last = kernel.code[block.end - 1];
  for (uint32_t next : block.successors) {
    const bool conditional = block.successors.size() > 1 && last.op == Op::Bra;
    const char* way = !conditional ? "" : kernel.blocks[next].begin == last.target ? "taken" : "falls through";
    text += fmt::format("  B{} -> B{} [label=\"{}\"];\n", index, next, way);
  }
  for (Pc pc = block.begin; pc < block.end; ++pc)
    if (kernel.code[pc].op == Op::Call && kernel.code[pc].target != kNoPc)
      text +=
          fmt::format("  B{} -> B{} [style=dotted, label=\"call\"];\n", index, kernel.block_of[kernel.code[pc].target]);
}

}  // namespace

std::string control_flow_dot(const Kernel& kernel) {
  std::string header = line(fmt::format("kernel {}", kernel.name));
  for (const std::string& fact : kernel_facts(kernel)) header += line(fact);
  std::string text = fmt::format(
      "digraph \"{}\" {{\n  node [shape=box, fontname=monospace, fontsize=10];\n"
      "  label=\"{}\"; labelloc=t; labeljust=l; fontname=monospace;\n",
      escaped(kernel.name), header);
  for (uint32_t f = 0; f < kernel.functions.size(); ++f) {
    const FunctionRange& function = kernel.functions[f];
    text += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", f,
                        f == 0 ? escaped(function.name) : line(function.name) + line(function_facts(function)));
    for (uint32_t i = 0; i < kernel.blocks.size(); ++i)
      if (kernel.blocks[i].function == f) text += fmt::format("    B{} [label=\"{}\"];\n", i, label_of(kernel, i));
    text += "  }\n";
  }
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i) append_edges(kernel, i, text);
  return text + "}\n";
}

}  // namespace heddle
