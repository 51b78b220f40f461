#include "program/machine/operand_reads.h"

#include <algorithm>

#include "program/machine/cost_table.h"

namespace heddle {
namespace {

constexpr unsigned kKeptFor = 6;  // instructions

bool multiplies_and_adds(const Instruction& instruction) {
  return (instruction.op == Op::Fma || instruction.op == Op::Mad) && instruction.type == Type::F64;
}

// Factors stand in either place.
bool keeps(const Instruction& before, unsigned place, const Operand& operand) {
  if (place == 2) return before.src[2] == operand;
  return before.src[0] == operand || before.src[1] == operand;
}

// That it reads, each once, behind `before`, if that is no null.
unsigned registers_read(const Instruction& instruction, const Instruction* before) {
  unsigned read = 0;
  for (unsigned place = 0; place < 3; ++place) {
    const Operand& operand = instruction.src[place];
    const bool kept = before && keeps(*before, place, operand) && before->dst[0] != operand;
    const auto first = instruction.src.begin(), here = first + place;
    if (!operand.constant() && !kept && std::find(first, here, operand) == here) ++read;
  }
  return read;
}

}  // namespace

void find_third_reads(Kernel& kernel) {
  static const MachineCost kOne = one_slot(Unit::Double);
  for (const BasicBlock& block : kernel.blocks) {
    const Instruction* before = nullptr;
    unsigned kept_for = 0;
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      MachineCost& cost = kernel.costs[pc];
      if (cost.slots == 0) continue;
      if (cost != kOne || !multiplies_and_adds(kernel.code[pc])) {
        before = nullptr;
        continue;
      }
      if (!before || kept_for == kKeptFor) {
        before = nullptr;
        kept_for = 0;
      }
      cost.third_reads = registers_read(kernel.code[pc], before) == 3 ? 1 : 0;
      before = &kernel.code[pc];
      ++kept_for;
    }
  }
}

}  // namespace heddle
