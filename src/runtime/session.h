// One CUDA program's side of the simulator: answers what its libcudart asks (protocol.h), on a GPU of its own.
//
// Life cycle: greet() answers the first message and says where the program wants GPU memory; the GPU is made with that.
// serve() answers all others, until the program is gone. A launch that fails is told to `complain` at once, to the
// program at its next Synchronize, and is what failure() says in the end.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu.h"
#include "runtime/cuda_error.h"
#include "runtime/fat_binary.h"
#include "runtime/stream_queue.h"
#include "wire/message.h"
#include "wire/protocol.h"

namespace heddle::runtime {

struct Greeting {
  Address base = 0;     // where the program maps GPU memory
  std::string program;  // its path
};

// Reads a program's first message. False if there is none that makes sense.
bool receive_greeting(int socket, Greeting& greeting);

struct SessionHooks {
  std::function<void(const std::string&)> complain;  // an error, for a person
  std::function<void(const std::string&)> warn;      // what cannot run, but nobody has asked for yet
  std::function<void(const std::string& name, const std::string& ptx)> loaded;  // a module's text
  std::function<void(std::span<const std::byte>)> fetched;                      // what the program copies to itself
};

class Session {
 public:
  // `printed` is where the GPU's options say that printf goes.
  Session(int socket, Gpu& gpu, std::string program, std::string& printed, SessionHooks hooks);

  void serve();
  const std::optional<Error>& failure() const { return failure_; }  // the first

 private:
  // A number that an earlier answer has given to the program.
  template <class T>
  static const T& numbered(const std::vector<T>& all, uint32_t number) {
    if (number >= all.size()) throw BadMessage("a number nobody gave out");
    return all[number];
  }

  struct LoadedKernel {
    size_t module;
    std::shared_ptr<const Kernel> kernel;
  };

  bool answer(CudaError error, const MessageWriter& payload);
  bool greet();
  bool handle(Request request, MessageReader& message);
  bool load(MessageReader& message);
  bool refuse_code(const Error& error);
  bool link(MessageReader& message);
  bool list_kernels(MessageReader& message);
  bool find_kernel(MessageReader& message);
  bool find_symbol(MessageReader& message);
  bool allocate(MessageReader& message);
  bool release(MessageReader& message);
  bool wrote(MessageReader& message);
  bool fetched(MessageReader& message);
  bool made(MessageReader& message);
  bool gone(MessageReader& message);
  void tell_leaks();
  bool launch(MessageReader& message);
  bool copy(MessageReader& message);
  bool fill(MessageReader& message);
  bool record(MessageReader& message);
  bool wait(MessageReader& message);
  bool event_time(MessageReader& message);
  bool occupancy(MessageReader& message);
  bool synchronize(MessageReader& message);
  bool reset();
  std::shared_ptr<const Program> best_program(const std::vector<FatBinaryEntry>& entries, uint32_t& architecture,
                                              uint32_t& language);
  void run_launch(uint64_t stream, const LoadedKernel& kernel, const LaunchFacts& facts, std::string_view parameters);
  template <class Body>
  bool guarded(bool cooperative, Body&& body);
  void fail(const Error& error, CudaError code);

  const int socket_;
  Gpu& gpu_;
  const std::string program_;
  std::string& printed_;
  const SessionHooks hooks_;
  struct LoadedModule {
    size_t number;
    std::shared_ptr<const Program> program;
    uint32_t architecture, language;
  };
  std::vector<LoadedModule> modules_;
  std::vector<LoadedKernel> kernels_;
  struct Owned {
    uint64_t bytes;
    std::string text;  // for a person
  };
  std::map<Address, Owned> allocations_;
  struct Object {
    unsigned number;   // among all
    std::string text;  // for a person
  };
  std::map<uint64_t, Object> objects_;     // streams, events …, by handle
  unsigned made_ = 0;                      // of them
  std::map<std::string, unsigned> calls_;  // that made something, by what
  StreamQueue queue_;
  CudaError pending_ = CudaError::Success;
  std::optional<Error> failure_;
};

}  // namespace heddle::runtime
