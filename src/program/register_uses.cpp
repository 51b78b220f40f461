#include "program/register_uses.h"

#include "program/analysis.h"

namespace heddle {

RegisterUses::RegisterUses(const Kernel& kernel) {
  for (const Instruction& instruction : kernel.code) {
    const Accesses accesses = accesses_of(kernel, instruction);
    std::vector<uint32_t> writes, all;
    for (const Operand& operand : accesses.writes) writes.push_back(operand.at);
    all = writes;
    for (const Operand& operand : accesses.reads) all.push_back(operand.at);
    uint64_t mark = 0;
    for (const uint32_t name : all) mark |= mark_of(name);
    marks.push_back(mark);
    used.push_back(std::move(all));
    written.push_back(std::move(writes));
  }
}

}  // namespace heddle
