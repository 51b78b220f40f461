#include "program/delayed_joins.h"

#include "program/analysis.h"

namespace heddle {
namespace {

bool may_release(const Instruction& instruction) {
  if (instruction.op == Op::Call) return true;
  if (instruction.space != Space::Global && instruction.space != Space::Shared && instruction.space != Space::None)
    return false;
  if (instruction.op == Op::Atom || instruction.op == Op::Red) return true;
  return instruction.op == Op::St &&
         (instruction.has(Mod::Volatile) || instruction.has(Mod::Relaxed) || instruction.has(Mod::Release));
}

class Releases {
 public:
  explicit Releases(const Kernel& kernel)
      : kernel_(kernel), behind_last_(kernel.blocks.size(), kNoPc), later_(kernel.blocks.size()) {
    for (Pc pc = 0; pc < kernel.code.size(); ++pc)
      if (may_release(kernel.code[pc])) behind_last_[kernel.block_of[pc]] = pc + 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t block = 0; block < later_.size(); ++block)
        for (uint32_t next : kernel.blocks[block].successors)
          if (!later_[block] && (later_[next] || behind_last_[next] != kNoPc)) later_[block] = changed = true;
    }
  }

  // The first place from this block on where all come by and no release is left; kNoPc: the function's end.
  Pc place_behind(uint32_t block) const {
    for (auto at = static_cast<int32_t>(block); at >= 0;
         at = kernel_.blocks[static_cast<uint32_t>(at)].post_dominator) {
      const BasicBlock& here = kernel_.blocks[static_cast<uint32_t>(at)];
      const Pc last = behind_last_[static_cast<uint32_t>(at)];
      if (later_[static_cast<uint32_t>(at)] || last == here.end) continue;
      return last == kNoPc ? here.begin : last;
    }
    return kNoPc;
  }

 private:
  const Kernel& kernel_;
  std::vector<Pc> behind_last_;  // by block: behind its last release; kNoPc: it has none
  std::vector<bool> later_;      // by block: one can be reached from its end
};

// Is there a block of these between the branch's and its join?
bool leads_through(const Kernel& kernel, uint32_t branch, uint32_t join, const std::vector<bool>& blocks) {
  std::vector<uint32_t> work = kernel.blocks[branch].successors;
  std::vector<bool> seen(kernel.blocks.size());
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (at == join || seen[at]) continue;
    if (blocks[at]) return true;
    seen[at] = true;
    work.insert(work.end(), kernel.blocks[at].successors.begin(), kernel.blocks[at].successors.end());
  }
  return false;
}

}  // namespace

std::vector<Pc> delayed_joins(const Kernel& kernel) {
  std::vector<Pc> joins = kernel.reconvergence;
  std::vector<bool> spins(kernel.blocks.size());
  for (uint32_t header : kernel.spin_loops) spins[header] = true;
  const Releases releases(kernel);
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    if (!has_choice(kernel.code[pc]) || joins[pc] == kNoPc) continue;
    const uint32_t join = kernel.block_of[joins[pc]];
    if (leads_through(kernel, kernel.block_of[pc], join, spins)) joins[pc] = releases.place_behind(join);
  }
  return joins;
}

}  // namespace heddle
