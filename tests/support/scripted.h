// Running the worked examples of the papers exactly.
//
// ScriptedMachine plays threads whose path is given by a function, without registers or memory: a Listing is the
// program, a Choice says where a thread goes at a branch. It obeys the emulation machine's rules (a ready warp runs
// until it stops; mechanisms with wishes get them) and records every issue slot. A test can also
// drive it slot by slot, choosing the warp, to bring about an order of arrivals.
//
//   const Listing listing(R"(
//     A: if C      threads that choose 1 go to C, those that choose 0 fall through
//     B: br D
//     C: op
//     D: exit)");
//   ScriptedMachine machine(listing, "pdom", {.threads = 4, .set = {"warp_size=4"}}, [](Visit v) { return v.thread > 1;
//   }); machine.run(); EXPECT_EQ(machine.trace(), "A(0,1,2,3) C(-,-,2,3) B(0,1,-,-) D(0,1,2,3)");
//
// run_ptx() runs real PTX on the emulation machine and records the same slots, named by the labels of the text.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "divergence/grouping.h"
#include "gpu/gpu.h"
#include "observe/steps.h"

namespace heddle::scripted {

// A program of bare control flow, one instruction per line: "LABEL: INSTRUCTION". PCs are the lines' numbers, from 0.
//   op              anything without influence on control
//   ld              the same, reading global memory
//   br L            jump                       if L        conditional jump        if.uni L    the same, proven uniform
//   brx L M …       indirect jump              call F …    call; several: indirect
//   ret   exit      bar                        (barrier of the block)
// A function begins where a call goes; the kernel is the first lines.
class Listing {
 public:
  explicit Listing(std::string_view text);
  const Kernel& kernel() const { return kernel_; }
  Pc at(std::string_view label) const;
  const std::string& name(Pc pc) const { return names_[pc]; }
  const std::vector<Pc>& targets(Pc pc) const { return targets_[pc]; }  // of brx and call, in the order written

 private:
  void add(std::string_view label, std::string_view words);
  void link();
  void find_functions();

  Kernel kernel_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> words_;  // by PC: the label names an instruction mentions
  std::vector<std::vector<Pc>> targets_;
};

// One issue slot as a test sees it.
struct Slot {
  Pc pc = 0;
  std::string name;
  std::vector<int> lanes;  // by lane: the thread (counted over the grid), or -1
  bool phantom = false;
  unsigned count = 0;        // threads charged
  std::string text() const;  // "B(0,1,-,3)"; a phantom "B[2]" with its count
};
std::string text_of(const std::vector<Slot>& slots);  // separated by blanks
// Only names and counts: "A4 B2".
std::string counts_of(const std::vector<Slot>& slots);
// How many slots each name got: the warp-executions of blocks, where a block is one instruction.
std::map<std::string, unsigned> executions_of(const std::vector<Slot>& slots);

struct Visit {
  unsigned thread;      // counted over the grid
  std::string_view at;  // label
  unsigned time;        // 1 for the thread's first time here
};
// `if`: 1 is taken, 0 falls through. `brx`, `call` of several: an index into the labels as written.
using Choice = std::function<unsigned(const Visit&)>;

struct Shape {
  unsigned threads = 4;  // of a block
  unsigned blocks = 1;
  unsigned resident = 1;           // blocks at once
  std::vector<std::string> set{};  // "warp_size=4"
  std::string lanes = "none";
};

class ScriptedMachine {
 public:
  ScriptedMachine(const Listing& listing, std::string_view mechanism, Shape shape, Choice choice);

  void run();               // to the end; Error (Deadlock) if nobody can go on
  bool step();              // one instruction of the warp that is next; false when all threads have exited
  void issue(WarpId warp);  // one instruction of this warp
  // The same in two steps, as a machine with a clock does it: others may begin and complete between. At its end a warp
  // must be what it was when it began.
  void begin(WarpId warp);
  void complete(WarpId warp);
  bool done() const { return running_.empty(); }

  std::string trace() const { return text_of(slots_); }
  const std::vector<Slot>& slots() const { return slots_; }
  unsigned active() const;               // threads charged, over all slots
  unsigned thread_instructions() const;  // the same without phantoms
  double efficiency() const {
    return static_cast<double>(active()) / (static_cast<double>(slots_.size()) * host_.warp_size());
  }
  Host& host() { return host_; }
  Mechanism& mechanism() { return grouping_.mechanism(); }
  const Mechanism& mechanism() const { return grouping_.mechanism(); }
  void watch(std::shared_ptr<Observer> observer);  // from here on
  template <class M>
  M& as() {
    return dynamic_cast<M&>(mechanism());
  }
  // "B:2 C:1": next instruction and number of threads of each warp that is not Free, in order of their ids.
  std::string warps() const;
  // PCs of the threads before each slot, as the mechanism's explain() would not show them: by thread.
  const std::vector<Pc>& pcs() const { return pcs_; }

  std::function<void(const Slot&)> before_slot, after_slot;

 private:
  struct Block {
    unsigned at_barrier = 0;
    unsigned first_number = 0;  // of its first thread, over the grid
    std::vector<WarpId> waiting;
  };

  void admit_blocks();
  WarpId next_warp();
  const Slot& record(WarpId warp, const Group& group);
  Slot slot_of(WarpId warp, const Group& group) const;

  friend class heddle::Grouping;  // what an instruction does
  std::span<const Outcome> branch(WarpId warp, const Instruction& instruction, std::span<const Group> groups);
  void barrier(WarpId warp, std::span<const Group> groups);
  void sync(WarpId, std::span<const Group>) { require(false, "a listing has no warp-wide instructions"); }
  void left(BlockId block);

  std::vector<Target> targets_of(const Instruction& instruction, Pc pc, const Group& group);
  Pc next_pc(const Instruction& instruction, Pc pc, Hw thread);
  void complete_barrier(BlockId block);
  unsigned number_of(BlockId block, Hw thread) const;

  const Listing& listing_;
  Shape shape_;
  Choice choice_;
  Config config_;
  Grouping grouping_;
  Host& host_;
  std::vector<BlockId> running_, free_blocks_;
  std::vector<Block> blocks_;                           // by id
  std::vector<std::vector<Pc>> returns_;                // by thread
  std::vector<Pc> pcs_;                                 // by thread
  std::map<std::pair<unsigned, Pc>, unsigned> visits_;  // by thread number and PC
  std::vector<Slot> slots_;
  std::vector<Outcome> outcomes_;                    // of the branch under way,
  std::vector<std::vector<Target>> branch_targets_;  // and where they lead
  std::map<WarpId, std::vector<Slot>> in_flight_;
  unsigned next_block_ = 0;
  WarpId current_{0};
};

// PTX on the emulation machine. The kernel must take one pointer, to `words` 32-bit words that are `input` at the
// start. Slots carry the nearest label above their line ("" above the first).
struct PtxRun {
  std::vector<Slot> slots;       // all, or those from label `from` to label `to` (exclusive) if these are given
  std::vector<uint32_t> output;  // the words afterwards
  KernelStats stats;
};
struct PtxShape {
  unsigned threads = 32, blocks = 1;
  std::vector<std::string> set{};
  std::string lanes = "none";
  std::vector<uint32_t> input{};
  std::string from{}, to{};
  bool record = true;  // false: the emulation's fast path, no slots
};
PtxRun run_ptx(std::string_view ptx, std::string_view kernel, std::string_view mechanism, const PtxShape& shape);

}  // namespace heddle::scripted
