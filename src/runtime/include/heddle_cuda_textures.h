// Arrays, texture and surface objects: what the host makes. How kernels read them is in heddle_cuda_texture_functions.h
// and heddle_cuda_surfaces.h.
#pragma once

#include "heddle_cuda_structures.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray* cudaMipmappedArray_const_t;

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
      cudaMipmappedArray_t mipmap;
    } mipmap;
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
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned levels, unsigned flags);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array, unsigned number);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
}
inline cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                            cudaExtent extent, unsigned levels) {
  return cudaMallocMipmappedArray(array, format, extent, levels, 0);
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
