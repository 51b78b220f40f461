// What programs of 2010 expect of CUDA that later versions dropped, for `heddle cc` (tools/measure-originals includes it
// on the command line): names of the runtime that changed, and texture references.
//
// A texture reference is a variable of the device in which a texture object lies; `tex` names it by its symbol, as
// compilers of the time wrote it. Its definition must say __device__ (the driver script adds the word).
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat };
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };

template <class T, int dimensions = 1, cudaTextureReadMode read_mode = cudaReadModeElementType>
struct texture {
  using Element = T;
  alignas(8) char object[96];  // what `tex` reads
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};

// ---- in kernels

// A series where 1 - … would lose digits, the exponential elsewhere.
static __forceinline__ __device__ float tanhf(float x) {
  const float size = fabsf(x);
  if (size >= 0.55f) return copysignf(1.0f - 2.0f / (expf(2.0f * size) + 1.0f), x);
  const float square = x * x;
  return x + x * square * (-0.33333334f + square * (0.13333334f + square * (-0.05396825f + square * 0.02186949f)));
}

template <class T>
struct HeddleTexel {  // of a vector: what one component is, and how many there are
  using Part = decltype(T::x);
  static constexpr bool vector = true;
};
#define HEDDLE_SCALAR_TEXEL(type)         \
  template <>                             \
  struct HeddleTexel<type> {              \
    using Part = type;                    \
    static constexpr bool vector = false; \
  };
HEDDLE_SCALAR_TEXEL(float)
HEDDLE_SCALAR_TEXEL(int)
HEDDLE_SCALAR_TEXEL(unsigned)
HEDDLE_SCALAR_TEXEL(char)
HEDDLE_SCALAR_TEXEL(signed char)
HEDDLE_SCALAR_TEXEL(unsigned char)
HEDDLE_SCALAR_TEXEL(short)
HEDDLE_SCALAR_TEXEL(unsigned short)
#undef HEDDLE_SCALAR_TEXEL

template <class T>
static __forceinline__ __device__ T heddle_texel(const unsigned (&bits)[4]) {
  using Part = typename HeddleTexel<T>::Part;
  T texel;
  Part parts[4];
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(Part) == 4)
      parts[i] = __builtin_bit_cast(Part, bits[i]);
    else
      parts[i] = (Part)bits[i];
  }
  if constexpr (HeddleTexel<T>::vector)
    __builtin_memcpy(&texel, parts, sizeof texel);
  else
    texel = parts[0];
  return texel;
}

#define HEDDLE_TEX(reference, form, where, ...)                                          \
  ({                                                                                     \
    unsigned heddle_bits[4];                                                             \
    asm("tex." form " {%0, %1, %2, %3}, [" #reference ", " where "];"                    \
        : "=r"(heddle_bits[0]), "=r"(heddle_bits[1]), "=r"(heddle_bits[2]), "=r"(heddle_bits[3]) \
        : __VA_ARGS__);                                                                  \
    heddle_texel<decltype(reference)::Element>(heddle_bits);                             \
  })
#define tex1Dfetch(reference, i) HEDDLE_TEX(reference, "1d.v4.u32.s32", "{%4}", "r"((int)(i)))
#define tex1D(reference, x) HEDDLE_TEX(reference, "1d.v4.u32.f32", "{%4}", "f"((float)(x)))
#define tex2D(reference, x, y) HEDDLE_TEX(reference, "2d.v4.u32.f32", "{%4, %5}", "f"((float)(x)), "f"((float)(y)))

// ---- on the host

static inline __host__ int min(int a, int b) { return a < b ? a : b; }
static inline __host__ int max(int a, int b) { return a > b ? a : b; }
static inline __host__ unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static inline __host__ unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
static inline __host__ float min(float a, float b) { return a < b ? a : b; }
static inline __host__ float max(float a, float b) { return a > b ? a : b; }

extern "C" {
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaMallocArray(cudaArray** array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned flags);
cudaError_t cudaFreeArray(cudaArray* array);
cudaError_t cudaMemcpyToArray(cudaArray* to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(unsigned long long* object, const void* resource, const void* how, const void* view);
}

inline cudaError_t cudaMallocArray(cudaArray** array, const cudaChannelFormatDesc* format, size_t width, size_t height) {
  return cudaMallocArray(array, format, width, height, 0);
}
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Part = typename HeddleTexel<T>::Part;
  const int bits = 8 * sizeof(Part), count = sizeof(T) / sizeof(Part);
  const cudaChannelFormatKind kind = Part(0.5) != 0       ? cudaChannelFormatKindFloat
                                     : Part(-1) < Part(0) ? cudaChannelFormatKindSigned
                                                          : cudaChannelFormatKindUnsigned;
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}

struct HeddleResource {  // cudaResourceDesc
  int kind;
  union {
    cudaArray* array;
    struct {
      const void* pointer;
      cudaChannelFormatDesc format;
      size_t bytes;
    } linear;
    char room[64];
  };
};
struct HeddleSampling {  // cudaTextureDesc
  int address[3], filter, read, srgb;
  float border[4];
  int normalised;
  char rest[64];
};

template <class T, int dimensions, cudaTextureReadMode mode>
cudaError_t heddle_bind(const texture<T, dimensions, mode>& reference, const HeddleResource& resource) {
  HeddleSampling how{};
  for (int i = 0; i < 3; ++i)  // there is no wrapping around where coordinates are not normalised
    how.address[i] = reference.normalized ? reference.addressMode[i] : cudaAddressModeClamp;
  how.filter = reference.filterMode;
  how.read = mode;
  how.normalised = reference.normalized;
  unsigned long long object = 0;
  void* symbol = nullptr;
  cudaError_t error = cudaCreateTextureObject(&object, &resource, &how, nullptr);
  if (error == cudaSuccess) error = cudaGetSymbolAddress(&symbol, (const void*)&reference);
  if (error == cudaSuccess)
    error = cudaMemcpy(symbol, (const void*)object, sizeof reference.object, cudaMemcpyDeviceToDevice);
  return error;
}

template <class T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                            const cudaChannelFormatDesc& format, size_t bytes = 0xffffffffu) {
  if (offset) *offset = 0;
  HeddleResource resource{};
  resource.kind = 2;
  resource.linear = {pointer, format, bytes};
  return heddle_bind(reference, resource);
}
template <class T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                            size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, reference, pointer, cudaCreateChannelDesc<T>(), bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>* reference, const void* pointer,
                            const cudaChannelFormatDesc* format, size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, *reference, pointer, *format, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& reference, cudaArray* array,
                                   const cudaChannelFormatDesc& = {}) {
  HeddleResource resource{};
  resource.kind = 0;
  resource.array = array;
  return heddle_bind(reference, resource);
}
template <class Reference>
cudaError_t cudaUnbindTexture(const Reference&) {
  return cudaSuccess;
}
