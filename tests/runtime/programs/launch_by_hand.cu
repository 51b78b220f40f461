// cudaLaunchKernel: a kernel by its address, its arguments by theirs; structures, bytes and doubles among them.
#include "check.h"

struct Settings {
  char tag;
  double factor;
  int offsets[3];
};

__global__ void mixed(int* out, signed char first, short second, Settings settings, float third, unsigned long long fourth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (int)(first + second + settings.tag + settings.factor * i + settings.offsets[i % 3] + third + fourth);
}

__global__ void coordinates(int3* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + thread] = make_int3((int)blockIdx.x, (int)threadIdx.y, (int)(blockIdx.z * 10 + threadIdx.z));
}

int main() {
  int *device, out[64];
  CUDA(cudaMalloc(&device, sizeof out));
  signed char first = -3;
  short second = 500;
  Settings settings = {7, 2.5, {10, 20, 30}};
  float third = 0.25f;
  unsigned long long fourth = 1ull << 20;
  void* arguments[] = {&device, &first, &second, &settings, &third, &fourth};
  CUDA(cudaLaunchKernel((const void*)mixed, dim3(2), dim3(32), arguments, 0, nullptr));
  CUDA(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(out[i] == (int)(-3 + 500 + 7 + 2.5 * i + settings.offsets[i % 3] + 0.25f + fourth));

  // By <<<…>>> the same bytes.
  mixed<<<2, 32>>>(device, first, second, settings, third, fourth + 1);
  int more[64];
  CUDA(cudaMemcpy(more, device, sizeof more, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(more[i] == out[i] + 1);

  // Three dimensions of both.
  const dim3 grid(3, 2, 2), block(4, 3, 2);
  int3 *places, host[12 * 24];
  CUDA(cudaMalloc(&places, sizeof host));
  void* one[] = {&places};
  CUDA(cudaLaunchKernel((const void*)coordinates, grid, block, one, 0, nullptr));
  CUDA(cudaMemcpy(host, places, sizeof host, cudaMemcpyDeviceToHost));
  for (int b = 0; b < 12; ++b)
    for (int t = 0; t < 24; ++t) {
      const int3 found = host[b * 24 + t];
      EXPECT(found.x == b % 3 && found.y == t / 4 % 3 && found.z == b / 6 * 10 + t / 12);
    }
  static int no_kernel;
  EXPECT_ERROR(cudaLaunchKernel((const void*)&no_kernel, grid, block, one, 0, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaLaunchKernel(nullptr, grid, block, one, 0, nullptr), cudaErrorInvalidDeviceFunction);
  return passed();
}
