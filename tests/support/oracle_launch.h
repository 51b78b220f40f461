// One kernel launch on the oracle.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/lane_mask.h"
#include "exec/global_memory.h"
#include "exec/scalar/scalar.h"
#include "gpu/device.h"
#include "program/kernel.h"
#include "support/oracle.h"

namespace heddle::oracle {

// The value of a register, and what it comes from. Narrow ones use the low bits, a predicate is 0 or 1.
struct Value {
  uint64_t low = 0, high = 0;
  Source source = Source::Nothing;
  bool operator==(const Value& other) const { return low == other.low && high == other.high; }
};

struct Block;

struct Thread {
  enum class State : uint8_t { Runs, AtBarrier, AtSync, Gone };
  struct Call {
    Pc return_pc;
    const CallSite* site;
    std::vector<Value> registers;  // all of the caller's: a function sees none but its own
  };
  Block* block = nullptr;
  unsigned number = 0;  // in the block
  State state = State::Runs;
  Pc pc = 0;
  std::vector<Value> registers;
  std::vector<std::byte> local;
  std::map<uint64_t, Source> local_sources;  // by byte, of those that were stored
  std::vector<Call> calls;
};

struct Block {
  struct Barrier {
    unsigned arrived = 0, expected = 0, votes = 0;
    Source source = Source::Nothing;  // of the votes
    std::vector<Thread*> waiting;
  };
  Dim3 index;
  std::vector<std::byte> shared;
  std::vector<Thread> threads;
  std::array<Barrier, 16> barriers;
};

class Launch {
 public:
  struct Surroundings {
    GlobalMemory& memory;
    const std::map<std::string, Address, std::less<>>& symbols;
    const std::vector<Extent>& constants;
    Address parameters, workspace;
    uint64_t grid_id;
  };
  Launch(const Kernel& kernel, const LaunchShape& shape, const Surroundings& around);
  void run();
  uint64_t threads() const { return threads_; }
  uint64_t thread_instructions() const { return instructions_; }
  const std::map<Pc, BranchThreads>& branches() const { return branches_; }

 private:
  // Setting up (oracle_launch.cpp).
  void number_registers();
  void fill_constants();
  Block make_block(uint64_t number) const;
  uint64_t special(Special what, const Thread& thread) const;
  void run_blocks(std::vector<Block>& blocks);
  bool run_thread(Thread& thread);

  // Registers.
  uint32_t& number_of(uint32_t at) { return number_[at / 4]; }
  Value get(const Thread& thread, const Operand& operand) const;
  Source sources_of(const Thread& thread, const Instruction& i) const;  // of all its sources
  void set(Thread& thread, const Operand& operand, Value value) const;
  bool guard_holds(const Thread& thread, const Instruction& i) const;
  void count_branch(const Thread& thread, const Instruction& i);

  // Instructions (oracle_execute.cpp).
  void step(Thread& thread);
  void execute(Thread& thread, const Instruction& i);
  void pack(Thread& thread, const Instruction& i);
  void unpack(Thread& thread, const Instruction& i);
  bool is_space(const Thread& thread, const Instruction& i) const;
  void control(Thread& thread, const Instruction& i);
  void call(Thread& thread, const Instruction& i);
  void ret(Thread& thread);
  [[noreturn]] void fail(const Thread& thread, const std::string& what) const;

  // Memory (oracle_memory.cpp).
  std::byte* at(Thread& thread, const Instruction& i, unsigned bytes, bool& shared);
  std::byte* shared_byte(Thread& thread, Address offset, unsigned bytes);
  std::byte* local_byte(Thread& thread, Address offset, unsigned bytes);
  std::byte* global_byte(Thread& thread, Address address, unsigned bytes);
  Source source_at(const Thread& thread, const std::byte* at, unsigned bytes) const;
  void note_source(Thread& thread, const std::byte* at, unsigned bytes, Source source) const;
  void load(Thread& thread, const Instruction& i);
  void store(Thread& thread, const Instruction& i);
  void atomic(Thread& thread, const Instruction& i);

  // Waiting for others (oracle_together.cpp).
  void arrive(Thread& thread, const Instruction& i);
  void complete_barrier(Block& block, unsigned index);
  void exited(Block& block);
  bool complete_syncs(Block& block);
  LaneMask waiting_with(Block& block, const Thread& thread) const;
  void together(std::vector<Thread*> members, LaneMask mask, const Instruction& i);
  void shuffle(const std::vector<Thread*>& members, const Instruction& i, Source source);

  const Kernel& kernel_;
  const LaunchShape shape_;
  const Surroundings around_;
  std::vector<uint32_t> number_;  // by place in the plane: which register of the thread
  uint32_t registers_ = 0;
  std::vector<Value> constants_;  // by place in the constant plane
  std::vector<Scalar> scalars_;   // by PC
  Extent last_;                   // the allocation touched last
  uint64_t threads_ = 0, instructions_ = 0;
  std::map<Pc, BranchThreads> branches_;
};

}  // namespace heddle::oracle
