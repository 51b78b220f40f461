// Races: two accesses to the same bytes by different threads, one of them a write, that nothing orders (order.h). Not
// by the order in which they happened to be done, so that one run finds what another order would have brought to light.
//
// Strong accesses (atomics, volatile, relaxed) do not race with each other, where each reaches the other's thread. What
// volatile accesses to shared memory by threads of one warp do to each other is reported as what it relies on, a warp
// in lockstep.
#pragma once

#include <unordered_map>

#include "check/access_step.h"
#include "check/collector.h"
#include "check/sync_variables.h"

namespace heddle::check {

// What all cores share.
struct RaceMemory {
  Timeline timeline;
  Shadow global;
  ReaderLists lists;
  SyncVariables variables;

  void start_launch(std::shared_ptr<const Kernel> kernel, const LaunchInfo& launch, const LaunchOrder& order);
};

class RaceCheck {
 public:
  RaceCheck(Context& context, RaceMemory& memory, Collector& found);

  const AccessStep& step(Pc pc) const { return steps_[pc]; }
  void block_started(Context& context, BlockId block);
  // Before and after the handler of an instruction.
  void before(Context& context, const Instruction& instruction, const Lanes& lanes);
  void after(Context& context, const Instruction& instruction, const Lanes& lanes);
  Order& order() { return order_; }

 private:
  struct Toucher {  // a thread, and what it does
    Hw thread;
    LaneMask lanes;  // who read at once with it, of its warp, the same place; it is the last of them
    Record record;
    Segment floor;  // what was done up to here is ordered before it, whoever did it
    Address address;
    bool shared, write;
  };
  struct Shared {  // memory of a resident block
    Shadow shadow;
    SyncVariables variables;
  };

  void access(Context& context, const Lanes& lanes, bool write, uint32_t silent);
  void read_row(Context& context, const Lanes& lanes);
  void touch(Context& context, Shadow& shadow, const Toucher& who, unsigned bytes);
  [[gnu::noinline]] void read(Context& context, const Toucher& who, Cell& cell);
  static bool joins_readers(Cell& cell, const Record& record, LaneMask lanes, Segment floor);
  bool is_first_write(const Toucher& who, const Cell& cell) const;
  void write(Context& context, Toucher who, Cell& cell);
  uint32_t block_of(const Record& record) const {
    return memory_.timeline.block_of(memory_.timeline.warp_of(record.segment()));
  }
  // `own` is of this launch.
  bool same_block(const Record& record, const Record& own) const {
    return memory_.timeline.of_this_launch(record.segment()) && block_of(record) == block_of(own);
  }
  void add_reader(const Toucher& who, Cell& cell);
  void list_reader(const Toucher& who, Cell& cell);
  bool ordered_behind(const Toucher& who, const Record& record, LaneMask lanes) const;
  bool crowd_ordered(const Toucher& who, const ReaderList& list) const;
  void against(Context& context, const Toucher& who, const Record& other, LaneMask lanes, bool other_writes);
  void each_against(Context& context, const Toucher& who, const Record& other);  // who read; the other has written
  bool is_flag(const Context& context, const Toucher& who) const;
  bool stores_the_same(const Context& context, const Toucher& who, const Record& other) const;
  bool in_this_instruction(const Context& context, const Toucher& who, const Record& other) const;
  struct Other {  // who did the other access
    const Kernel* kernel;
    Pc pc;
    bool writes;
    std::string thread;
  };
  void against_launch(Context& context, const Toucher& who, const Record& other, bool other_writes);
  size_t report(Context& context, const Toucher& who, Finding::Kind kind, const Other& other);
  void report(Context& context, const Toucher& who, const Record& other, const Threads& threads, Finding::Kind kind,
              bool other_writes);

  void fence(const Lanes& lanes, Reach reach);
  void synchronise(Context& context, const Instruction& instruction, const Lanes& lanes);
  void synchronise(const Context& context, const Instruction& instruction, const AccessStep& step, Hw thread,
                   Address address);
  void acquire(const AccessStep& step, const SyncVariable& variable, Hw thread);
  void release(const AccessStep& step, SyncVariable& variable, Hw thread, bool joins);
  uint32_t silent_lanes(Context& context, const Instruction& instruction, const Lanes& lanes);
  void copy(Context& context, const Instruction& instruction, const Lanes& lanes);

  RaceMemory& memory_;
  Collector& found_;
  Order order_;
  std::vector<AccessStep> steps_;                 // by PC
  bool only_blocks_ = true;                       // whole blocks and warps are put in order, and nothing else
  bool flags_order_ = false;                      // some instruction is a fence, or acquires or releases
  std::vector<Shared> shared_;                    // by block id
  std::unordered_map<uint64_t, size_t> numbers_;  // of findings, by kind and PCs
  const uint64_t blocks_;
};

}  // namespace heddle::check
