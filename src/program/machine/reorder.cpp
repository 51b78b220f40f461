#include "program/machine/reorder.h"

#include "program/block_schedule.h"

namespace heddle {

bool reorder(Kernel& kernel) {
  const std::vector<Accesses> accesses = accesses_of(kernel);
  std::vector<Instruction> code;
  bool changed = false;
  for (const BasicBlock& block : kernel.blocks)
    for (Pc pc : rearranged(kernel, accesses, block)) {
      changed |= pc != code.size();
      code.push_back(kernel.code[pc]);
    }
  kernel.code = std::move(code);
  return changed;
}

}  // namespace heddle
