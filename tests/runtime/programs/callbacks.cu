// Host functions in a stream run after what was put there before them, and before what comes behind.
#include <atomic>

#include "check.h"

__global__ void set(volatile int* where, int value) { *where = value; }

static int* shared_value;
static std::atomic<int> order{0};
static int first_saw, second_saw, second_order;
static cudaError_t status_seen = cudaErrorUnknown;

static void first(void* data) {
  first_saw = *shared_value;
  *(int*)data = ++order;
  *shared_value = 20;
}

static void CUDART_CB second(cudaStream_t, cudaError_t status, void* data) {
  status_seen = status;
  second_saw = *shared_value + *(int*)data;
  second_order = ++order;
}

__global__ void add_one(int* where) { *where += 1; }

int main() {
  CUDA(cudaHostAlloc(&shared_value, sizeof(int), cudaHostAllocMapped));
  *shared_value = 0;
  int *device_value = nullptr, first_order = 0, extra = 1000;
  CUDA(cudaHostGetDevicePointer(&device_value, shared_value, 0));
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  set<<<1, 1, 0, stream>>>(device_value, 7);
  CUDA(cudaLaunchHostFunc(stream, first, &first_order));
  add_one<<<1, 1, 0, stream>>>(device_value);
  CUDA(cudaStreamAddCallback(stream, second, &extra, 0));
  CUDA(cudaStreamSynchronize(stream));
  EXPECT(first_saw == 7 && first_order == 1);
  EXPECT(second_saw == 1021 && second_order == 2);
  EXPECT(status_seen == cudaSuccess);
  EXPECT(*shared_value == 21);
  return passed();
}
