// Which registers an instruction reads and writes, and whether it chooses.
#include "program/analysis.h"

namespace heddle {

Accesses accesses_of(const Kernel& kernel, const Instruction& instruction) {
  Accesses accesses;
  const auto read = [&](const Operand& operand) {
    if (!operand.constant()) accesses.reads.push_back(operand);
  };
  if (instruction.guarded()) accesses.reads.push_back({instruction.guard, 0, false});
  for (unsigned i = 0; i < instruction.src_count; ++i) read(instruction.src[i]);
  for (unsigned i = 0; i < instruction.dst_count; ++i) accesses.writes.push_back(instruction.dst[i]);
  if (instruction.op == Op::Call || instruction.op == Op::Builtin) {
    const CallSite& site = kernel.calls[instruction.table];
    for (const CallSite::Item& item : site.arguments)
      if (!item.in_frame) read(item.reg);
    for (const CallSite::Item& item : site.results)
      if (!item.in_frame) accesses.writes.push_back(item.reg);
  }
  return accesses;
}

std::vector<Accesses> accesses_of(const Kernel& kernel) {
  std::vector<Accesses> accesses;
  accesses.reserve(kernel.code.size());
  for (const Instruction& instruction : kernel.code) accesses.push_back(accesses_of(kernel, instruction));
  return accesses;
}

bool has_choice(const Instruction& instruction) {
  return instruction.op == Op::Brx || (instruction.op == Op::Bra && instruction.guarded());
}

void analyse(Kernel& kernel) {
  find_blocks(kernel);
  find_dominators(kernel);
  find_block_order(kernel);
  find_waiting(kernel);
  find_convergence_points(kernel);
  find_uniform_branches(kernel);
  find_spin_loops(kernel);
  find_structure(kernel);
  find_saved_registers(kernel);
  find_shared_bases(kernel);
  find_address_roots(kernel);
  estimate_registers(kernel);
}

}  // namespace heddle
