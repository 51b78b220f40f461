// Streams and events: their flags and, while a stream is being captured, the place in the graph that the next operation
// follows. The simulator knows in which order their operations are to be done.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cudart/graph.h"

namespace heddle::shim {

// From cudaStreamBeginCapture to cudaStreamEndCapture. Streams that wait for an event of it join it.
struct Capture {
  std::shared_ptr<Graph> graph;
  Stream* origin;
  unsigned long long id;
  bool broken = false;  // by a call that cannot be captured
  bool ended = false;

  Status refuse(Status status) {
    broken = true;
    return status;
  }
};

struct CapturePoint {
  std::shared_ptr<Capture> capture;  // or none
  std::vector<Node*> after;

  bool captured() const { return capture && !capture->ended; }
};

constexpr unsigned kExternal = 1;  // of waits and records: a node of the graph, instead of an edge

struct Stream {
  unsigned flags;
  int priority;
  unsigned long long id;
  CapturePoint point = {};
};

struct Event {
  unsigned flags;
  uint64_t number;
  bool recorded = false;
  CapturePoint point = {};
};

bool is_default(const Stream* stream);
uint64_t number_of(const Stream* stream);  // what the simulator knows it by
Status wait_for(State& state, const Stream* stream);
bool is_stream(Stream* stream);
bool is_event(Event* event);
void for_each_stream(const std::function<void(Stream&)>& each);

template <class Body>
Status with_stream(Stream* stream, Body&& body) {
  return gpu_api([&](State& state) { return is_stream(stream) ? body(state) : Status::InvalidResourceHandle; });
}

// Is what is given to the stream to be kept, and not done? Cheap while nothing is captured.
bool is_captured(Stream* stream);
Status keep(Stream* stream, Operation operation);
Node* keep(Stream& stream, Operation operation);  // the lock is held
// For calls that wait: not while they would wait for themselves.
Status waiting_is_allowed(Stream* stream);

}  // namespace heddle::shim
