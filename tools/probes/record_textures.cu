// What a GPU makes of texture look-ups that the programming guide leaves open: a line each, the result in bits.
//   nvcc -arch=compute_75 tools/probes/record_textures.cu -o record_textures
//   ./record_textures > gpu.txt; heddle exec --emulate --quiet -- ./record_textures > ours.txt; diff gpu.txt ours.txt
// The GPU's answers are facts to go by (docs/deviations.md says what is assumed here).
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA(call)                                                   \
  do {                                                               \
    const cudaError_t error = (call);                                \
    if (error != cudaSuccess) {                                      \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      exit(1);                                                       \
    }                                                                \
  } while (0)

struct Question {
  float4 at, more;  // coordinates, and the level or a gradient
  int layer;
};
enum Kind { Plain, Layered, Cube, Level, Gradient, Gather };

__global__ void answer(cudaTextureObject_t texture, Kind kind, const Question* questions, float4* answers) {
  const Question q = questions[blockIdx.x];
  float4 v = make_float4(0, 0, 0, 0);
  switch (kind) {
    case Plain: v.x = tex2D<float>(texture, q.at.x, q.at.y); break;
    case Layered: v.x = tex2DLayered<float>(texture, q.at.x, q.at.y, q.layer); break;
    case Cube: v.x = texCubemap<float>(texture, q.at.x, q.at.y, q.at.z); break;
    case Level: v.x = tex2DLod<float>(texture, q.at.x, q.at.y, q.more.x); break;
    case Gradient:
      v.x = tex2DGrad<float>(texture, q.at.x, q.at.y, make_float2(q.more.x, q.more.y), make_float2(q.more.z, q.more.w));
      break;
    case Gather: v = tex2Dgather<float4>(texture, q.at.x, q.at.y, 0); break;
  }
  answers[blockIdx.x] = v;
}

static const cudaChannelFormatDesc kFormat = cudaCreateChannelDesc<float>();
static constexpr int kSide = 8;

// The element at x, y of slice z is 100 z + 10 y + x, divided by three so that all bits are in use.
static void fill(cudaArray_t array, int side, int slices) {
  std::vector<float> values;
  for (int i = 0; i < side * side * slices; ++i)
    values.push_back((100 * (i / side / side) + 10 * (i / side % side) + i % side) / 3.0f);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), side * sizeof(float), side, side);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(side, side, slices);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
}

static cudaTextureDesc description(bool linear, bool normalized, cudaTextureAddressMode mode) {
  cudaTextureDesc how = {};
  for (auto& each : how.addressMode) each = mode;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.normalizedCoords = normalized;
  return how;
}

static void ask(const char* name, const cudaResourceDesc& resource, const cudaTextureDesc& how, Kind kind,
                const std::vector<Question>& questions) {
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  Question* in;
  float4* out;
  CUDA(cudaMallocManaged(&in, questions.size() * sizeof(Question)));
  CUDA(cudaMallocManaged(&out, questions.size() * sizeof(float4)));
  memcpy(in, questions.data(), questions.size() * sizeof(Question));
  answer<<<(unsigned)questions.size(), 1>>>(texture, kind, in, out);
  CUDA(cudaDeviceSynchronize());
  for (size_t i = 0; i < questions.size(); ++i) {
    unsigned bits[4];
    memcpy(bits, &out[i], sizeof bits);
    const Question& q = questions[i];
    printf("%s %a %a %a %d %a %a %a %a: %08x %08x %08x %08x\n", name, q.at.x, q.at.y, q.at.z, q.layer, q.more.x,
           q.more.y, q.more.z, q.more.w, bits[0], bits[1], bits[2], bits[3]);
  }
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
  CUDA(cudaDestroyTextureObject(texture));
}

static cudaResourceDesc slices(int count, unsigned flags) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CUDA(cudaMalloc3DArray(&resource.res.array.array, &kFormat, make_cudaExtent(kSide, kSide, count), flags));
  fill(resource.res.array.array, kSide, count);
  return resource;
}

int main() {
  std::vector<Question> list;
  cudaResourceDesc plane = {};
  plane.resType = cudaResourceTypeArray;
  CUDA(cudaMallocArray(&plane.res.array.array, &kFormat, kSide, kSide, cudaArrayTextureGather));
  fill(plane.res.array.array, kSide, 1);
  for (int i = 0; i < 4096; ++i) list.push_back({{2 + i / 2048.0f, 3.3f, 0, 0}, {}, 0});
  ask("weight", plane, description(true, false, cudaAddressModeClamp), Plain, list);
  list.clear();
  for (int i = 0; i < 256; ++i) list.push_back({{2.25f + i / 512.0f, 2.5f, 0, 0}, {}, 0});
  ask("gather", plane, description(true, false, cudaAddressModeClamp), Gather, list);
  list.clear();
  for (int i = -40; i < 60; ++i) list.push_back({{i / 16.0f, 0.3f, 0, 0}, {}, 0});
  for (const auto mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
    ask("outside", plane, description(true, true, mode), Plain, list);

  list.clear();
  for (int layer : {-2, -1, 0, 1, 2, 3, 4, 1 << 16, 1 << 30}) list.push_back({{1.5f, 2.5f, 0, 0}, {}, layer});
  ask("layer", slices(3, cudaArrayLayered), description(false, false, cudaAddressModeClamp), Layered, list);

  list.clear();
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) list.push_back({{x / 2.0f, y / 2.0f, z / 2.0f, 0}, {}, 0});
  const cudaResourceDesc cube = slices(6, cudaArrayCubemap);
  for (const bool linear : {false, true})
    for (const auto mode : {cudaAddressModeWrap, cudaAddressModeClamp})
      ask("cube", cube, description(linear, true, mode), Cube, list);

  cudaResourceDesc mipmaps = {};
  mipmaps.resType = cudaResourceTypeMipmappedArray;
  CUDA(cudaMallocMipmappedArray(&mipmaps.res.mipmap.mipmap, &kFormat, make_cudaExtent(kSide, kSide, 0), 4));
  for (int level = 0; level < 4; ++level) {
    cudaArray_t array;
    CUDA(cudaGetMipmappedArrayLevel(&array, mipmaps.res.mipmap.mipmap, level));
    fill(array, kSide >> level, 1);
  }
  cudaTextureDesc how = description(true, true, cudaAddressModeClamp);
  how.maxMipmapLevelClamp = 3;
  for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear})
    for (const float bias : {0.0f, 0.75f}) {
      how.mipmapFilterMode = filter;
      how.mipmapLevelBias = bias;
      list.clear();
      for (int i = -64; i < 1088; ++i) list.push_back({{0.4f, 0.7f, 0, 0}, {i / 256.0f, 0, 0, 0}, 0});
      ask("level", mipmaps, how, Level, list);
      list.clear();
      for (int i = 1; i < 256; ++i)
        for (const float other : {0.0f, 0.25f, 1.0f})
          list.push_back({{0.4f, 0.7f, 0, 0}, {i / 128.0f, other / 16, other * i / 256, i / 200.0f}, 0});
      ask("gradient", mipmaps, how, Gradient, list);
    }
  return 0;
}
