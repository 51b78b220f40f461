// The way to the simulator: the socket that `heddle exec` has named, and GPU memory mapped where kernels see it.
// Not for several threads at once: whoever calls holds the lock of State.
#pragma once

#include <string>

#include "cudart/types.h"
#include "wire/message.h"
#include "wire/protocol.h"

namespace heddle::shim {

class Simulator {
 public:
  // Connects at the first call, with GPU memory below 4 GiB for kernels with short addresses. InitializationError if
  // there is no simulator.
  Status connect(bool short_addresses);
  void forget();  // in a process forked off, which must not speak on its parent's connection
  bool connected() const { return socket_ >= 0; }

  // Sends, and waits for the answer; `reply` is good until the next call.
  Status ask(runtime::Request request, const runtime::MessageWriter& message, std::string& reply);
  Status tell(runtime::Request request, const runtime::MessageWriter& message);  // has no answer

  const runtime::Machine& machine() const { return machine_; }
  uint64_t base() const { return base_; }
  int memory_file() const { return memory_file_; }
  bool in_memory(const void* pointer) const {
    return connected() && reinterpret_cast<uint64_t>(pointer) - base_ < machine_.memory_capacity;
  }

 private:
  Status greet();
  bool reserve_addresses();
  bool reserve(uint64_t place, uint64_t bytes);
  bool map_memory();

  int socket_ = -1, memory_file_ = -1;
  bool tried_ = false, forked_ = false, short_addresses_ = false;
  uint64_t base_ = 0, reserved_ = 0;
  runtime::Machine machine_;
};

// For a person: "heddle: …" on standard error.
void complain(const std::string& text);

}  // namespace heddle::shim
