// Boxes: allocated at a pitch, copied whole and in part.
#include <vector>

#include "check.h"

__global__ void number(char* base, size_t pitch, int width, int height, int depth) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x < width && y < height && z < depth) ((int*)(base + (z * height + y) * pitch))[x] = (z * 100 + y) * 100 + x;
}

int main() {
  const int width = 9, height = 7, depth = 5;
  cudaPitchedPtr box;
  CUDA(cudaMalloc3D(&box, make_cudaExtent(width * sizeof(int), height, depth)));
  EXPECT(box.pitch >= width * sizeof(int) && box.ysize == height);
  number<<<depth, dim3(16, 8)>>>((char*)box.ptr, box.pitch, width, height, depth);
  CUDA(cudaGetLastError());

  std::vector<int> all(width * height * depth, -1);
  cudaMemcpy3DParms whole = {};
  whole.srcPtr = box;
  whole.dstPtr = make_cudaPitchedPtr(all.data(), width * sizeof(int), width, height);
  whole.extent = make_cudaExtent(width * sizeof(int), height, depth);
  whole.kind = cudaMemcpyDeviceToHost;
  CUDA(cudaMemcpy3D(&whole));
  for (int i = 0; i < width * height * depth; ++i)
    EXPECT(all[i] == (i / width / height * 100 + i / width % height) * 100 + i % width);

  // 4 by 3 by 2 from (2, 1, 3), back to (0, 0, 0) of the host.
  std::vector<int> part(width * height * depth, -1);
  cudaMemcpy3DParms some = whole;
  some.srcPos = make_cudaPos(2 * sizeof(int), 1, 3);
  some.dstPtr.ptr = part.data();
  some.extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  CUDA(cudaMemcpy3DAsync(&some, nullptr));
  CUDA(cudaDeviceSynchronize());
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool inside = x < 4 && y < 3 && z < 2;
        EXPECT(part[(z * height + y) * width + x] == (inside ? ((z + 3) * 100 + y + 1) * 100 + x + 2 : -1));
      }
  CUDA(cudaFree(box.ptr));
  return passed();
}
