// Basic blocks and their edges.
#include <algorithm>

#include "program/analysis.h"

namespace heddle {
namespace {

bool ends_block(const Instruction& instruction) {
  return instruction.flow == Flow::Branch && instruction.op != Op::Call;
}

// Where control can go after the instruction at `pc`, inside its function. A call comes back.
std::vector<Pc> successors_of(const Kernel& kernel, Pc pc) {
  const Instruction& instruction = kernel.code[pc];
  switch (instruction.op) {
    case Op::Bra:
      if (!instruction.guarded()) return {instruction.target};
      if (instruction.target == pc + 1) return {pc + 1};
      return {pc + 1, instruction.target};
    case Op::Brx: {
      std::vector<Pc> targets = kernel.tables[instruction.table];
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      return targets;
    }
    case Op::Ret:
    case Op::Exit: return {};
    default: return {pc + 1};
  }
}

std::vector<bool> find_leaders(const Kernel& kernel) {
  std::vector<bool> leader(kernel.code.size() + 1);
  for (const FunctionRange& function : kernel.functions) leader[function.begin] = true;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    if (!ends_block(kernel.code[pc])) continue;
    leader[pc + 1] = true;
    for (Pc next : successors_of(kernel, pc)) leader[next] = true;
  }
  return leader;
}

}  // namespace

void find_blocks(Kernel& kernel) {
  const std::vector<bool> leader = find_leaders(kernel);
  kernel.blocks.clear();
  kernel.block_of.assign(kernel.code.size(), 0);
  for (uint32_t function = 0; function < kernel.functions.size(); ++function) {
    for (Pc pc = kernel.functions[function].begin; pc < kernel.functions[function].end; ++pc) {
      if (leader[pc]) {
        kernel.blocks.emplace_back();
        kernel.blocks.back().begin = pc;
        kernel.blocks.back().function = function;
      }
      kernel.blocks.back().end = pc + 1;
      kernel.block_of[pc] = static_cast<uint32_t>(kernel.blocks.size() - 1);
    }
  }
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i) {
    for (Pc next : successors_of(kernel, kernel.blocks[i].end - 1)) {
      const uint32_t to = kernel.block_of[next];
      kernel.blocks[i].successors.push_back(to);
      kernel.blocks[to].predecessors.push_back(i);
    }
  }
}

}  // namespace heddle
