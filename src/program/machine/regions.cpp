#include "program/machine/regions.h"

#include <algorithm>

#include "program/analysis.h"

namespace heddle {
namespace {

constexpr uint16_t kMeeting =
    13;  // cycles of a BSYNC, by divisions and roots on the H200 (bench/hardware/lowering/chains)

bool uses_space(const Kernel& kernel, Space space) {
  return std::any_of(kernel.code.begin(), kernel.code.end(), [&](const Instruction& instruction) {
    return touches_memory(instruction.op) && instruction.space == space;
  });
}

}  // namespace

void add_meetings(Kernel& kernel) {
  std::vector<bool> meets(kernel.code.size());
  for (const BasicBlock& block : kernel.blocks) {
    const Pc branch = block.end - 1;
    if (!kernel.may_diverge(branch)) continue;
    const Pc meeting = kernel.reconvergence[branch];
    if (meeting == kNoPc || kernel.code[meeting].op == Op::Exit || meets[meeting]) continue;
    meets[meeting] = true;  // whoever parts later and meets here as well needs no other
    const bool loop = kernel.code[branch].target != kNoPc && kernel.code[branch].target <= branch;
    kernel.costs[loop ? meeting : branch].add(Unit::Control, 1);  // before a loop, not in each trip
    kernel.costs[meeting].add(Unit::Control, 1);
    kernel.costs[meeting].holds = std::max(kernel.costs[meeting].holds, kMeeting);
    ++kernel.costs[meeting].refetches;
  }
}

void add_refetches(Kernel& kernel) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    const Instruction& jump = kernel.code[pc];
    const bool taken = jump.op == Op::Bra && jump.target != kNoPc && (jump.target <= pc || !jump.guarded());
    if (taken && kernel.costs[pc].slots > 0) ++kernel.costs[pc].refetches;
  }
}

void add_prologue(Kernel& kernel) { kernel.costs.front().add(Unit::Memory, uses_space(kernel, Space::Global) ? 2 : 1); }

}  // namespace heddle
