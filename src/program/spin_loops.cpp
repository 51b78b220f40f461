// Loops that wait for what others write: their exit depends on a value that the loop itself gets by an atomic or by a
// load that may not be taken from a register (volatile, relaxed, acquire). Who spins there must let others run.
#include <algorithm>

#include "program/analysis.h"

namespace heddle {
namespace {

bool asks_others(const Instruction& instruction) {
  if (instruction.op == Op::Atom) return instruction.dst_count > 0 && !instruction.retried;
  if (instruction.op != Op::Ld) return false;
  const bool shared_by_others =
      instruction.space == Space::Global || instruction.space == Space::Shared || instruction.space == Space::None;
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

// Values that come from others, inside the loop, or are written where only such a value decides.
class FromOthers {
 public:
  FromOthers(const Kernel& kernel, const std::vector<bool>& body)
      : kernel_(kernel), body_(body), slots_(kernel.plane_bytes / 4 + 1), decided_(body.size()) {
    do {
      changed_ = false;
      for_each_instruction(kernel, body, [&](Pc pc, const Instruction& instruction) { follow(pc, instruction); });
    } while (changed_);
  }
  bool decides(Pc branch) const {
    const Instruction& instruction = kernel_.code[branch];
    return instruction.op == Op::Bra && instruction.guarded() && !kernel_.uniform[branch] &&
           slots_[instruction.guard / 4];
  }

 private:
  void follow(Pc pc, const Instruction& instruction) {
    const uint32_t block = kernel_.block_of[pc];
    if (decides(pc)) decide_region(block);
    const Accesses accesses = accesses_of(kernel_, instruction);
    if (!asks_others(instruction) && !decided_[block] &&
        std::none_of(accesses.reads.begin(), accesses.reads.end(),
                     [&](const Operand& read) { return slots_[read.at / 4]; }))
      return;
    for (const Operand& written : accesses.writes) mark(slots_, written.at / 4);
  }

  // From the branch to its post-dominator, as far as that is in the loop.
  void decide_region(uint32_t branch) {
    std::vector<uint32_t> work = kernel_.blocks[branch].successors;
    std::vector<bool> seen(body_.size());
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      if (!body_[at] || seen[at] || static_cast<int32_t>(at) == kernel_.blocks[branch].post_dominator) continue;
      seen[at] = true;
      mark(decided_, at);
      work.insert(work.end(), kernel_.blocks[at].successors.begin(), kernel_.blocks[at].successors.end());
    }
  }

  void mark(std::vector<bool>& marks, size_t at) {
    changed_ = changed_ || !marks[at];
    marks[at] = true;
  }

  const Kernel& kernel_;
  const std::vector<bool>& body_;
  std::vector<bool> slots_, decided_;  // by place in the register plane, by block
  bool changed_ = false;
};

bool exit_depends(const Kernel& kernel, const std::vector<bool>& body) {
  const FromOthers values(kernel, body);
  for (uint32_t block = 0; block < body.size(); ++block) {
    if (!body[block]) continue;
    const auto& next = kernel.blocks[block].successors;
    const bool leaves = std::any_of(next.begin(), next.end(), [&](uint32_t to) { return !body[to]; });
    if (leaves && values.decides(kernel.blocks[block].end - 1)) return true;
  }
  return false;
}

}  // namespace

void find_spin_loops(Kernel& kernel) {
  kernel.spin_loops.clear();
  if (std::none_of(kernel.code.begin(), kernel.code.end(), asks_others)) return;
  for (uint32_t header = 0; header < kernel.blocks.size(); ++header) {
    const std::vector<bool> body = body_of(kernel, header);
    bool asks = false;
    for_each_instruction(kernel, body, [&](Pc, const Instruction& i) { asks = asks || asks_others(i); });
    if (asks && exit_depends(kernel, body)) kernel.spin_loops.push_back(header);
  }
}

}  // namespace heddle
