#include "program/register_uses.h"

#include <utility>

#include "program/analysis.h"

namespace heddle {

RegisterUses::RegisterUses(const Kernel& kernel) {
  for (const Instruction& instruction : kernel.code) {
    const Accesses accesses = accesses_of(kernel, instruction);
    std::vector<uint32_t> writes, reads;
    for (const Operand& operand : accesses.writes) writes.push_back(operand.at);
    for (const Operand& operand : accesses.reads) reads.push_back(operand.at);
    add(writes, reads);
  }
}

void RegisterUses::add(const std::vector<uint32_t>& writes, const std::vector<uint32_t>& reads) {
  std::vector<uint32_t> all = writes;
  all.insert(all.end(), reads.begin(), reads.end());
  uint64_t mark = 0;
  for (const uint32_t name : all) mark |= mark_of(name);
  marks.push_back(mark);
  used.push_back(std::move(all));
  written.push_back(writes);
}

}  // namespace heddle
