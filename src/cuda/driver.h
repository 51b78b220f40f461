// The driver API stands on what the runtime API has: the same simulator, memory, streams, events, graphs and kernels.
// Its own are contexts, modules, and the order in which a program begins: cuInit, then a context.
#pragma once

#include "cudart/api.h"

namespace heddle::shim {

struct Context {  // CUcontext. Whatever the context, there is one device, and what is on it is everybody's
  unsigned flags = 0;
  unsigned long long id = 0;
};

bool initialised();
Context* current_context();  // of the calling thread, or null

// An error of the runtime API as the driver says it.
Status driver_status(Status status);

// Runs the body of a function of the driver API. Takes no lock: what the body calls does.
template <class Body>
Status driver(Body&& body) {
  if (!initialised()) return Status::InitializationError;
  ThreadState& thread = this_thread();
  const bool before = std::exchange(thread.in_driver, true);
  const Status status = driver_status(body());
  thread.in_driver = before;
  return status;
}

// The same for what needs a context.
template <class Body>
Status in_context(Body&& body) {
  return driver([&] { return current_context() ? body() : Status::InvalidContext; });
}

}  // namespace heddle::shim
