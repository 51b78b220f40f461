#include "cudart/stream.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace heddle::shim;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;

namespace {

constexpr unsigned kNonBlockingFlag = 1;
constexpr int kLeastPriority = 0, kGreatestPriority = -5;

std::set<Stream*> streams;  // under the lock of State
unsigned long long next_stream = 3;

// A stream that waits for an event of a capture is part of it from then on.
Status wait_in_capture(Stream* stream, const Event& event) {
  if (is_default(stream)) return event.point.captured() ? Status::StreamCaptureUnsupported : Status::Success;
  if (!event.point.captured())
    return stream->point.captured() ? stream->point.capture->refuse(Status::StreamCaptureIsolation) : Status::Success;
  if (stream->point.captured() && stream->point.capture != event.point.capture) return Status::StreamCaptureMerge;
  if (!stream->point.captured()) stream->point = {event.point.capture, {}};
  std::vector<Node*>& after = stream->point.after;
  for (Node* node : event.point.after)
    if (std::find(after.begin(), after.end(), node) == after.end()) after.push_back(node);
  return Status::Success;
}

}  // namespace

namespace heddle::shim {

bool is_default(const Stream* stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }
bool is_stream(Stream* stream) { return is_default(stream) || streams.contains(stream); }

// cudaStreamPerThread is a stream like another here, of all threads.
uint64_t number_of(const Stream* stream) {
  if (reinterpret_cast<uintptr_t>(stream) == 2) return 2;
  if (is_default(stream)) return runtime::kDefaultStream;
  return stream->id | (stream->flags & kNonBlockingFlag ? runtime::kNonBlocking : 0);
}

Status wait_for(State& state, const Stream* stream) {
  return state.wait_for(runtime::WaitFor::Stream, number_of(stream));
}

void for_each_stream(const std::function<void(Stream&)>& each) {
  for (Stream* stream : streams) each(*stream);
}

}  // namespace heddle::shim

HEDDLE_API Status cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return gpu_api([&](State& state) {
    if (!stream || flags > 1) return Status::InvalidValue;
    *stream = new Stream{flags, std::min(std::max(priority, kGreatestPriority), kLeastPriority), next_stream++};
    streams.insert(*stream);
    state.tell_made(*stream, "a stream");
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamCreateWithFlags(Stream** stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, kLeastPriority);
}
HEDDLE_API Status cudaStreamCreate(Stream** stream) { return cudaStreamCreateWithFlags(stream, 0); }

HEDDLE_API Status cudaStreamDestroy(Stream* stream) {
  return gpu_api([&](State& state) {
    if (streams.erase(stream) == 0) return Status::InvalidResourceHandle;
    state.tell_gone(stream);
    delete stream;
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamSynchronize(Stream* stream) {
  return with_stream(stream, [&](State& state) {
    const Status status = waiting_is_allowed(stream);
    return status == Status::Success ? wait_for(state, stream) : status;
  });
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
HEDDLE_API Status cudaStreamWaitEvent(Stream* stream, Event* event, unsigned flags) {
  if (flags == kExternal && is_captured(stream)) return keep(stream, EventWait{event});
  return with_stream(stream, [&](State& state) {
    if (!is_event(event)) return Status::InvalidResourceHandle;
    const Status status = wait_in_capture(stream, *event);
    if (status != Status::Success || event->point.captured()) return status;
    return state.tell(Request::Wait, MessageWriter().add(number_of(stream)).add(event->number));
  });
}
// Attributes say how caches and queues are to be used, which have no such choice here.
HEDDLE_API Status cudaStreamSetAttribute(Stream* stream, int, const void*) {
  return with_stream(stream, [](State&) { return Status::Success; });
}
HEDDLE_API Status cudaStreamGetAttribute(Stream* stream, int, void* value) {
  constexpr size_t kBytes = 64;
  return with_stream(stream, [&](State&) {
    std::memset(value, 0, kBytes);
    return Status::Success;
  });
}
HEDDLE_API Status cudaStreamCopyAttributes(Stream* to, Stream*) {
  return with_stream(to, [](State&) { return Status::Success; });
}
HEDDLE_API Status cudaStreamAttachMemAsync(Stream* stream, void*, size_t, unsigned) {
  return with_stream(stream, [](State&) { return Status::Success; });
}
// The program's own functions are called without the lock: they may use other libraries that use CUDA.
HEDDLE_API Status cudaLaunchHostFunc(Stream* stream, void (*function)(void*), void* argument) {
  if (is_captured(stream)) return keep(stream, HostCall{function, argument});
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
