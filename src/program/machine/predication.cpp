#include "program/machine/predication.h"

#include "program/analysis.h"
#include "program/machine/code_edit.h"
#include "program/machine/effects.h"

namespace heddle {
namespace {

class Predication {
 public:
  Predication(Kernel& kernel, unsigned limit) : kernel_(kernel), limit_(limit), gone_(kernel.code.size()) {}

  bool run() {
    bool changed = false;
    for (uint32_t i = 0; i < kernel_.blocks.size(); ++i) changed |= replace(i);
    if (changed) take_out(kernel_, gone_);
    return changed;
  }

 private:
  // The blocks that a branch skips: one that falls through to where it goes, or two of which it takes the second.
  bool replace(uint32_t head) {
    const Pc branch = kernel_.blocks[head].end - 1;
    const Instruction& way = kernel_.code[branch];
    if (way.op != Op::Bra || !way.guarded() || way.target <= branch + 1) return false;
    const uint32_t first = head + 1, target = kernel_.block_of[way.target];
    if (is_side(first, way, target)) {
      guard(first, way, !way.guard_negated, way.target);
    } else {
      const uint32_t second = first + 1, end = second + 1;
      if (target != second || end >= kernel_.blocks.size()) return false;
      if (!is_side(first, way, end) || !is_side(second, way, end)) return false;
      guard(first, way, !way.guard_negated, kernel_.blocks[second].begin);
      guard(second, way, way.guard_negated, kernel_.blocks[end].begin);
    }
    gone_[branch] = true;
    return true;
  }

  // Does the block come from the branch alone and go on to `end` alone, and may its instructions be guarded?
  bool is_side(uint32_t block, const Instruction& way, uint32_t end) const {
    const BasicBlock& side = kernel_.blocks[block];
    if (side.predecessors.size() != 1 || side.successors.size() != 1 || side.successors[0] != end || end <= block)
      return false;
    unsigned slots = 0;
    for (Pc pc = side.begin; pc < side.end; ++pc) {
      if (is_way_out(side, pc)) continue;
      slots += kernel_.costs[pc].slots;
      if (!may_be_guarded(kernel_.code[pc], way)) return false;
    }
    return slots <= limit_;
  }

  bool is_way_out(const BasicBlock& side, Pc pc) const {
    return pc + 1 == side.end && kernel_.code[pc].op == Op::Bra && !kernel_.code[pc].guarded();
  }

  static bool may_be_guarded(const Instruction& instruction, const Instruction& way) {
    if (has_effects(instruction) || is_atomic(instruction) || instruction.guarded()) return false;
    for (unsigned i = 0; i < instruction.dst_count; ++i)
      if (instruction.dst[i].at == way.guard) return false;
    return true;
  }

  void guard(uint32_t block, const Instruction& way, bool negated, Pc end) {
    const BasicBlock& side = kernel_.blocks[block];
    for (Pc pc = side.begin; pc < side.end; ++pc) {
      if (is_way_out(side, pc)) {  // stays, for all, where the end is not the next in the text
        gone_[pc] = kernel_.blocks[block + 1].begin == end;
        continue;
      }
      kernel_.code[pc].guard = way.guard;
      kernel_.code[pc].guard_negated = negated;
    }
  }

  Kernel& kernel_;
  const unsigned limit_;
  std::vector<bool> gone_;
};

}  // namespace

bool predicate(Kernel& kernel, unsigned limit) { return limit > 0 && Predication(kernel, limit).run(); }

}  // namespace heddle
