// Streams. All operations are done in the order of the calls (state.h), so a stream is its flags and little else.
#include <set>

#include "runtime/shim/state.h"

namespace heddle::shim {

struct Stream {
  unsigned flags;
  int priority;
  unsigned long long id;
};

}  // namespace heddle::shim

using namespace heddle::shim;

namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

std::set<Stream*> streams;  // under the lock of State
unsigned long long next_id = 3;

bool is_default(const Stream* stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }
bool is_stream(Stream* stream) { return is_default(stream) || streams.contains(stream); }

template <class Body>
Status with_stream(Stream* stream, Body&& body) {
  return gpu_api([&](State& state) { return is_stream(stream) ? body(state) : Status::InvalidResourceHandle; });
}

}  // namespace

HEDDLE_API Status cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return gpu_api([&](State&) {
    if (!stream || flags > 1) return Status::InvalidValue;
    *stream = new Stream{flags, std::min(std::max(priority, kGreatestPriority), kLeastPriority), next_id++};
    streams.insert(*stream);
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamCreateWithFlags(Stream** stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, kLeastPriority);
}
HEDDLE_API Status cudaStreamCreate(Stream** stream) { return cudaStreamCreateWithFlags(stream, 0); }

HEDDLE_API Status cudaStreamDestroy(Stream* stream) {
  return gpu_api([&](State&) {
    if (streams.erase(stream) == 0) return Status::InvalidResourceHandle;
    delete stream;
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamSynchronize(Stream* stream) {
  return with_stream(stream, [](State& state) { return state.synchronize(); });
}
HEDDLE_API Status cudaStreamQuery(Stream* stream) { return cudaStreamSynchronize(stream); }

HEDDLE_API Status cudaStreamGetFlags(Stream* stream, unsigned* flags) {
  return with_stream(stream, [&](State&) {
    *flags = is_default(stream) ? 0 : stream->flags;
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamGetPriority(Stream* stream, int* priority) {
  return with_stream(stream, [&](State&) {
    *priority = is_default(stream) ? kLeastPriority : stream->priority;
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamGetId(Stream* stream, unsigned long long* id) {
  return with_stream(stream, [&](State&) {
    *id = is_default(stream) ? reinterpret_cast<uintptr_t>(stream) : stream->id;
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamGetDevice(Stream* stream, int* device) {
  return with_stream(stream, [&](State&) {
    *device = 0;
    return Status::Success;
  });
}
HEDDLE_API Status cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = kLeastPriority;
  if (greatest) *greatest = kGreatestPriority;
  return Status::Success;
}
HEDDLE_API Status cudaStreamWaitEvent(Stream* stream, Event*, unsigned) {
  return with_stream(stream, [](State&) { return Status::Success; });
}
HEDDLE_API Status cudaStreamAttachMemAsync(Stream* stream, void*, size_t, unsigned) {
  return with_stream(stream, [](State&) { return Status::Success; });
}
HEDDLE_API Status cudaStreamIsCapturing(Stream* stream, int* status) {
  return with_stream(stream, [&](State&) {
    *status = 0;  // it is not
    return Status::Success;
  });
}

// The program's own functions are called without the lock: they may use other libraries that use CUDA.
HEDDLE_API Status cudaLaunchHostFunc(Stream* stream, void (*function)(void*), void* argument) {
  const Status status = cudaStreamSynchronize(stream);
  if (status == Status::Success) function(argument);
  return status;
}
HEDDLE_API Status cudaStreamAddCallback(Stream* stream, void (*function)(Stream*, Status, void*), void* argument,
                                        unsigned) {
  const Status status = cudaStreamSynchronize(stream);
  function(stream, status, argument);
  return status;
}
