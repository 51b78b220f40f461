#include "program/spin_loops.h"

#include <algorithm>

#include "program/analysis.h"

namespace heddle {
namespace {

bool asks_others(const Instruction& instruction) {
  if (instruction.op == Op::Atom) return instruction.dst_count > 0;
  if (instruction.op != Op::Ld) return false;
  const bool shared_by_others = instruction.space == Space::Global || instruction.space == Space::Shared ||
                                instruction.space == Space::None;
  return shared_by_others &&
         (instruction.has(Mod::Volatile) || instruction.has(Mod::Relaxed) || instruction.has(Mod::Acquire));
}

// All back edges to a header make one loop.
std::vector<bool> body_of(const Kernel& kernel, uint32_t header) {
  std::vector<bool> body;
  std::vector<uint32_t> work;
  for (uint32_t latch : kernel.blocks[header].predecessors)
    if (dominates(kernel, header, latch)) work.push_back(latch);
  if (work.empty()) return body;
  body.assign(kernel.blocks.size(), false);
  body[header] = true;
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (body[at]) continue;
    body[at] = true;
    work.insert(work.end(), kernel.blocks[at].predecessors.begin(), kernel.blocks[at].predecessors.end());
  }
  return body;
}

template <class F>
void for_each_instruction(const Kernel& kernel, const std::vector<bool>& body, F&& f) {
  for (uint32_t block = 0; block < body.size(); ++block)
    if (body[block])
      for (Pc pc = kernel.blocks[block].begin; pc < kernel.blocks[block].end; ++pc) f(pc, kernel.code[pc]);
}

// By slot of the register plane: does its value come from others, inside the loop?
std::vector<bool> from_others(const Kernel& kernel, const std::vector<bool>& body) {
  std::vector<bool> slots(kernel.plane_bytes / 4 + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for_each_instruction(kernel, body, [&](Pc, const Instruction& instruction) {
      const Accesses accesses = accesses_of(kernel, instruction);
      if (!asks_others(instruction) && std::none_of(accesses.reads.begin(), accesses.reads.end(),
                                                    [&](const Operand& read) { return slots[read.at / 4]; }))
        return;
      for (const Operand& written : accesses.writes) {
        changed = changed || !slots[written.at / 4];
        slots[written.at / 4] = true;
      }
    });
  }
  return slots;
}

bool exit_depends(const Kernel& kernel, const std::vector<bool>& body, const std::vector<bool>& slots) {
  for (uint32_t block = 0; block < body.size(); ++block) {
    if (!body[block]) continue;
    const Pc branch = kernel.blocks[block].end - 1;
    const Instruction& instruction = kernel.code[branch];
    const auto& next = kernel.blocks[block].successors;
    const bool leaves = std::any_of(next.begin(), next.end(), [&](uint32_t to) { return !body[to]; });
    if (leaves && instruction.op == Op::Bra && instruction.guarded() && !kernel.uniform[branch] &&
        slots[instruction.guard / 4])
      return true;
  }
  return false;
}

}  // namespace

std::vector<SpinLoop> find_spin_loops(const Kernel& kernel) {
  std::vector<SpinLoop> loops;
  for (uint32_t header = 0; header < kernel.blocks.size(); ++header) {
    SpinLoop loop{header, body_of(kernel, header), kNoPc};
    if (loop.body.empty()) continue;
    for_each_instruction(kernel, loop.body, [&](Pc pc, const Instruction& instruction) {
      if (asks_others(instruction)) loop.asks = std::min(loop.asks, pc);
    });
    if (loop.asks != kNoPc && exit_depends(kernel, loop.body, from_others(kernel, loop.body)))
      loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace heddle
