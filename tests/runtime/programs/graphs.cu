// Graphs: either they work, or each call says at once that it is not supported, and the rest of the program works on.
#include "check.h"

__global__ void increment(int* value) { *value += 1; }

int main() {
  int *device, host = 0;
  CUDA(cudaMalloc(&device, sizeof host));
  CUDA(cudaMemset(device, 0, sizeof host));
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  cudaGraph_t graph = nullptr;
  const cudaError_t created = cudaGraphCreate(&graph, 0);
  EXPECT(created == cudaSuccess || created == cudaErrorNotSupported);
  if (created == cudaSuccess) CUDA(cudaGraphDestroy(graph));

  const cudaError_t begun = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  EXPECT(begun == cudaSuccess || begun == cudaErrorNotSupported);
  EXPECT(begun == created);
  if (begun == cudaSuccess) {
    CUDA(cudaStreamEndCapture(stream, &graph));
  } else {
    EXPECT_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorNotSupported);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorNotSupported);
  }
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  increment<<<1, 1, 0, stream>>>(device);
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host == 1);
  return passed();
}
