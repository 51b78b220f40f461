// Graphs made by capturing streams: nothing is done at the capture, everything at each launch.
#include "check.h"

__constant__ int step;

__global__ void add(int* value, int summand) { *value += summand; }
__global__ void add_step(int* value) { *value += step; }
__global__ void multiply(int* value, const int* factor) { *value *= *factor; }

int *device, *other, host, calls;

int value() {
  int result;
  CUDA(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

cudaGraph_t captured(cudaStream_t stream, void (*body)(cudaStream_t)) {
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  body(stream);
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  return graph;
}

size_t nodes_of(cudaGraph_t graph) {
  size_t count = 0;
  CUDA(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

void every_kind(cudaStream_t stream) {
  static const int seven = 7;
  CUDA(cudaMemsetAsync(device, 0, sizeof(int), stream));
  add<<<1, 1, 0, stream>>>(device, 5);
  CUDA(cudaMemcpyToSymbolAsync(step, &seven, sizeof seven, 0, cudaMemcpyHostToDevice, stream));
  add_step<<<1, 1, 0, stream>>>(device);
  CUDA(cudaMemcpyAsync(&host, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaLaunchHostFunc(
      stream, [](void* argument) { ++*static_cast<int*>(argument); }, &calls));
}

void every_kind_is_kept_and_done_at_each_launch(cudaStream_t stream) {
  add<<<1, 1>>>(device, 1);
  const cudaGraph_t graph = captured(stream, every_kind);
  EXPECT(value() == 1);
  EXPECT(calls == 0 && host == 0);
  EXPECT(nodes_of(graph) == 6);
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphDestroy(graph));  // what is launched is a copy
  for (int i = 1; i <= 3; ++i) {
    host = 0;
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    EXPECT(host == 12 && value() == 12 && calls == i);
  }
  CUDA(cudaGraphExecDestroy(exec));
}

// A second stream joins at an event of the first, and comes back through one of its own.
void fork_and_join(cudaStream_t first) {
  static cudaStream_t second;
  static cudaEvent_t fork, join;
  if (!second) {
    CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  }
  CUDA(cudaEventRecord(fork, first));
  CUDA(cudaStreamWaitEvent(second, fork, 0));
  CUDA(cudaMemsetAsync(other, 0, sizeof(int), second));
  add<<<1, 1, 0, second>>>(other, 3);
  add<<<1, 1, 0, first>>>(device, 2);
  CUDA(cudaEventRecord(join, second));
  CUDA(cudaStreamWaitEvent(first, join, 0));
  multiply<<<1, 1, 0, first>>>(device, other);
}

void streams_fork_and_join(cudaStream_t stream) {
  CUDA(cudaMemset(device, 0, sizeof(int)));
  const cudaGraph_t graph = captured(stream, fork_and_join);
  EXPECT(nodes_of(graph) == 4);
  size_t edges = 0, roots = 0;
  CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CUDA(cudaGraphGetRootNodes(graph, nullptr, &roots));
  EXPECT(edges == 3 && roots == 2);
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphLaunch(exec, stream));
  CUDA(cudaGraphLaunch(exec, stream));
  CUDA(cudaStreamSynchronize(stream));
  EXPECT(value() == ((0 + 2) * 3 + 2) * 3);
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
}

void graphs_are_updated_by_others_of_the_same_shape(cudaStream_t stream) {
  CUDA(cudaMemset(device, 0, sizeof(int)));
  const cudaGraph_t ten = captured(stream, [](cudaStream_t s) { add<<<1, 1, 0, s>>>(device, 10); });
  const cudaGraph_t hundred = captured(stream, [](cudaStream_t s) { add<<<1, 1, 0, s>>>(device, 100); });
  const cudaGraph_t longer = captured(stream, every_kind);
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, ten, 0));
  CUDA(cudaGraphLaunch(exec, stream));
  cudaGraphExecUpdateResultInfo report;
  CUDA(cudaGraphExecUpdate(exec, hundred, &report));
  EXPECT(report.result == cudaGraphExecUpdateSuccess);
  CUDA(cudaGraphLaunch(exec, stream));
  CUDA(cudaStreamSynchronize(stream));
  EXPECT(value() == 110);
  EXPECT_ERROR(cudaGraphExecUpdate(exec, longer, &report), cudaErrorGraphExecUpdateFailure);
  EXPECT(report.result != cudaGraphExecUpdateSuccess);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorGraphExecUpdateFailure);
  CUDA(cudaGraphExecDestroy(exec));
}

void a_graph_can_allocate(cudaStream_t stream) {
  static int* inside;
  const cudaGraph_t graph = captured(stream, [](cudaStream_t s) {
    CUDA(cudaMallocAsync(reinterpret_cast<void**>(&inside), sizeof(int), s));
    CUDA(cudaMemsetAsync(inside, 0, sizeof(int), s));
    add<<<1, 1, 0, s>>>(inside, 41);
    add<<<1, 1, 0, s>>>(inside, 1);
    CUDA(cudaMemcpyAsync(&host, inside, sizeof host, cudaMemcpyDeviceToHost, s));
    CUDA(cudaFreeAsync(inside, s));
  });
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) {
    host = 0;
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    EXPECT(host == 42);
  }
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
}

void wrong_captures_are_refused(cudaStream_t stream) {
  cudaGraph_t graph;
  EXPECT_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  EXPECT_ERROR(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT_ERROR(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT(graph == nullptr);

  cudaStream_t second;
  cudaEvent_t event;
  CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CUDA(cudaEventCreate(&event));
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA(cudaEventRecord(event, stream));
  CUDA(cudaStreamWaitEvent(second, event, 0));
  add<<<1, 1, 0, second>>>(device, 1);
  EXPECT_ERROR(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA(cudaEventRecord(event, stream));
  CUDA(cudaStreamWaitEvent(second, event, 0));
  add<<<1, 1, 0, second>>>(device, 1);
  EXPECT_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  cudaEvent_t outside;
  CUDA(cudaEventCreate(&outside));
  CUDA(cudaEventRecord(outside, second));
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_ERROR(cudaStreamWaitEvent(stream, outside, 0), cudaErrorStreamCaptureIsolation);
  EXPECT_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  CUDA(cudaStreamSynchronize(stream));
}

int main() {
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaMalloc(&device, sizeof(int)));
  CUDA(cudaMalloc(&other, sizeof(int)));
  CUDA(cudaMemset(device, 0, sizeof(int)));
  every_kind_is_kept_and_done_at_each_launch(stream);
  streams_fork_and_join(stream);
  graphs_are_updated_by_others_of_the_same_shape(stream);
  a_graph_can_allocate(stream);
  wrong_captures_are_refused(stream);
  return passed();
}
