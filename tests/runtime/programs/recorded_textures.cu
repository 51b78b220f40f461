// What filtering makes of weights, levels and directions, element by element: textures in which one channel is one at
// one element, so that a look-up gives the weights themselves. What is printed is compared with
// recorded_textures.expected, which is what an H200 printed.
#include <cmath>
#include <vector>

#include "check.h"

enum Kind { Plane, Volume, Level, Cube, Gather };

struct Question {
  float at[3];
  float level;
};

__global__ void answer(cudaTextureObject_t texture, Kind kind, const Question* questions, float4* answers) {
  const Question q = questions[blockIdx.x];
  float4 v;
  switch (kind) {
    case Plane: v = tex2D<float4>(texture, q.at[0], q.at[1]); break;
    case Volume: v = tex3D<float4>(texture, q.at[0], q.at[1], q.at[2]); break;
    case Level: v = tex2DLod<float4>(texture, q.at[0], q.at[1], q.level); break;
    case Cube: v = texCubemap<float4>(texture, q.at[0], q.at[1], q.at[2]); break;
    case Gather: v = tex2Dgather<float4>(texture, q.at[0], q.at[1], 0); break;
  }
  answers[blockIdx.x] = v;
}

static const cudaChannelFormatDesc kFormat = cudaCreateChannelDesc<float4>();
static unsigned seed = 1;

static unsigned chance(unsigned below) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % below;
}

static float4 channel(int which) { return make_float4(which == 0, which == 1, which == 2, which == 3); }

// By parity of x and y: the four elements around any point have a channel each.
static std::vector<float4> corners(int side, int slices, bool (*counts)(int slice)) {
  std::vector<float4> values;
  for (int z = 0; z < slices; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) values.push_back(counts(z) ? channel((x & 1) + 2 * (y & 1)) : channel(-1));
  return values;
}

static void fill(cudaArray_t array, const std::vector<float4>& values, int side, int slices) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void*)values.data(), side * sizeof(float4), side, side);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(side, side, slices);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
}

static cudaResourceDesc image(const std::vector<float4>& values, int side, int slices, unsigned flags) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CUDA(cudaMalloc3DArray(&resource.res.array.array, &kFormat, make_cudaExtent(side, side, slices), flags));
  fill(resource.res.array.array, values, side, slices ? slices : 1);
  return resource;
}

static cudaTextureDesc description(cudaTextureFilterMode filter, bool normalized) {
  cudaTextureDesc how = {};
  for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
  how.filterMode = filter;
  how.normalizedCoords = normalized;
  return how;
}

static void ask(const char* name, const cudaResourceDesc& resource, const cudaTextureDesc& how, Kind kind,
                const std::vector<Question>& questions) {
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  Question* in;
  float4* out;
  CUDA(cudaMalloc(&in, questions.size() * sizeof(Question)));
  CUDA(cudaMalloc(&out, questions.size() * sizeof(float4)));
  CUDA(cudaMemcpy(in, questions.data(), questions.size() * sizeof(Question), cudaMemcpyHostToDevice));
  answer<<<(unsigned)questions.size(), 1>>>(texture, kind, in, out);
  std::vector<float4> answers(questions.size());
  CUDA(cudaMemcpy(answers.data(), out, answers.size() * sizeof(float4), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < answers.size(); ++i) {
    const Question& q = questions[i];
    const float4& v = answers[i];
    printf("%s %g %g %g %g: %a %a %a %a\n", name, q.at[0], q.at[1], q.at[2], q.level, v.x, v.y, v.z, v.w);
  }
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
  CUDA(cudaDestroyTextureObject(texture));
}

static bool first(int slice) { return slice == 0; }
static bool second(int slice) { return slice == 1; }

// Coordinates between 1.5 and 2.5 elements of four, in steps of 1/512 of an element.
static float within() { return (768 + chance(513)) / 512.0f; }

static void planes() {
  std::vector<Question> list;
  for (int i = 0; i < 200; ++i) list.push_back({{within(), within(), 0}, 0});
  ask("plane", image(corners(4, 1, first), 4, 0, cudaArrayDefault), description(cudaFilterModeLinear, false), Plane,
      list);
  list.clear();
  for (int i = 0; i < 64; ++i) list.push_back({{2.25f + i / 128.0f, 2.75f - i / 512.0f, 0}, 0});
  ask("gather", image(corners(4, 1, first), 4, 0, cudaArrayTextureGather), description(cudaFilterModeLinear, false),
      Gather, list);
}

static void volumes() {
  std::vector<Question> list;
  for (int i = 0; i < 150; ++i) list.push_back({{within(), within(), 0.5f + chance(257) / 256.0f}, 0});
  for (const auto counts : {first, second})
    ask("volume", image(corners(4, 2, counts), 4, 2, cudaArrayDefault), description(cudaFilterModeLinear, false),
        Volume, list);
}

static void levels() {
  std::vector<Question> list;
  for (int i = 0; i < 100; ++i) list.push_back({{within() / 4, within() / 4, 0}, chance(1025) / 1024.0f});
  for (int i = -8; i < 32; ++i) list.push_back({{0.4f, 0.7f, 0}, i / 16.0f});
  for (const bool upper : {false, true}) {
    cudaResourceDesc mips = {};
    mips.resType = cudaResourceTypeMipmappedArray;
    CUDA(cudaMallocMipmappedArray(&mips.res.mipmap.mipmap, &kFormat, make_cudaExtent(4, 4, 0), 2));
    for (int level = 0; level < 2; ++level) {
      cudaArray_t array;
      CUDA(cudaGetMipmappedArrayLevel(&array, mips.res.mipmap.mipmap, level));
      fill(array, corners(4 >> level, 1, upper == (level == 1) ? first : second), 4 >> level, 1);
    }
    for (const auto filter : {cudaFilterModeLinear, cudaFilterModePoint}) {
      cudaTextureDesc how = description(filter, true);
      how.mipmapFilterMode = cudaFilterModeLinear;
      how.maxMipmapLevelClamp = 1;
      ask("level", mips, how, Level, list);
      how.mipmapFilterMode = cudaFilterModePoint;
      how.mipmapLevelBias = 0.25f;
      ask("biased", mips, how, Level, list);
    }
  }
}

// The elements are thirds, so that sums are rounded.
static void cubes() {
  std::vector<float4> values;
  for (int i = 0; i < 96; ++i) values.push_back(make_float4(i / 3.0f, i / -3.0f, i / 48.0f, i));
  const cudaResourceDesc cube = image(values, 4, 6, cudaArrayCubemap);
  const float coordinates[] = {-1, -0.5f, -0.0f, 0, 0.5f, 1, NAN};
  std::vector<Question> list;
  for (const float x : coordinates)
    for (const float y : coordinates)
      for (const float z : coordinates) list.push_back({{x, y, z}, 0});
  for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear})
    ask("cube", cube, description(filter, true), Cube, list);
}

int main() {
  planes();
  volumes();
  levels();
  cubes();
  return passed();
}
