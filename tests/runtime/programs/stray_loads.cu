// A kernel that reads a row too many, before the first row and behind the last, and does not use it: a mistake that
// hardware lets pass, and known programs have it. (volatile: else the compiler reads the right place at once.)
#include "check.h"

__global__ void smooth(const volatile float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x, column = threadIdx.x;
  float above = in[(row - 1) * columns + column];
  float below = in[(row + 1) * columns + column];
  if (row == 0) above = in[column];
  if (row == rows - 1) below = in[row * columns + column];
  out[row * columns + column] = above + in[row * columns + column] + below;
}

int main() {
  const int rows = 4, columns = 64, n = rows * columns;
  float in[n], out[n], *device_in, *device_out;
  for (int i = 0; i < n; ++i) in[i] = (float)(i % 17);
  CUDA(cudaMalloc(&device_in, sizeof in));  // the first allocation: before it there is none
  CUDA(cudaMalloc(&device_out, sizeof out));
  CUDA(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  smooth<<<rows, columns>>>(device_in, device_out, rows, columns);
  CUDA(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const int above = i < columns ? i : i - columns, below = i >= n - columns ? i : i + columns;
    EXPECT(out[i] == in[above] + in[i] + in[below]);
  }
  return passed();
}
