// Streams: work in one stream is in order, copies in it too; queries, flags, the default stream.
#include <vector>

#include "check.h"

__global__ void scale_and_add(int* data, int n, int factor, int term) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = data[i] * factor + term;
}

int main() {
  const int streams = 4, n = 2048;
  cudaStream_t stream[streams];
  int *pinned[streams], *device[streams];
  for (int s = 0; s < streams; ++s) {
    CUDA(cudaStreamCreateWithFlags(&stream[s], s % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
    CUDA(cudaMallocHost(&pinned[s], n * sizeof(int)));
    CUDA(cudaMalloc(&device[s], n * sizeof(int)));
    for (int i = 0; i < n; ++i) pinned[s][i] = i + s;
  }
  for (int s = 0; s < streams; ++s) {
    CUDA(cudaMemcpyAsync(device[s], pinned[s], n * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
    scale_and_add<<<4, 128, 0, stream[s]>>>(device[s], n, 3, 1);
    scale_and_add<<<2, 64, 0, stream[s]>>>(device[s], n, 2, s);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(pinned[s], device[s], n * sizeof(int), cudaMemcpyDeviceToHost, stream[s]));
  }
  for (int s = 0; s < streams; ++s) {
    const cudaError_t state = cudaStreamQuery(stream[s]);
    EXPECT(state == cudaSuccess || state == cudaErrorNotReady);
    CUDA(cudaStreamSynchronize(stream[s]));
    EXPECT_ERROR(cudaStreamQuery(stream[s]), cudaSuccess);
    for (int i = 0; i < n; ++i) EXPECT(pinned[s][i] == ((i + s) * 3 + 1) * 2 + s);
  }
  unsigned flags = 99;
  CUDA(cudaStreamGetFlags(stream[1], &flags));
  EXPECT(flags == cudaStreamNonBlocking);

  // The default streams by name.
  scale_and_add<<<1, 32, 0, cudaStreamLegacy>>>(device[0], n, 0, 5);
  scale_and_add<<<1, 32, 0, cudaStreamPerThread>>>(device[1], n, 0, 6);
  CUDA(cudaStreamSynchronize(cudaStreamPerThread));
  CUDA(cudaStreamSynchronize(0));
  int value = 0;
  CUDA(cudaMemcpy(&value, device[0] + n - 1, sizeof value, cudaMemcpyDeviceToHost));
  EXPECT(value == 5);
  CUDA(cudaMemcpy(&value, device[1] + n - 1, sizeof value, cudaMemcpyDeviceToHost));
  EXPECT(value == 6);
  for (int s = 0; s < streams; ++s) {
    CUDA(cudaStreamDestroy(stream[s]));
    CUDA(cudaFreeHost(pinned[s]));
    CUDA(cudaFree(device[s]));
  }
  return passed();
}
