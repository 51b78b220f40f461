// Several host threads, each with its own stream, memory and last error.
#include <atomic>
#include <thread>
#include <vector>

#include "check.h"

__global__ void step(int* data, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}

static std::atomic<int> right{0};

static void work(int id) {
  const int n = 700, rounds = 5;
  cudaStream_t stream;
  int* device;
  std::vector<int> data(n, id);
  CUDA(cudaSetDevice(0));
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaMalloc(&device, n * sizeof(int)));
  CUDA(cudaMemcpyAsync(device, data.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
  for (int round = 0; round < rounds; ++round) step<<<6, 128, 0, stream>>>(device, n, id + 1);
  CUDA(cudaMemcpyAsync(data.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int value : data) EXPECT(value == id + rounds * (id + 1));

  // The last error belongs to the thread that made it.
  if (id % 2) EXPECT_ERROR(cudaSetDevice(77), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaGetLastError(), id % 2 ? cudaErrorInvalidDevice : cudaSuccess);
  CUDA(cudaFree(device));
  CUDA(cudaStreamDestroy(stream));
  ++right;
}

int main() {
  std::vector<std::thread> threads;
  for (int id = 0; id < 8; ++id) threads.emplace_back(work, id);
  for (std::thread& thread : threads) thread.join();
  EXPECT(right == 8);
  CUDA(cudaDeviceSynchronize());
  return passed();
}
