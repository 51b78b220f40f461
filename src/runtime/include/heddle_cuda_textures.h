// Arrays and texture objects: what the host makes, and how kernels read them.
#pragma once

#include "heddle_cuda_structures.h"

// ---- the host's side

typedef unsigned long long cudaTextureObject_t;

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3,
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3,
};
enum : unsigned {
  cudaArrayDefault = 0,
  cudaArrayLayered = 1,
  cudaArraySurfaceLoadStore = 2,
  cudaArrayCubemap = 4,
  cudaArrayTextureGather = 8,
};

struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
    int reserved[32];
  } res;
  unsigned flags;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;

extern "C" {
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned flags);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
}
inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                                   size_t height = 0) {
  return cudaMallocArray(array, format, width, height, 0);
}
inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent) {
  return cudaMalloc3DArray(array, format, extent, 0);
}

// ---- formats by their types: how many channels, of what. Read says how such a value comes out of four words.

template <class T>
struct HeddleTexel;
#define HEDDLE_TEXEL(type, element, count, kind, ...)                           \
  template <>                                                                   \
  struct HeddleTexel<type> {                                                    \
    typedef element Element;                                                    \
    static constexpr int kCount = count;                                        \
    static constexpr cudaChannelFormatKind kKind = cudaChannelFormatKind##kind; \
    template <class Four>                                                       \
    static __device__ type of(const Four& v) {                                  \
      return __VA_ARGS__;                                                       \
    }                                                                           \
  };
#define HEDDLE_TEXELS(type, element, kind)                              \
  HEDDLE_TEXEL(element, element, 1, kind, (element)v.x)                 \
  HEDDLE_TEXEL(type##1, element, 1, kind, {(element)v.x})               \
  HEDDLE_TEXEL(type##2, element, 2, kind, {(element)v.x, (element)v.y}) \
  HEDDLE_TEXEL(type##4, element, 4, kind, {(element)v.x, (element)v.y, (element)v.z, (element)v.w})
HEDDLE_TEXELS(float, float, Float)
HEDDLE_TEXELS(int, int, Signed)
HEDDLE_TEXELS(uint, unsigned, Unsigned)
HEDDLE_TEXELS(short, short, Signed)
HEDDLE_TEXELS(ushort, unsigned short, Unsigned)
HEDDLE_TEXELS(char, signed char, Signed)
HEDDLE_TEXELS(uchar, unsigned char, Unsigned)
HEDDLE_TEXEL(char, char, 1, Signed, (char)v.x)
#undef HEDDLE_TEXELS
#undef HEDDLE_TEXEL

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef HeddleTexel<T> Texel;
  const int bits = 8 * (int)sizeof(typename Texel::Element);
  return {bits, Texel::kCount > 1 ? bits : 0, Texel::kCount > 2 ? bits : 0, Texel::kCount > 2 ? bits : 0, Texel::kKind};
}

// ---- kernels: one instruction each, for words of floats, of numbers with a sign and without

#define HEDDLE_FETCH(name, four, word, type, shape, coordinates, place, ...)    \
  HEDDLE_INLINE four name(cudaTextureObject_t t, coordinates, four) {           \
    four v;                                                                     \
    asm volatile("tex." shape ".v4." type " {%0, %1, %2, %3}, [%4, " place "];" \
                 : "=" word(v.x), "=" word(v.y), "=" word(v.z), "=" word(v.w)   \
                 : "l"(t), __VA_ARGS__);                                        \
    return v;                                                                   \
  }
#define HEDDLE_COMMA ,
#define HEDDLE_FETCHES(four, word, type)                                                                              \
  HEDDLE_FETCH(heddle_fetch, four, word, type ".s32", "1d", int x, "{%5}", "r"(x))                                    \
  HEDDLE_FETCH(heddle_fetch, four, word, type ".f32", "1d", float x, "{%5}", "f"(x))                                  \
  HEDDLE_FETCH(heddle_fetch, four, word, type ".f32", "2d", float x HEDDLE_COMMA float y, "{%5, %6}", "f"(x), "f"(y)) \
  HEDDLE_FETCH(heddle_fetch, four, word, type ".f32", "3d", float x HEDDLE_COMMA float y HEDDLE_COMMA float z,        \
               "{%5, %6, %7, %8}", "f"(x), "f"(y), "f"(z), "f"(0.0f))
HEDDLE_FETCHES(float4, "f", "f32")
HEDDLE_FETCHES(int4, "r", "s32")
HEDDLE_FETCHES(uint4, "r", "u32")
#undef HEDDLE_FETCHES
#undef HEDDLE_COMMA
#undef HEDDLE_FETCH

template <cudaChannelFormatKind Kind>
struct HeddleFour {
  typedef float4 Type;
};
template <>
struct HeddleFour<cudaChannelFormatKindSigned> {
  typedef int4 Type;
};
template <>
struct HeddleFour<cudaChannelFormatKindUnsigned> {
  typedef uint4 Type;
};
template <class T, class... Place>
HEDDLE_INLINE T heddle_texture(cudaTextureObject_t texture, Place... place) {
  return HeddleTexel<T>::of(heddle_fetch(texture, place..., typename HeddleFour<HeddleTexel<T>::kKind>::Type{}));
}

#define HEDDLE_TEXTURE(name, parameters, ...)                                  \
  template <class T>                                                           \
  HEDDLE_INLINE T name(cudaTextureObject_t texture, parameters) {              \
    return heddle_texture<T>(texture, __VA_ARGS__);                            \
  }                                                                            \
  template <class T>                                                           \
  HEDDLE_INLINE void name(T* value, cudaTextureObject_t texture, parameters) { \
    *value = heddle_texture<T>(texture, __VA_ARGS__);                          \
  }
#define HEDDLE_COMMA ,
HEDDLE_TEXTURE(tex1Dfetch, int x, x)
HEDDLE_TEXTURE(tex1D, float x, x)
HEDDLE_TEXTURE(tex2D, float x HEDDLE_COMMA float y, x, y)
HEDDLE_TEXTURE(tex3D, float x HEDDLE_COMMA float y HEDDLE_COMMA float z, x, y, z)
#undef HEDDLE_COMMA
#undef HEDDLE_TEXTURE
