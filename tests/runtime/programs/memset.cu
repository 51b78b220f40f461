// Filling memory: bytes, parts, rows at a pitch, in a stream, and a box.
#include <vector>

#include "check.h"

int main() {
  const size_t n = 4096;
  unsigned char* device;
  std::vector<unsigned char> bytes(n);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMalloc(&device, n));
  CUDA(cudaMemset(device, 0x5a, n));
  CUDA(cudaMemset(device + 100, 0x1ff, 50));  // the low byte counts
  CUDA(cudaMemsetAsync(device + 1000, 7, 24, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemcpy(bytes.data(), device, n, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; ++i) {
    const int expected = i >= 100 && i < 150 ? 0xff : i >= 1000 && i < 1024 ? 7 : 0x5a;
    EXPECT(bytes[i] == expected);
  }

  // Rows of 48 bytes at a pitch of 64; what lies between stays.
  CUDA(cudaMemset2D(device, 64, 1, 48, 10));
  CUDA(cudaMemset2DAsync(device + 2048, 64, 2, 16, 5, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemcpy(bytes.data(), device, n, cudaMemcpyDeviceToHost));
  for (size_t i = 2048; i < 2048 + 5 * 64; ++i) EXPECT(bytes[i] == (i % 64 < 16 ? 2 : 0x5a));
  for (size_t i = 150; i < 640; ++i) EXPECT(bytes[i] == (i % 64 < 48 ? 1 : 0x5a));

  cudaPitchedPtr box;
  const cudaExtent extent = make_cudaExtent(40, 6, 4);
  CUDA(cudaMalloc3D(&box, extent));
  CUDA(cudaMemset3D(box, 9, extent));
  std::vector<unsigned char> rows(40 * 24);
  CUDA(cudaMemcpy2D(rows.data(), 40, box.ptr, box.pitch, 40, 24, cudaMemcpyDeviceToHost));
  for (unsigned char value : rows) EXPECT(value == 9);
  EXPECT_ERROR(cudaMemset(nullptr, 0, 16), cudaErrorInvalidValue);
  return passed();
}
