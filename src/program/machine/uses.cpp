#include "program/machine/uses.h"

namespace heddle {

Uses::Uses(const Kernel& kernel) : kernel_(kernel), registers_(kernel.plane_bytes / 4 + 1) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    const Accesses accesses = accesses_of(kernel, kernel.code[pc]);
    for (const Operand& written : accesses.writes) {
      ++registers_[written.at / 4].writers;
      registers_[written.at / 4].writer = pc;
    }
    for (const Operand& read : accesses.reads) {
      std::vector<Pc>& readers = registers_[read.at / 4].readers;
      if (readers.empty() || readers.back() != pc) readers.push_back(pc);
    }
  }
}

Pc Uses::only_reader(Pc pc) const {
  const Instruction& instruction = kernel_.code[pc];
  if (instruction.dst_count != 1 || writer(instruction.dst[0]) != pc) return kNoPc;
  const std::vector<Pc>& all = readers(instruction.dst[0]);
  return all.size() == 1 ? all[0] : kNoPc;
}

}  // namespace heddle
