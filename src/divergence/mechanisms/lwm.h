// lwm: the large warp microarchitecture (Narasiman et al., 2010). A warp is a matrix of rows of W threads, up to
// large_warp_size of them and never of two blocks, with one PC and one reconvergence stack.
//
// Every instruction is issued as sub-warps of at most one active thread per column (home lane), top row first, which
// is the compactor's rule. The branch outcome is known when the last sub-warp is through: one resolve() for all.
// row_memory: instructions that may touch global memory form sub-warps row by row instead, empty rows skipped, so that
// packing does not spoil coalescing; a generic address may be global. one_slot_jumps: an unconditional branch only
// writes the PC and takes one slot, which counts min(active, W) threads.
#pragma once

#include "config/config.h"
#include "divergence/mechanism.h"
#include "divergence/support/block_paths.h"
#include "divergence/support/compactor.h"
#include "divergence/support/reconvergence_stack.h"

namespace heddle {

class Lwm : public Mechanism {
 public:
  using Stack = ReconvergenceStack<BlockMask>;
  static constexpr Key kKeys[] = {
      {"large_warp_size", Key::Kind::Choice, "256", "threads of a large warp", "32 64 128 256 512"},
      {"row_memory", Key::Kind::Boolean, "true", "large warps: global-memory instructions are issued row by row", ""},
      {"one_slot_jumps", Key::Kind::Boolean, "true", "large warps: an unconditional branch takes one slot", ""},
      {"form_cycles", Key::Kind::Integer, "1", "large warps: cycles in which the next sub-warp is formed", "1 1000",
       true},
  };

  Lwm(Host& host, const Config& config);
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  unsigned expand(WarpId warp, const Instruction& instruction, std::span<Group> groups) override;
  State state(BlockId block) const override;
  StateCost cost() const override;

  const Stack& stack(WarpId warp) const { return warps_[warp].stack; }  // for tests
  // Beside the stacks, once per core: a copy of the mask under way and one buffer for each path of a branch.
  uint64_t forming_bits() const { return uint64_t{3} * size_; }

 private:
  struct Matrix {
    Stack stack;
    BlockMask active;  // for which the sub-warps below were formed
    Compactor packed, rows;
  };
  void settle(WarpId warp);  // pops what has arrived, and makes the top the warp

  const unsigned size_;
  const bool row_memory_, one_slot_jumps_;
  std::vector<Matrix> warps_;     // by warp
  std::vector<BlockPath> paths_;  // of the instruction under way
  unsigned deepest_ = 1;
};

}  // namespace heddle
