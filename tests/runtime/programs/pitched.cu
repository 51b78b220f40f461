// Two-dimensional memory: rows at a pitch, copies between different pitches, parts of rows.
#include <vector>

#include "check.h"

__global__ void transpose_signs(float* data, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = (float*)((char*)data + y * pitch);
  if ((x + y) % 2) row[x] = -row[x];
}

int main() {
  const int width = 75, height = 33;
  std::vector<float> image(width * height), back(width * height, 0.0f);
  for (int i = 0; i < width * height; ++i) image[i] = i + 1.0f;
  float* device;
  size_t pitch = 0;
  CUDA(cudaMallocPitch(&device, &pitch, width * sizeof(float), height));
  EXPECT(pitch >= width * sizeof(float) && pitch % 32 == 0);
  const size_t row = width * sizeof(float);
  CUDA(cudaMemcpy2D(device, pitch, image.data(), row, row, height, cudaMemcpyHostToDevice));
  transpose_signs<<<dim3(5, 9), dim3(16, 4)>>>(device, pitch, width, height);
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy2D(back.data(), row, device, pitch, row, height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) EXPECT(back[y * width + x] == ((x + y) % 2 ? -1 : 1) * image[y * width + x]);

  // A window of 10 by 5 to another place of the device, in a stream.
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  float* window;
  CUDA(cudaMalloc(&window, 10 * 5 * sizeof(float)));
  CUDA(cudaMemcpy2DAsync(window, 10 * sizeof(float), (char*)device + 7 * pitch + 3 * sizeof(float), pitch,
                         10 * sizeof(float), 5, cudaMemcpyDeviceToDevice, stream));
  float values[50];
  CUDA(cudaMemcpyAsync(values, window, sizeof values, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 10; ++x) EXPECT(values[y * 10 + x] == back[(y + 7) * width + x + 3]);

  EXPECT_ERROR(cudaMemcpy2D(device, 8, image.data(), row, row, height, cudaMemcpyHostToDevice),
               cudaErrorInvalidPitchValue);
  CUDA(cudaFree(device));
  return passed();
}
