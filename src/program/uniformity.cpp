// Branches that provably go one way for all threads of a block: their predicate depends on nothing but values that
// are the same for all of them (block index, sizes, parameters, immediates, constant memory), and no thread can
// have written those values on a path of its own.
#include <algorithm>

#include "program/analysis.h"
#include "program/special.h"

namespace heddle {
namespace {

// Results that may differ between threads even if all operands agree.
bool makes_difference(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::Ld:
      return instruction.space != Space::Const && instruction.space != Space::Param && !instruction.has(Mod::Nc);
    case Op::Atom:
    case Op::Clock:
    case Op::ActiveMask:
    case Op::Shfl:
    case Op::Vote:
    case Op::VoteNow:
    case Op::Match:
    case Op::Redux:
    case Op::Elect:
    case Op::Mma:
    case Op::MovMatrix:
    case Op::RowsToFragments:
    case Op::FragmentsToRows:
    case Op::MbarArrive:
    case Op::MbarTest:
    case Op::Call:
    case Op::Builtin:
    case Op::Alloca:
    case Op::StackSave: return true;
    default: return false;
  }
}

class Uniformity {
 public:
  explicit Uniformity(Kernel& kernel) : kernel_(kernel), varies_(kernel.plane_bytes / 4 + 1) {}

  void run() {
    for (const SpecialRegister& special : kernel_.specials)
      if (differs_by_thread(special.what)) varies_[special.at.at / 4] = true;
    // A function runs under whatever control its callers have: nothing in it is taken as uniform.
    diverged_.assign(kernel_.blocks.size(), false);
    for (uint32_t i = 0; i < kernel_.blocks.size(); ++i) diverged_[i] = kernel_.blocks[i].function != 0;
    do changed_ = false, pass();
    while (changed_);
    kernel_.uniform.assign(kernel_.code.size(), false);
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc)
      kernel_.uniform[pc] = kernel_.code[pc].flow == Flow::Branch && kernel_.code[pc].op != Op::Ret &&
                            kernel_.blocks[kernel_.block_of[pc]].function == 0 && !decides_by_thread(pc);
  }

 private:
  void pass() {
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
      const Instruction& instruction = kernel_.code[pc];
      const uint32_t block = kernel_.block_of[pc];
      if (instruction.flow == Flow::Branch && decides_by_thread(pc)) part_region(block);
      const Accesses accesses = accesses_of(kernel_, instruction);
      const bool varies = makes_difference(instruction) || diverged_[block] ||
                          std::any_of(accesses.reads.begin(), accesses.reads.end(),
                                      [&](const Operand& o) { return varies_[o.at / 4]; });
      if (!varies) continue;
      for (const Operand& written : accesses.writes) mark(written.at / 4);
    }
  }

  bool decides_by_thread(Pc pc) const {
    const Instruction& instruction = kernel_.code[pc];
    if (instruction.guarded() && varies_[instruction.guard / 4]) return true;
    return instruction.src_count > 0 && !instruction.src[0].constant() && varies_[instruction.src[0].at / 4];
  }

  void mark(size_t slot) {
    if (varies_[slot]) return;
    varies_[slot] = true;
    changed_ = true;
  }

  // Threads may diverge at the end of `block` until its post-dominator. Beyond a loop's exit they come out having
  // made different numbers of trips, which the values written inside the region show.
  void part_region(uint32_t block) {
    const int32_t end = kernel_.blocks[block].post_dominator;
    std::vector<bool> seen(kernel_.blocks.size());
    std::vector<uint32_t> work = kernel_.blocks[block].successors;
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      if (static_cast<int32_t>(at) == end || seen[at]) continue;
      seen[at] = true;  // not diverged_: another region may end before this one does
      changed_ = changed_ || !diverged_[at];
      diverged_[at] = true;
      work.insert(work.end(), kernel_.blocks[at].successors.begin(), kernel_.blocks[at].successors.end());
    }
  }

  Kernel& kernel_;
  std::vector<bool> varies_, diverged_;
  bool changed_ = false;
};

}  // namespace

void find_uniform_branches(Kernel& kernel) { Uniformity(kernel).run(); }

}  // namespace heddle
