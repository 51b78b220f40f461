// Clean as it is; with an argument it has what heddle's checks look for: race, init, leak, order, streams (but not with
// waits).
#include <cstring>

#include "check.h"

// Reverses 64 numbers in shared memory.
__global__ void reverse(int* data, bool barrier) {
  __shared__ int room[64];
  room[threadIdx.x] = data[threadIdx.x];
  if (barrier) __syncthreads();
  data[threadIdx.x] = room[63 - threadIdx.x];
}

// Who comes last has the place.
__global__ void last(int* data) { data[0] = blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

// Both streams add to the same numbers; one may wait for the other.
void add_in_two(int* device, cudaStream_t stream, cudaEvent_t event, bool waits) {
  cudaStream_t other;
  CUDA(cudaStreamCreate(&other));
  add<<<1, 64, 0, stream>>>(device, 1);
  CUDA(cudaEventRecord(event, stream));
  if (waits) CUDA(cudaStreamWaitEvent(other, event, 0));
  add<<<1, 64, 0, other>>>(device, 2);
  CUDA(cudaStreamSynchronize(other));
  CUDA(cudaStreamDestroy(other));
}

int main(int count, char** words) {
  const auto is = [&](const char* what) { return count > 1 && strcmp(words[1], what) == 0; };
  int *device, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  CUDA(cudaMalloc(&device, sizeof host));
  CUDA(cudaMemcpy(device, host, is("init") ? sizeof host / 2 : sizeof host, cudaMemcpyHostToDevice));
  cudaStream_t stream;
  cudaEvent_t event;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaEventCreate(&event));
  reverse<<<1, 64, 0, stream>>>(device, !is("race"));
  CUDA(cudaEventRecord(event, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  if (count == 1) EXPECT(host[0] == 63 && host[63] == 0);
  if (is("order")) {
    last<<<4, 64>>>(device);
    CUDA(cudaMemcpy(host, device, sizeof(int), cudaMemcpyDeviceToHost));
  }
  if (is("streams") || is("waits")) add_in_two(device, stream, event, is("waits"));
  if (is("leak")) return passed();
  CUDA(cudaEventDestroy(event));
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFree(device));
  return passed();
}
