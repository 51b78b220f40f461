// Constant memory and device variables: to and from them, at an offset, their address and size, initial values.
#include "check.h"

__constant__ float weights[16];
__constant__ int bias = 1000;
__device__ int counter = 5;
__device__ double table[8] = {1.5, 2.5};
struct Pair {
  int first;
  float second;
};
__device__ Pair pair;

__global__ void use(float* out) {
  const int i = threadIdx.x;
  out[i] = weights[i] * 2 + bias;
  atomicAdd(&counter, 1);
  if (i < 8) table[i] += i;
  if (i == 0) pair.second = pair.first * 0.5f;
}

int main() {
  float host[16], out[16];
  for (int i = 0; i < 16; ++i) host[i] = i * 0.25f;
  CUDA(cudaMemcpyToSymbol(weights, host, sizeof host));
  const float replaced[2] = {100, 200};
  CUDA(cudaMemcpyToSymbol(weights, replaced, sizeof replaced, 4 * sizeof(float)));
  host[4] = 100;
  host[5] = 200;
  const Pair from = {42, 0};
  CUDA(cudaMemcpyToSymbol(pair, &from, sizeof from, 0, cudaMemcpyHostToDevice));

  float* device;
  CUDA(cudaMalloc(&device, sizeof out));
  use<<<1, 16>>>(device);
  CUDA(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) EXPECT(out[i] == host[i] * 2 + 1000);

  int counted = 0;
  double values[8];
  Pair back;
  CUDA(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  CUDA(cudaMemcpyFromSymbol(values, table, sizeof values));
  CUDA(cudaMemcpyFromSymbol(&back, pair, sizeof back));
  EXPECT(counted == 5 + 16);
  EXPECT(values[0] == 1.5 && values[1] == 3.5 && values[7] == 7);
  EXPECT(back.first == 42 && back.second == 21);

  // By address: a symbol is memory like any other.
  void* address = nullptr;
  size_t size = 0;
  CUDA(cudaGetSymbolAddress(&address, table));
  CUDA(cudaGetSymbolSize(&size, table));
  EXPECT(address && size == sizeof values);
  CUDA(cudaMemset(address, 0, size));
  CUDA(cudaMemcpyFromSymbol(values, table, sizeof(double), 3 * sizeof(double)));
  EXPECT(values[0] == 0);

  // Device to symbol, in a stream.
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMemcpyToSymbolAsync(weights, device, sizeof out, 0, cudaMemcpyDeviceToDevice, stream));
  CUDA(cudaMemcpyFromSymbolAsync(host, weights, sizeof host, 0, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < 16; ++i) EXPECT(host[i] == out[i]);

  EXPECT_ERROR(cudaMemcpyToSymbol(counter, host, 2 * sizeof counter), cudaErrorInvalidValue);
  static int not_a_symbol;
  EXPECT_ERROR(cudaMemcpyToSymbol((const void*)&not_a_symbol, host, 4, 0, cudaMemcpyHostToDevice),
               cudaErrorInvalidSymbol);
  return passed();
}
