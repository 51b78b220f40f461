// Textures with layers, cubes and mip levels, and four elements at once, against what the host works out from the
// images by the rules of the programming guide.
#include <cmath>
#include <vector>

#include "check.h"

constexpr int kWidth = 8, kHeight = 4, kLayers = 3, kSide = 4, kFaces = 6, kLevels = 3;
constexpr int kThreads = 64;

static float element(int x, int y, int layer) { return 100.0f * layer + 10.0f * y + x; }

static std::vector<float> image(int width, int height, int layers) {
  std::vector<float> values;
  for (int layer = 0; layer < layers; ++layer)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) values.push_back(element(x, y, layer));
  return values;
}

static void fill(cudaArray_t array, const std::vector<float>& values, int width, int height, int depth) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void*)values.data(), width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
}

static cudaTextureDesc description(bool linear, bool normalized) {
  cudaTextureDesc how = {};
  for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.normalizedCoords = normalized;
  return how;
}

static cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc& how) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

static cudaArray_t array_of(int width, int height, int depth, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CUDA(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  fill(array, image(width, height ? height : 1, depth), width, height ? height : 1, depth);
  return array;
}

static int clamped(int at, int size) { return at < 0 ? 0 : at >= size ? size - 1 : at; }

// The mean of the elements around a place in a plane, with weights of 1/256.
static float mean(float x, float y, int width, int height, int layer) {
  const float left = floorf(x - 0.5f), above = floorf(y - 0.5f);
  const float right_part = roundf((x - 0.5f - left) * 256) / 256, lower_part = roundf((y - 0.5f - above) * 256) / 256;
  const auto at = [&](int dx, int dy) {
    return element(clamped((int)left + dx, width), clamped((int)above + dy, height), layer);
  };
  const float upper = at(0, 0) * (1 - right_part) + at(1, 0) * right_part;
  const float lower = at(0, 1) * (1 - right_part) + at(1, 1) * right_part;
  return upper * (1 - lower_part) + lower * lower_part;
}

static bool near(float found, float expected) { return fabsf(found - expected) <= 1e-3f; }

// ---- layers

__device__ float place_x(int i) { return 0.25f + 0.125f * i; }
static float host_x(int i) { return 0.25f + 0.125f * i; }

__global__ void read_layers(cudaTextureObject_t planes, cudaTextureObject_t lines, float* out) {
  const int i = threadIdx.x;
  out[2 * i] = tex2DLayered<float>(planes, place_x(i), place_x(i) / 2, i % kLayers);
  tex1DLayered(&out[2 * i + 1], lines, place_x(i), i % kLayers);
}

static void hold_layers(float* out) {
  for (const bool linear : {false, true}) {
    const cudaArray_t planes = array_of(kWidth, kHeight, kLayers, cudaArrayLayered);
    const cudaArray_t lines = array_of(kWidth, 0, kLayers, cudaArrayLayered);
    const cudaTextureDesc how = description(linear, false);
    const cudaTextureObject_t plane = texture_of(planes, how), line = texture_of(lines, how);
    read_layers<<<1, kThreads>>>(plane, line, out);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < kThreads; ++i) {
      const float x = host_x(i);
      const int layer = i % kLayers;
      const float in_plane = linear ? mean(x, x / 2, kWidth, kHeight, layer)
                                    : element(clamped((int)x, kWidth), clamped((int)(x / 2), kHeight), layer);
      const float in_line = linear ? mean(x, 0.5f, kWidth, 1, layer) : element(clamped((int)x, kWidth), 0, layer);
      EXPECT(near(out[2 * i], in_plane));
      EXPECT(near(out[2 * i + 1], in_line));
    }
    CUDA(cudaDestroyTextureObject(plane));
    CUDA(cudaDestroyTextureObject(line));
    CUDA(cudaFreeArray(planes));
    CUDA(cudaFreeArray(lines));
  }
}

// ---- cubes: a thread looks from the middle of each element of each face

// Of the face, with s to the right and t downwards, both from -1 to 1.
__host__ __device__ inline void direction(int face, float s, float t, float* x, float* y, float* z) {
  switch (face) {
    case 0: *x = 1, *y = -t, *z = -s; break;
    case 1: *x = -1, *y = -t, *z = s; break;
    case 2: *x = s, *y = 1, *z = t; break;
    case 3: *x = s, *y = -1, *z = -t; break;
    case 4: *x = s, *y = -t, *z = 1; break;
    default: *x = -s, *y = -t, *z = -1; break;
  }
}

__global__ void read_cubes(cudaTextureObject_t cube, cudaTextureObject_t cubes, float far, float* out) {
  const int i = threadIdx.x, face = blockIdx.x;
  const float s = (i % kSide + 0.5f) / kSide * 2 - 1, t = (i / kSide + 0.5f) / kSide * 2 - 1;
  float x, y, z;
  direction(face, s, t, &x, &y, &z);
  const int at = 2 * (face * kSide * kSide + i);
  out[at] = texCubemap<float>(cube, far * x, far * y, far * z);
  out[at + 1] = texCubemapLayered<float>(cubes, far * x, far * y, far * z, 1);
}

static void hold_cubes(float* out) {
  const cudaArray_t one = array_of(kSide, kSide, kFaces, cudaArrayCubemap);
  const cudaArray_t two = array_of(kSide, kSide, 2 * kFaces, cudaArrayCubemap | cudaArrayLayered);
  for (const bool linear : {false, true}) {
    const cudaTextureDesc how = description(linear, true);
    const cudaTextureObject_t cube = texture_of(one, how), cubes = texture_of(two, how);
    read_cubes<<<kFaces, kSide * kSide>>>(cube, cubes, 4.0f, out);
    CUDA(cudaDeviceSynchronize());
    for (int face = 0; face < kFaces; ++face)
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
          const int at = 2 * ((face * kSide + y) * kSide + x);
          EXPECT(near(out[at], element(x, y, face)));
          EXPECT(near(out[at + 1], element(x, y, kFaces + face)));
        }
    CUDA(cudaDestroyTextureObject(cube));
    CUDA(cudaDestroyTextureObject(cubes));
  }
  CUDA(cudaFreeArray(one));
  CUDA(cudaFreeArray(two));
}

// ---- mip levels: level n is everywhere 10 + n

__global__ void read_levels(cudaTextureObject_t texture, float* out) {
  const int i = threadIdx.x;
  const float level = i / 16.0f;
  out[3 * i] = tex2DLod<float>(texture, 0.3f, 0.6f, level);
  // A step that is 2^level elements of the first level long, and a shorter one.
  const float step = exp2f(level) / kWidth;
  out[3 * i + 1] = tex2DGrad<float>(texture, 0.3f, 0.6f, make_float2(step, 0), make_float2(0, step / 4));
  out[3 * i + 2] = tex2D<float>(texture, 0.3f, 0.6f);
}

static void hold_levels(float* out) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmaps;
  CUDA(cudaMallocMipmappedArray(&mipmaps, &format, make_cudaExtent(kWidth, kWidth, 0), kLevels, 0));
  for (int level = 0; level < kLevels; ++level) {
    cudaArray_t array;
    CUDA(cudaGetMipmappedArrayLevel(&array, mipmaps, level));
    cudaExtent extent;
    CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT(extent.width == (size_t)kWidth >> level && extent.height == (size_t)kWidth >> level);
    fill(array, std::vector<float>(extent.width * extent.height, 10.0f + level), (int)extent.width, (int)extent.height,
         1);
  }
  cudaArray_t none;
  EXPECT_ERROR(cudaGetMipmappedArrayLevel(&none, mipmaps, kLevels), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmaps;
  for (const bool linear : {false, true}) {
    cudaTextureDesc how = description(true, true);
    how.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.minMipmapLevelClamp = 0.25f;
    how.maxMipmapLevelClamp = 1.75f;
    cudaTextureObject_t texture;
    CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    read_levels<<<1, kThreads>>>(texture, out);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < kThreads; ++i) {
      const float level = fminf(fmaxf(i / 16.0f, 0.25f), 1.75f);
      const float expected = 10 + (linear ? level : floorf(level + 0.5f));
      EXPECT(near(out[3 * i], expected));
      if (linear || fabsf(level - floorf(level) - 0.5f) > 0.01f) EXPECT(fabsf(out[3 * i + 1] - expected) < 0.01f);
      EXPECT(out[3 * i + 2] == 10);
    }
    CUDA(cudaDestroyTextureObject(texture));
  }
  CUDA(cudaFreeMipmappedArray(mipmaps));
}

// ---- four elements at once, and addressing

__global__ void gather(cudaTextureObject_t texture, float* out) {
  const float4 four = tex2Dgather<float4>(texture, 3.25f, 2.0f, 0);
  out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
}
__global__ void read_outside(cudaTextureObject_t texture, float* out) {
  out[0] = tex2D<float>(texture, 1.1f, 0.1f);
  out[1] = tex2D<float>(texture, -0.4f, 0.1f);
}

static void hold_others(float* out) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CUDA(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArrayTextureGather));
  fill(array, image(kWidth, kHeight, 1), kWidth, kHeight, 1);
  cudaTextureObject_t texture = texture_of(array, description(true, false));
  gather<<<1, 1>>>(texture, out);
  CUDA(cudaDeviceSynchronize());
  // From below on the left against the clock's hands.
  EXPECT(out[0] == element(2, 2, 0) && out[1] == element(3, 2, 0) && out[2] == element(3, 1, 0) &&
         out[3] == element(2, 1, 0));
  CUDA(cudaDestroyTextureObject(texture));

  const struct {
    cudaTextureAddressMode mode;
    float right, left;
  } modes[] = {{cudaAddressModeClamp, 7, 0},
               {cudaAddressModeWrap, 0, 4},
               {cudaAddressModeMirror, 7, 3},
               {cudaAddressModeBorder, 0, 0}};
  for (const auto& each : modes) {
    cudaTextureDesc how = description(false, true);
    how.addressMode[0] = each.mode;
    texture = texture_of(array, how);
    read_outside<<<1, 1>>>(texture, out);
    CUDA(cudaDeviceSynchronize());
    EXPECT(out[0] == each.right && out[1] == each.left);
    CUDA(cudaDestroyTextureObject(texture));
  }
  CUDA(cudaFreeArray(array));
}

int main() {
  float* out;
  CUDA(cudaMallocManaged(&out, 4096 * sizeof(float)));
  hold_layers(out);
  hold_cubes(out);
  hold_levels(out);
  hold_others(out);
  CUDA(cudaFree(out));
  return passed();
}
