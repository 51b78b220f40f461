// The tests' second opinion: a GPU that runs one thread at a time, slow and obvious.
//
// It shares with the simulator the decoded Kernel, the meaning of value instructions (select_scalar), that of atomics
// (atomic_value) and the storage of global memory. Everything else is its own: registers, addresses, control flow,
// calls, barriers, warp-wide instructions, and where values come from. It knows no warps to be issued, only the static
// warps of 32 threads that .sync instructions speak of.
//
// Threads of a block run in order, each until it waits or exits; blocks run one after another (all together in a
// cooperative launch). What the emulation refuses to run for ever (max_slots) the oracle refuses too.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/global_memory.h"
#include "gpu/device.h"
#include "program/program.h"

namespace heddle::oracle {

// What a value comes from; of two the higher counts. It travels with the value.
enum class Source : uint8_t { Nothing, Program, Data };

// How often threads executed a branch with a choice, and how often on a predicate that came from data.
struct BranchThreads {
  uint64_t all = 0, data = 0;
  bool operator==(const BranchThreads&) const = default;
};

class OracleDevice : public Device {
 public:
  void load(std::string_view name, std::string_view ptx) override;
  Address allocate(size_t bytes, std::string_view label) override { return memory_.allocate(bytes, label); }
  void free(Address address) override { memory_.free(address); }
  void write(Address to, const void* from, size_t bytes) override;
  void read(void* to, Address from, size_t bytes) override;
  Address symbol(std::string_view name) override;
  void launch(std::string_view kernel, const LaunchShape& shape, const Arguments& arguments) override;

  uint64_t threads() const { return threads_; }                              // that ran to their end
  uint64_t thread_instructions() const { return thread_instructions_; }      // guards that do not hold included
  const std::map<Pc, BranchThreads>& branches() const { return branches_; }  // of the last launch

 private:
  void initialise(const Program& program, const ptx::Variable& variable);
  Address copy_parameters(const Kernel& kernel, const Arguments& arguments);

  GlobalMemory memory_;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::map<std::string, Address, std::less<>> symbols_;
  std::vector<Extent> constants_;  // .const variables
  uint64_t threads_ = 0, thread_instructions_ = 0, launches_ = 0;
  std::map<Pc, BranchThreads> branches_;
};

}  // namespace heddle::oracle
