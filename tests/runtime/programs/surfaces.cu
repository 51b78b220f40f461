// Surfaces: written and read by kernels, seen by copies and by textures over the same array, and what happens outside.
#include <vector>

#include "check.h"

constexpr int kWidth = 12, kHeight = 5, kLayers = 3;

static cudaArray_t make_array(const cudaChannelFormatDesc& format, int height, int depth, unsigned flags) {
  cudaArray_t array;
  CUDA(cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, height, depth), flags | cudaArraySurfaceLoadStore));
  return array;
}
static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface;
  CUDA(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}
template <class T>
static std::vector<T> contents(cudaArray_t array, int height, int depth) {
  std::vector<T> values(kWidth * height * depth);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(values.data(), kWidth * sizeof(T), kWidth, height);
  copy.extent = make_cudaExtent(kWidth, height, depth);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA(cudaMemcpy3D(&copy));
  return values;
}

// ---- a type of each size goes there and back

template <class T>
__host__ __device__ T value_at(int x, int y);
template <>
__host__ __device__ unsigned char value_at(int x, int y) {
  return (unsigned char)(16 * y + x);
}
template <>
__host__ __device__ short value_at(int x, int y) {
  return (short)(-300 * y + x);
}
template <>
__host__ __device__ float value_at(int x, int y) {
  return 0.5f * x + 100 * y;
}
template <>
__host__ __device__ float2 value_at(int x, int y) {
  return make_float2(x, -y);
}
template <>
__host__ __device__ uint4 value_at(int x, int y) {
  return make_uint4(x, y, x + y, 7);
}

template <class T>
__global__ void write_plane(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < kWidth) surf2Dwrite(value_at<T>(x, y), surface, x * (int)sizeof(T), y);
}
// Each value one to the right; zero is behind the end.
template <class T>
__global__ void move_plane(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = blockIdx.x;
  T value;
  surf2Dread(&value, from, (x + 1) * (int)sizeof(T), y, cudaBoundaryModeZero);
  surf2Dwrite(value, to, x * (int)sizeof(T), y, cudaBoundaryModeZero);  // threads behind the end write nothing
}

template <class T>
static void hold_size() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  const cudaArray_t from = make_array(format, kHeight, 0, 0), to = make_array(format, kHeight, 0, 0);
  const cudaSurfaceObject_t source = surface_of(from), target = surface_of(to);
  write_plane<T><<<kHeight, 32>>>(source);
  move_plane<T><<<kHeight, 32>>>(source, target);
  CUDA(cudaDeviceSynchronize());
  const std::vector<T> written = contents<T>(from, kHeight, 1), moved = contents<T>(to, kHeight, 1);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const T value = value_at<T>(x, y), next = x + 1 < kWidth ? value_at<T>(x + 1, y) : T();
      EXPECT(memcmp(&written[y * kWidth + x], &value, sizeof value) == 0);
      EXPECT(memcmp(&moved[y * kWidth + x], &next, sizeof next) == 0);
    }
  CUDA(cudaDestroySurfaceObject(source));
  CUDA(cudaDestroySurfaceObject(target));
  CUDA(cudaFreeArray(from));
  CUDA(cudaFreeArray(to));
}

// ---- other shapes

__global__ void write_shapes(cudaSurfaceObject_t line, cudaSurfaceObject_t volume, cudaSurfaceObject_t layers) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (y == 0 && z == 0) surf1Dwrite(3 * x, line, x * 4);
  surf3Dwrite(1000 * z + 100 * y + x, volume, x * 4, y, z);
  surf2DLayeredwrite(-(1000 * z + 100 * y + x), layers, x * 4, y, z);
}
__global__ void read_shapes(cudaSurfaceObject_t line, cudaSurfaceObject_t volume, cudaSurfaceObject_t layers,
                            int* out) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  // Zero where the two agree; the line is read from the left end for negative places.
  out[(z * kHeight + y) * kWidth + x] = surf3Dread<int>(volume, x * 4, y, z) +
                                        surf2DLayeredread<int>(layers, x * 4, y, z) +
                                        surf1Dread<int>(line, (x - kWidth) * 4, cudaBoundaryModeClamp);
}
__global__ void look(cudaTextureObject_t texture, int* out) {
  out[threadIdx.x] = tex2DLayered<int>(texture, threadIdx.x + 0.5f, 2.5f, 1);
}

static void hold_shapes() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  const cudaArray_t line = make_array(format, 0, 0, 0), volume = make_array(format, kHeight, kLayers, 0);
  const cudaArray_t layers = make_array(format, kHeight, kLayers, cudaArrayLayered);
  const cudaSurfaceObject_t on_line = surface_of(line), in_volume = surface_of(volume), on_layers = surface_of(layers);
  int* out;
  CUDA(cudaMallocManaged(&out, kWidth * kHeight * kLayers * sizeof(int)));
  write_shapes<<<dim3(kHeight, kLayers), kWidth>>>(on_line, in_volume, on_layers);
  read_shapes<<<dim3(kHeight, kLayers), kWidth>>>(on_line, in_volume, on_layers, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kWidth * kHeight * kLayers; ++i) EXPECT(out[i] == 0);
  const std::vector<int> found = contents<int>(layers, kHeight, kLayers), along = contents<int>(line, 1, 1);
  for (int i = 0; i < kWidth * kHeight * kLayers; ++i)
    EXPECT(found[i] == -(1000 * (i / kWidth / kHeight) + 100 * (i / kWidth % kHeight) + i % kWidth));
  for (int x = 0; x < kWidth; ++x) EXPECT(along[x] == 3 * x);

  const cudaResourceDesc resource = resource_of(layers);
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  look<<<1, kWidth>>>(texture, out);
  CUDA(cudaDeviceSynchronize());
  for (int x = 0; x < kWidth; ++x) EXPECT(out[x] == -(1200 + x));
  CUDA(cudaDestroyTextureObject(texture));
  for (const cudaSurfaceObject_t each : {on_line, in_volume, on_layers}) CUDA(cudaDestroySurfaceObject(each));
  for (const cudaArray_t each : {line, volume, layers}) CUDA(cudaFreeArray(each));
  CUDA(cudaFree(out));
}

static void hold_refusals() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t plain;
  CUDA(cudaMallocArray(&plain, &format, kWidth, kHeight));
  const cudaResourceDesc resource = resource_of(plain);
  cudaSurfaceObject_t surface;
  EXPECT_ERROR(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  cudaArray_t cube;  // five faces, and a face that is no square
  EXPECT_ERROR(cudaMalloc3DArray(&cube, &format, make_cudaExtent(4, 4, 5), cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMalloc3DArray(&cube, &format, make_cudaExtent(4, 8, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA(cudaFreeArray(plain));
}

int main() {
  hold_size<unsigned char>();
  hold_size<short>();
  hold_size<float>();
  hold_size<float2>();
  hold_size<uint4>();
  hold_shapes();
  hold_refusals();
  return passed();
}
