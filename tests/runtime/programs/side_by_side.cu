// Four launches of eight blocks: in one stream, in four, in four with the default stream between, and in four that wait
// for each other. Prints the microseconds of each. What they compute does not depend on it.
#include "check.h"

constexpr int kStreams = 4, kBlocks = 8, kThreads = 128, kValues = kBlocks * kThreads;

__global__ void turn(float* values) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float value = values[thread];
  for (int i = 0; i < 2000; ++i) value = value * 0.5f + 1;
  values[thread] = value;
}

struct Work {
  cudaStream_t stream;
  cudaEvent_t done;
  float *host, *device;
};

static Work work[kStreams];
static cudaEvent_t begin, end;

// A copy there, a launch, a copy back: of each stream one after another, so that they overlap only as streams.
static void give(const Work& each, cudaStream_t stream) {
  CUDA(cudaMemcpyAsync(each.device, each.host, kValues * sizeof(float), cudaMemcpyHostToDevice, stream));
  turn<<<kBlocks, kThreads, 0, stream>>>(each.device);
  CUDA(cudaMemcpyAsync(each.host, each.device, kValues * sizeof(float), cudaMemcpyDeviceToHost, stream));
}

template <class Each>
static void measure(Each each) {
  for (Work& one : work)
    for (int i = 0; i < kValues; ++i) one.host[i] = 4;
  CUDA(cudaEventRecord(begin));
  for (int i = 0; i < kStreams; ++i) each(i);
  CUDA(cudaEventRecord(end));
  CUDA(cudaEventSynchronize(end));
  float milliseconds = 0;
  CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
  for (Work& one : work)
    for (int i = 0; i < kValues; ++i) EXPECT(one.host[i] == 2);
  printf("%.3f\n", 1e3 * milliseconds);
}

int main() {
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&end));
  for (Work& each : work) {
    CUDA(cudaStreamCreate(&each.stream));
    CUDA(cudaEventCreateWithFlags(&each.done, cudaEventDisableTiming));
    CUDA(cudaMallocHost(&each.host, kValues * sizeof(float)));
    CUDA(cudaMalloc(&each.device, kValues * sizeof(float)));
  }
  measure([](int i) { give(work[i], work[0].stream); });
  measure([](int i) { give(work[i], work[i].stream); });
  measure([](int i) { give(work[i], i % 2 == 0 ? work[i].stream : nullptr); });
  measure([](int i) {
    if (i > 0) CUDA(cudaStreamWaitEvent(work[i].stream, work[i - 1].done, 0));
    give(work[i], work[i].stream);
    CUDA(cudaEventRecord(work[i].done, work[i].stream));
  });
  return passed();
}
