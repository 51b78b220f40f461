// What a CUDA program's runtime knows: its kernels and variables, what it has allocated, and how it last failed.
//
// One State per process, made at the first call and never destroyed: programs call the runtime from their own last
// destructors. Every call of the API goes through api(), which holds the lock, and remembers errors per thread.
//
// Operations of all streams are done in the order of the calls. That is an order CUDA allows, for streams, events and
// the default stream alike. Launches run on while the program goes on; synchronize() waits for them.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cudart/simulator.h"
#include "cudart/types.h"

namespace heddle::shim {

struct Module {
  std::string_view image = {};                // a fat binary, or PTX; until it is loaded
  std::vector<std::string_view> linked = {};  // others to be linked to it
  bool loaded = false;
  Status status = Status::Success;  // of loading it
  std::string problem = {};         // in words, where that failed
  uint32_t number = 0;
  struct Managed {
    void** pointer;  // the program's own variable that points to it
    std::string name;
  };
  std::vector<Managed> managed = {};
  std::vector<std::pair<std::string, const void*>> shadowed = {};  // managed variables that lie where their shadows do
  std::set<std::string> names = {};  // of what the driver API was asked for: handles of kernels are addresses of these
};

struct Function {
  Module* module = nullptr;
  std::string name;
  bool known = false;
  Status status = Status::Success;  // of finding it
  uint32_t number = 0;
  runtime::KernelFacts facts;
  struct Parameter {
    uint32_t offset, bytes;
  };
  std::vector<Parameter> parameters;
  uint32_t max_dynamic_shared = 0;  // as the program has set it
};

struct Variable {
  Module* module = nullptr;
  std::string name;
  uint64_t address = 0, bytes = 0;  // once found
  bool managed = false;
};

struct Allocation {
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::Device;
  mutable uint64_t touched = 0;  // bytes from its beginning whose pages were made
  bool of_graph = false;         // of a node that allocates: it stays for the graph's next launch
};

class State {
 public:
  static State& get();

  std::mutex mutex;
  Simulator simulator;
  std::vector<std::unique_ptr<Module>> modules;
  std::map<const void*, Function> functions;  // by what the program launches
  std::map<const void*, Variable> variables;  // by the program's own shadow of them
  std::map<uint64_t, Allocation> allocations;
  uint64_t allocated = 0;  // bytes
  unsigned device_flags = 0;
  std::atomic<bool> runtime_used = false;  // by a function of the runtime API

  Status ready();        // a simulator is there, and nothing has been lost
  Status synchronize();  // all that was launched is done; what kernels printed is on standard output
  Status wait_for(runtime::WaitFor what, uint64_t number);                       // or a part of it
  Status tell(runtime::Request request, const runtime::MessageWriter& message);  // something may be under way now
  Status load(Module& module);
  Status find(Function& function);
  Status find(Variable& variable);
  // A kernel by what the program names it: its stub, or what __cudaGetKernel gave.
  Function* function_of(const void* stub);
  bool has(const Module* module) const;
  void unload(const Module* module);
  Status allocate(uint64_t bytes, MemoryKind kind, const char* label, void** pointer);
  Status release(void* pointer);
  // For the simulator's checks, where it wants to hear of it: host memory was copied there, or from there.
  void tell_written(const void* pointer, size_t bytes);
  Status tell_fetched(const void* pointer, size_t bytes);
  void tell_made(const void* handle, const char* what);
  void tell_gone(const void* handle);
  // Does the range lie in one allocation, or variable?
  bool holds(const void* pointer, size_t bytes) const;
  const Variable* variable_at(const void* pointer) const;
  bool range_at(const void* pointer, uint64_t& begin, uint64_t& bytes) const;  // of the allocation, or the variable
  const Allocation* allocation_at(const void* pointer, uint64_t* begin = nullptr) const;
  Status reset();
  Status lost() const { return lost_; }
  void give_up_in_child();  // of a fork

 private:
  State();
  bool has_short_addresses() const;
  bool under_way_ = false;         // launches whose end nobody has seen
  Status lost_ = Status::Success;  // a kernel has failed: all calls say so from then on
};

// The calling thread's.
struct ThreadState {
  Status last_error = Status::Success;
  bool in_driver = false;    // a function of the driver API is under way: what goes wrong is no error of the runtime
  bool uses_device = false;  // by the runtime API, which so makes the primary context current
  int device = 0;
  struct Configuration {
    Dimensions grid, block;
    size_t dynamic_shared;
    Stream* stream;
  };
  std::vector<Configuration> configurations;  // of <<<>>>, not launched yet
};
ThreadState& this_thread();

// What is said of an address that is no kernel's.
inline Status no_function(const void* stub) {
  return stub ? Status::InvalidResourceHandle : Status::InvalidDeviceFunction;
}

// Runs the body of an API function: locked, its error remembered.
template <class Body>
Status api(Body&& body) {
  Status status = Status::Unknown;
  try {
    State& state = State::get();
    const std::lock_guard lock(state.mutex);
    status = body(state);
  } catch (const std::bad_alloc&) {
    status = Status::MemoryAllocation;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
  }
  ThreadState& thread = this_thread();
  if (status != Status::Success && status != Status::NotReady && !thread.in_driver) thread.last_error = status;
  return status;
}

// The same for what needs the GPU.
template <class Body>
Status gpu_api(Body&& body) {
  return api([&](State& state) {
    const Status status = state.ready();
    if (status != Status::Success) return status;
    if (!this_thread().in_driver) state.runtime_used = this_thread().uses_device = true;
    return body(state);
  });
}

}  // namespace heddle::shim
