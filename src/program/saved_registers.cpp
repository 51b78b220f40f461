// What a call inside a recursive cycle must save: the registers that are read behind it, as all invocations share them.
#include "program/liveness.h"

namespace heddle {
namespace {

void save(const Kernel& kernel, const Liveness& liveness, CallSite& site, const Accesses& call, RegisterSet wanted) {
  for (const Operand& written : call.writes) wanted.remove(liveness.number_of(written));
  wanted.for_each([&](size_t i) {
    if (liveness.registers()[i].at != kernel.frame.at) site.saved.push_back(liveness.registers()[i]);
  });
}

}  // namespace

void find_saved_registers(Kernel& kernel) {
  if (!kernel.recursive) return;
  const std::vector<Accesses> accesses = accesses_of(kernel);
  const Liveness liveness(kernel, accesses);
  for (CallSite& site : kernel.calls) site.saved.clear();  // of the code as it was
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i) {
    if (!kernel.functions[kernel.blocks[i].function].recursive) continue;
    RegisterSet live = liveness.behind(i);
    for (Pc pc = kernel.blocks[i].end; pc-- > kernel.blocks[i].begin; liveness.step_back(pc, live)) {
      const Instruction& instruction = kernel.code[pc];
      if (instruction.op == Op::Call) save(kernel, liveness, kernel.calls[instruction.table], accesses[pc], live);
    }
  }
}

}  // namespace heddle
