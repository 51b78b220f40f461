// Loads and stores of shared memory that have their address from one register, as an unrolled loop has them.
#include <algorithm>

#include "program/analysis.h"

namespace heddle {
namespace {

struct Base {
  Operand reg;
  unsigned bytes;
  SharedBase found;
};

bool is_candidate(const Instruction& instruction) {
  return (instruction.op == Op::Ld || instruction.op == Op::St) && instruction.space == Space::Shared &&
         instruction.vector == 1 && !instruction.guarded() && !instruction.src[0].constant() &&
         instruction.src[0].bytes == 4;
}

bool overlap(const Operand& a, const Operand& b) {
  const auto end = [](const Operand& operand) { return operand.at + std::max<uint32_t>(operand.bytes, 1) * kRow; };
  return a.at < end(b) && b.at < end(a);
}

void find_in(Kernel& kernel, const BasicBlock& block) {
  std::vector<Base> bases;
  unsigned count = 0;
  for (Pc pc = block.begin; pc < block.end; ++pc) {
    const Instruction& instruction = kernel.code[pc];
    if (instruction.flow != Flow::Plain) bases.clear();
    if (is_candidate(instruction)) {
      const unsigned bytes = bytes_of(instruction.type);
      const auto same = [&](const Base& base) { return base.reg == instruction.src[0] && base.bytes == bytes; };
      const auto known = std::find_if(bases.begin(), bases.end(), same);
      if (known == bases.end()) {
        bases.push_back({instruction.src[0], bytes, {pc, static_cast<uint8_t>(count++ % SharedBase::kSlots)}});
      } else {
        kernel.shared_bases[pc] = kernel.shared_bases[known->found.head] = known->found;
      }
    }
    for (const Operand& written : accesses_of(kernel, instruction).writes)
      std::erase_if(bases, [&](const Base& base) { return overlap(base.reg, written); });
  }
}

}  // namespace

void find_shared_bases(Kernel& kernel) {
  kernel.shared_bases.assign(kernel.code.size(), {});
  for (const BasicBlock& block : kernel.blocks) find_in(kernel, block);
}

}  // namespace heddle
