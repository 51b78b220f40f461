#include "program/machine/loop_loads.h"

#include <algorithm>

#include "program/machine/code_edit.h"
#include "program/machine/loops.h"
#include "program/machine/uses.h"
#include "program/unit.h"

namespace heddle {
namespace {

bool is_plain_load(const Instruction& i) {
  const bool known = i.space == Space::Global || i.space == Space::Shared || i.space == Space::Local;
  return i.op == Op::Ld && known && !i.guarded() && !i.has(Mod::Volatile) && !i.has(Mod::Acquire) &&
         !i.has(Mod::Relaxed) && !i.has(Mod::Mmio);
}

// May it change what a load of the space gives?
bool may_write(const Instruction& i, Space space) {
  if (i.flow == Flow::Barrier || i.flow == Flow::Sync || i.op == Op::Call) return true;
  if (i.op == Op::Fence || i.op == Op::Builtin || i.op == Op::CpAsync) return true;
  if (i.op == Op::St || i.op == Op::Atom || i.op == Op::Red) return i.space == space || i.space == Space::None;
  return touches_memory(i.op) && i.op != Op::Ld && i.op != Op::Tex && i.op != Op::Gather;
}

class LoopLoads {
 public:
  explicit LoopLoads(Kernel& kernel) : kernel_(kernel), uses_(kernel), loops_(kernel), to_(kernel.code.size(), kNoPc) {}

  bool run() {
    bool any = false;
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block) {
      const Loop* loop = loops_.around(block);
      if (loop && loop->header == block && may_leave(*loop)) any |= move_from(*loop);
    }
    if (any) move_up(kernel_, to_);
    return any;
  }

 private:
  // Whoever comes to the block before it comes to the loop.
  bool may_leave(const Loop& loop) const {
    const auto& waiting = kernel_.spin_loops;
    return loop.before >= 0 && kernel_.blocks[static_cast<size_t>(loop.before)].successors.size() == 1 &&
           std::find(waiting.begin(), waiting.end(), loop.header) == waiting.end();
  }

  bool move_from(const Loop& loop) {
    bool any = false;
    const BasicBlock& header = kernel_.blocks[loop.header];
    const BasicBlock& before = kernel_.blocks[static_cast<size_t>(loop.before)];
    const bool jumps = kernel_.code[before.end - 1].flow == Flow::Branch;
    if (before.end > header.begin) return false;  // it stands behind the loop in the text
    for (Pc pc = header.begin; pc < header.end; ++pc) {
      if (!gives_the_same(kernel_.code[pc], pc, loop)) continue;
      to_[pc] = jumps ? before.end - 1 : before.end;
      any = true;
    }
    return any;
  }

  bool gives_the_same(const Instruction& load, Pc pc, const Loop& loop) const {
    if (!is_plain_load(load)) return false;
    for (unsigned i = 0; i < load.dst_count; ++i)
      if (uses_.writer(load.dst[i]) != pc) return false;
    return none_in(loop, [&](const Instruction& other) {
      const bool moves_address = std::any_of(other.dst.begin(), other.dst.begin() + other.dst_count,
                                             [&](const Operand& written) { return written.at == load.src[0].at; });
      return moves_address || (!load.has(Mod::Nc) && may_write(other, load.space)) || other.op == Op::Call;
    });
  }

  template <class F>
  bool none_in(const Loop& loop, F&& is) const {
    for (size_t block = 0; block < loop.body.size(); ++block) {
      if (!loop.body[block]) continue;
      const BasicBlock& each = kernel_.blocks[block];
      if (std::any_of(kernel_.code.begin() + each.begin, kernel_.code.begin() + each.end, is)) return false;
    }
    return true;
  }

  Kernel& kernel_;
  const Uses uses_;
  const Loops loops_;
  std::vector<Pc> to_;
};

}  // namespace

bool move_loads_out(Kernel& kernel) { return LoopLoads(kernel).run(); }

}  // namespace heddle
