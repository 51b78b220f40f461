// Events. Their time is the simulated GPU's: the cycles of the kernels before them. Copies take none.
#include <set>

#include "cudart/stream.h"

using namespace heddle::shim;
using heddle::runtime::MessageReader;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;
using heddle::runtime::WaitFor;

namespace {

constexpr unsigned kDisableTiming = 2;

std::set<Event*> events;  // under the lock of State
uint64_t next_number = 1;

template <class Body>
Status with_event(Event* event, Body&& body) {
  return gpu_api([&](State& state) { return is_event(event) ? body(state) : Status::InvalidResourceHandle; });
}

Status time_of(State& state, const Event* event, double& milliseconds) {
  std::string reply;
  const Status status = state.simulator.ask(Request::EventTime, MessageWriter().add(event->number), reply);
  if (status == Status::Success) milliseconds = MessageReader(reply).take<double>();
  return status;
}

}  // namespace

namespace heddle::shim {

bool is_event(Event* event) { return events.contains(event); }

Status record(Event* event, const Stream* stream) {
  return with_event(event, [&](State& state) {
    event->recorded = true;
    event->point = {};
    return state.tell(Request::Record, MessageWriter().add(number_of(stream)).add(event->number));
  });
}

}  // namespace heddle::shim

HEDDLE_API Status cudaEventCreateWithFlags(Event** event, unsigned flags) {
  return gpu_api([&](State& state) {
    if (!event || flags > 7) return Status::InvalidValue;
    *event = new Event{flags, next_number++};
    events.insert(*event);
    state.tell_made(*event, "an event");
    return Status::Success;
  });
}
HEDDLE_API Status cudaEventCreate(Event** event) { return cudaEventCreateWithFlags(event, 0); }

HEDDLE_API Status cudaEventDestroy(Event* event) {
  return with_event(event, [&](State& state) {
    events.erase(event);
    state.tell_gone(event);
    delete event;
    return Status::Success;
  });
}
HEDDLE_API Status cudaEventRecordWithFlags(Event* event, Stream* stream, unsigned flags) {
  if (!is_captured(stream)) return record(event, stream);
  if (flags == kExternal) return keep(stream, EventRecord{event});
  return with_event(event, [&](State&) {
    event->point = stream->point;
    return Status::Success;
  });
}
HEDDLE_API Status cudaEventRecord(Event* event, Stream* stream) { return cudaEventRecordWithFlags(event, stream, 0); }
HEDDLE_API Status cudaEventSynchronize(Event* event) {
  return with_event(event, [&](State& state) {
    return event->point.captured() ? event->point.capture->refuse(Status::CapturedEvent)
                                   : state.wait_for(WaitFor::Event, event->number);
  });
}
HEDDLE_API Status cudaEventQuery(Event* event) { return cudaEventSynchronize(event); }

HEDDLE_API Status cudaEventElapsedTime(float* milliseconds, Event* begin, Event* end) {
  return gpu_api([&](State& state) {
    if (!events.contains(begin) || !events.contains(end)) return Status::InvalidResourceHandle;
    if (((begin->flags | end->flags) & kDisableTiming) || !begin->recorded || !end->recorded)
      return Status::InvalidResourceHandle;
    Status status = state.wait_for(WaitFor::Event, begin->number);
    if (status == Status::Success) status = state.wait_for(WaitFor::Event, end->number);
    double from = 0, to = 0;
    if (status == Status::Success) status = time_of(state, begin, from);
    if (status == Status::Success) status = time_of(state, end, to);
    *milliseconds = static_cast<float>(to - from);
    return status;
  });
}
HEDDLE_API Status cudaEventElapsedTime_v2(float* milliseconds, Event* begin, Event* end) {
  return cudaEventElapsedTime(milliseconds, begin, end);
}
