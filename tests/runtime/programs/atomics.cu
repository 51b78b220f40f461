// Atomic operations on global and shared memory.
#include "check.h"

struct Results {
  int sum, least, most, exchanged;
  unsigned bits, wrapped, cleared, toggled;
  unsigned long long wide;
  float floats;
  double doubles;
  int locked;
};

__device__ void add_by_compare(int* where, int term) {
  int seen = *where, before;
  do {
    before = seen;
    seen = atomicCAS(where, before, before + term);
  } while (seen != before);
}

__global__ void update(Results* r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int in_block;
  if (threadIdx.x == 0) in_block = 0;
  __syncthreads();
  atomicAdd(&in_block, i);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&r->sum, in_block);
  atomicMin(&r->least, i - 50);
  atomicMax(&r->most, i * 2);
  atomicExch(&r->exchanged, 77);
  atomicOr(&r->bits, 1u << (i % 32));
  atomicAnd(&r->cleared, ~(1u << (i % 8)));
  atomicXor(&r->toggled, 1u << (i % 16));
  atomicInc(&r->wrapped, 9);
  atomicAdd(&r->wide, 1ull << 33);
  atomicAdd(&r->floats, 0.5f);
  atomicAdd(&r->doubles, 0.25);
  add_by_compare(&r->locked, 3);
}

int main() {
  const int blocks = 5, threads = 64, n = blocks * threads;
  Results host = {}, *device;
  host.cleared = ~0u;
  CUDA(cudaMalloc(&device, sizeof host));
  CUDA(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice));
  update<<<blocks, threads>>>(device);
  CUDA(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host.sum == n * (n - 1) / 2);
  EXPECT(host.least == -50 && host.most == 2 * (n - 1) && host.exchanged == 77);
  EXPECT(host.bits == ~0u && host.cleared == 0xffffff00u);
  EXPECT(host.toggled == 0);  // 20 times each
  EXPECT(host.wrapped == n % 10);
  EXPECT(host.wide == (unsigned long long)n << 33);
  EXPECT(host.floats == 0.5f * n && host.doubles == 0.25 * n);
  EXPECT(host.locked == 3 * n);
  return passed();
}
