// Stream capture: what is given to a stream becomes a graph.
#include <algorithm>
#include <atomic>

#include "cudart/stream.h"

using namespace heddle::shim;

namespace {

std::atomic<int> under_way = 0;
unsigned long long next_capture = 1;  // under the lock of State
thread_local int exchange_mode = 0;
enum CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };

bool comes_before(const Node* node, const std::vector<Node*>& ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](const Node* end) { return end == node || comes_before(node, end->dependencies); });
}

// Every stream that has joined must have been waited for in the end.
bool all_joined(const Capture& capture) {
  bool joined = true;
  for_each_stream([&](const Stream& stream) {
    if (stream.point.capture.get() != &capture || &stream == capture.origin) return;
    for (const Node* node : stream.point.after) joined = joined && comes_before(node, capture.origin->point.after);
  });
  return joined;
}

Status begin(Stream* stream, std::shared_ptr<Graph> graph, std::vector<Node*> after) {
  return with_stream(stream, [&](State&) {
    if (!graph) return Status::InvalidValue;
    if (is_default(stream)) return Status::StreamCaptureUnsupported;
    if (stream->point.captured()) return Status::IllegalState;
    stream->point = {std::make_shared<Capture>(Capture{std::move(graph), stream, next_capture++}), std::move(after)};
    ++under_way;
    return Status::Success;
  });
}

void end(Capture& capture) {
  capture.ended = true;
  --under_way;
  for_each_stream([&](Stream& stream) {
    if (stream.point.capture.get() == &capture) stream.point = {};
  });
}

struct CaptureInfo {
  int* status = nullptr;
  unsigned long long* id = nullptr;
  Graph** graph = nullptr;
  Node* const** after = nullptr;
  size_t* count = nullptr;
};

Status tell_about(Stream* stream, const CaptureInfo& info) {
  return with_stream(stream, [&](State&) {
    const bool captured = !is_default(stream) && stream->point.captured();
    *info.status = !captured ? None : stream->point.capture->broken ? Invalidated : Active;
    if (*info.status != Active) return Status::Success;
    if (info.id) *info.id = stream->point.capture->id;
    if (info.graph) *info.graph = stream->point.capture->graph.get();
    if (info.after) *info.after = stream->point.after.data();
    if (info.count) *info.count = stream->point.after.size();
    return Status::Success;
  });
}

Status change_place(Stream* stream, Node** nodes, size_t count, unsigned set) {
  return with_stream(stream, [&](State&) {
    if (is_default(stream) || !stream->point.captured()) return Status::IllegalState;
    if (set) stream->point.after.clear();
    stream->point.after.insert(stream->point.after.end(), nodes, nodes + count);
    return Status::Success;
  });
}

}  // namespace

namespace heddle::shim {

bool is_captured(Stream* stream) {
  if (under_way == 0 || is_default(stream)) return false;
  const std::lock_guard lock(State::get().mutex);
  return is_stream(stream) && stream->point.captured();
}

Node* keep(Stream& stream, Operation operation) {
  Node* const node = stream.point.capture->graph->add(std::move(operation), stream.point.after);
  stream.point.after = {node};
  return node;
}

Status keep(Stream* stream, Operation operation) {
  return with_stream(stream, [&](State&) {
    if (stream->point.capture->broken) return Status::StreamCaptureInvalidated;
    keep(*stream, std::move(operation));
    return Status::Success;
  });
}

Status waiting_is_allowed(Stream* stream) {
  if (under_way == 0) return Status::Success;
  Status status = Status::Success;
  for_each_stream([&](Stream& each) {
    if (!each.point.captured() || (!is_default(stream) && stream != &each)) return;
    status = each.point.capture->refuse(Status::StreamCaptureUnsupported);
  });
  return status;
}

}  // namespace heddle::shim

HEDDLE_API Status cudaStreamBeginCapture(Stream* stream, int) { return begin(stream, std::make_shared<Graph>(), {}); }
HEDDLE_API Status cudaStreamBeginCaptureToGraph(Stream* stream, Graph* graph, Node** nodes, const void*, size_t count,
                                                int) {
  return begin(stream, graph_of(graph), {nodes, nodes + count});
}

HEDDLE_API Status cudaStreamEndCapture(Stream* stream, Graph** graph) {
  return with_stream(stream, [&](State&) {
    *graph = nullptr;
    if (is_default(stream) || !stream->point.captured()) return Status::IllegalState;
    const std::shared_ptr<Capture> capture = stream->point.capture;
    if (capture->origin != stream) return capture->refuse(Status::StreamCaptureUnmatched);
    const bool joined = all_joined(*capture);
    end(*capture);
    if (capture->broken) return Status::StreamCaptureInvalidated;
    if (!joined) return Status::StreamCaptureUnjoined;
    *graph = adopt(capture->graph);
    return Status::Success;
  });
}

HEDDLE_API Status cudaStreamIsCapturing(Stream* stream, int* status) { return tell_about(stream, {.status = status}); }
HEDDLE_API Status cudaThreadExchangeStreamCaptureMode(int* mode) {
  std::swap(*mode, exchange_mode);
  return Status::Success;
}

// What is asked has grown with every version of CUDA.
HEDDLE_API Status heddle_capture_info_old(Stream* stream, int* status, unsigned long long* id) {
  return tell_about(stream, {.status = status, .id = id});
}
HEDDLE_API Status cudaStreamGetCaptureInfo_v2(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                              Node* const** after, size_t* count) {
  return tell_about(stream, {status, id, graph, after, count});
}
HEDDLE_API Status cudaStreamGetCaptureInfo_v3(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                              Node* const** after, const void** edges, size_t* count) {
  if (edges) *edges = nullptr;
  return tell_about(stream, {status, id, graph, after, count});
}
HEDDLE_API Status heddle_capture_info(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                      Node* const** after, const void** edges, size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, after, edges, count);
}
__asm__(".symver heddle_capture_info_old, cudaStreamGetCaptureInfo@libcudart.so.11.0");
__asm__(".symver heddle_capture_info_old, cudaStreamGetCaptureInfo@libcudart.so.12");
__asm__(".symver heddle_capture_info, cudaStreamGetCaptureInfo@@libcudart.so.13");

HEDDLE_API Status heddle_change_place_old(Stream* stream, Node** nodes, size_t count, unsigned flags) {
  return change_place(stream, nodes, count, flags);
}
HEDDLE_API Status heddle_change_place(Stream* stream, Node** nodes, const void*, size_t count, unsigned flags) {
  return change_place(stream, nodes, count, flags);
}
__asm__(".symver heddle_change_place_old, cudaStreamUpdateCaptureDependencies@libcudart.so.11.0");
__asm__(".symver heddle_change_place_old, cudaStreamUpdateCaptureDependencies@libcudart.so.12");
__asm__(".symver heddle_change_place, cudaStreamUpdateCaptureDependencies@@libcudart.so.13");
