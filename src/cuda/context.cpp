// Contexts: made, the primary one, and which is current on a thread.
#include <algorithm>
#include <atomic>
#include <memory>

#include "cuda/driver.h"
#include "cudart/limits.h"

using namespace heddle::shim;

namespace {

std::atomic<bool> init_called = false;

// Under the lock of State.
std::vector<std::unique_ptr<Context>> made;
Context primary;
unsigned retained = 0;
unsigned long long next_id = 2;  // 1 is the primary context's

thread_local std::vector<Context*> stack;

bool is_made(const Context* context) {
  return std::any_of(made.begin(), made.end(), [&](const auto& each) { return each.get() == context; });
}
bool primary_is_active(const State& state) { return retained > 0 || state.runtime_used; }
bool is_alive(const State& state, const Context* context) {
  return context == &primary ? primary_is_active(state) : is_made(context);
}

// With its last context goes all that a program has on the device.
Status after_loss(State& state) { return made.empty() && !primary_is_active(state) ? state.reset() : Status::Success; }

Status make(Context** result, unsigned flags, int device) {
  return driver([&] {
    return api([&](State& state) {
      if (!result) return Status::InvalidValue;
      if (device != 0) return Status::InvalidDevice;
      const Status status = state.ready();
      if (status != Status::Success) return status;
      made.push_back(std::make_unique<Context>(Context{flags, next_id++}));
      stack.push_back(*result = made.back().get());
      return Status::Success;
    });
  });
}

template <class Body>
Status with_primary(int device, Body&& body) {
  return driver([&] { return api([&](State& state) { return device == 0 ? body(state) : Status::InvalidDevice; }); });
}

}  // namespace

namespace heddle::shim {

bool initialised() { return init_called || State::get().runtime_used; }

Context* current_context() {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  if (!stack.empty()) return is_alive(state, stack.back()) ? stack.back() : nullptr;
  return this_thread().uses_device ? &primary : nullptr;
}

Status driver_status(Status status) {
  switch (status) {
    case Status::InvalidSymbol:
    case Status::InvalidDeviceFunction: return Status::NotFound;
    case Status::InvalidPitchValue:
    case Status::InvalidMemcpyDirection:
    case Status::InvalidChannelDescriptor: return Status::InvalidValue;
    default: return status;
  }
}

}  // namespace heddle::shim

HEDDLE_API Status cuInit(unsigned flags) {
  if (flags != 0) return Status::InvalidValue;
  const Status status = api([](State& state) { return state.ready(); });
  if (status == Status::Success) init_called = true;
  return status;
}

HEDDLE_API Status cuCtxCreate(Context** context, unsigned flags, int device) { return make(context, flags, device); }
HEDDLE_API Status cuCtxCreate_v2(Context** context, unsigned flags, int device) { return make(context, flags, device); }
HEDDLE_API Status cuCtxCreate_v3(Context** context, const void*, int, unsigned flags, int device) {
  return make(context, flags, device);
}
HEDDLE_API Status cuCtxCreate_v4(Context** context, const void*, unsigned flags, int device) {
  return make(context, flags, device);
}
HEDDLE_API Status cuCtxDestroy_v2(Context* context) {
  return driver([&] {
    return api([&](State& state) {
      if (!is_made(context)) return Status::InvalidContext;
      if (!stack.empty() && stack.back() == context) stack.pop_back();
      std::erase_if(made, [&](const auto& each) { return each.get() == context; });
      return after_loss(state);
    });
  });
}
HEDDLE_API Status cuCtxDestroy(Context* context) { return cuCtxDestroy_v2(context); }

HEDDLE_API Status cuCtxGetCurrent(Context** context) {
  return driver([&] {
    *context = current_context();
    return Status::Success;
  });
}
HEDDLE_API Status cuCtxSetCurrent(Context* context) {
  return driver([&] {
    return api([&](State& state) {
      if (context && !is_alive(state, context)) return Status::InvalidContext;
      if (!stack.empty()) stack.pop_back();
      if (context) stack.push_back(context);
      if (!context) this_thread().uses_device = false;
      return Status::Success;
    });
  });
}
HEDDLE_API Status cuCtxPushCurrent_v2(Context* context) {
  return driver([&] {
    return api([&](State& state) {
      if (!is_alive(state, context)) return Status::InvalidContext;
      stack.push_back(context);
      return Status::Success;
    });
  });
}
HEDDLE_API Status cuCtxPushCurrent(Context* context) { return cuCtxPushCurrent_v2(context); }
HEDDLE_API Status cuCtxPopCurrent_v2(Context** context) {
  return in_context([&] {
    if (context) *context = current_context();
    if (stack.empty())
      this_thread().uses_device = false;
    else
      stack.pop_back();
    return Status::Success;
  });
}
HEDDLE_API Status cuCtxPopCurrent(Context** context) { return cuCtxPopCurrent_v2(context); }

HEDDLE_API Status cuCtxGetDevice(int* device) {
  return in_context([&] {
    *device = 0;
    return Status::Success;
  });
}
HEDDLE_API Status cuCtxGetDevice_v2(int* device, Context*) { return cuCtxGetDevice(device); }
HEDDLE_API Status cuCtxGetFlags(unsigned* flags) {
  return in_context([&] {
    *flags = current_context()->flags;
    return Status::Success;
  });
}
HEDDLE_API Status cuCtxSetFlags(unsigned flags) {
  return in_context([&] {
    current_context()->flags = flags;
    return Status::Success;
  });
}
HEDDLE_API Status cuCtxGetId(Context* context, unsigned long long* id) {
  return in_context([&] {
    const Context* const which = context ? context : current_context();
    *id = which == &primary ? 1 : which->id;
    return Status::Success;
  });
}
HEDDLE_API Status cuCtxGetApiVersion(Context*, unsigned* version) {
  return driver([&] {
    *version = kVersion;
    return Status::Success;
  });
}
HEDDLE_API Status cuCtxSynchronize() { return in_context(&cudaDeviceSynchronize); }
HEDDLE_API Status cuCtxSynchronize_v2(Context*) { return cuCtxSynchronize(); }

HEDDLE_API Status cuDevicePrimaryCtxRetain(Context** context, int device) {
  return with_primary(device, [&](State& state) {
    const Status status = state.ready();
    if (status != Status::Success) return status;
    ++retained;
    *context = &primary;
    return Status::Success;
  });
}
HEDDLE_API Status cuDevicePrimaryCtxRelease_v2(int device) {
  return with_primary(device, [](State& state) {
    if (retained == 0) return Status::InvalidContext;
    return --retained == 0 ? after_loss(state) : Status::Success;
  });
}
HEDDLE_API Status cuDevicePrimaryCtxRelease(int device) { return cuDevicePrimaryCtxRelease_v2(device); }
HEDDLE_API Status cuDevicePrimaryCtxReset_v2(int device) {
  return with_primary(device, [](State& state) { return state.reset(); });
}
HEDDLE_API Status cuDevicePrimaryCtxReset(int device) { return cuDevicePrimaryCtxReset_v2(device); }
HEDDLE_API Status cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  return with_primary(device, [&](State&) {
    primary.flags = flags;
    return Status::Success;
  });
}
HEDDLE_API Status cuDevicePrimaryCtxSetFlags(int device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}
HEDDLE_API Status cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return with_primary(device, [&](State& state) {
    if (flags) *flags = primary.flags;
    if (active) *active = primary_is_active(state) ? 1 : 0;
    return Status::Success;
  });
}

HEDDLE_API Status cuStreamGetCtx(Stream* stream, Context** context) {
  return in_context([&] {
    *context = current_context();
    return gpu_api([&](State&) { return is_stream(stream) ? Status::Success : Status::InvalidResourceHandle; });
  });
}
HEDDLE_API Status cuStreamGetCtx_v2(Stream* stream, Context** context, void** green) {
  if (green) *green = nullptr;
  return cuStreamGetCtx(stream, context);
}

// There is no second device to be a peer.
HEDDLE_API Status cuCtxEnablePeerAccess(Context*, unsigned) {
  return in_context([] { return Status::PeerAccessUnsupported; });
}
HEDDLE_API Status cuCtxDisablePeerAccess(Context*) {
  return in_context([] { return Status::PeerAccessNotEnabled; });
}
