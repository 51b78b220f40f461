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

template <class T, int dimensions = 1, cudaTextureReadMode read_mode = cudaReadModeElementType>
struct texture {
  using Element = T;
  alignas(8) char object[728];  // what `tex` reads: a TextureDescriptor
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};

// ---- in kernels

template <class T>
static __forceinline__ __device__ T heddle_texel(const unsigned (&bits)[4]) {
  using Part = typename HeddleTexel<T>::Element;
  T texel;
  Part parts[4];
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(Part) == 4)
      parts[i] = __builtin_bit_cast(Part, bits[i]);
    else
      parts[i] = (Part)bits[i];
  }
  if constexpr (sizeof(T) != sizeof(Part))
    __builtin_memcpy(&texel, parts, sizeof texel);
  else
    texel = T{parts[0]};
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

template <class T, int dimensions, cudaTextureReadMode mode>
cudaError_t heddle_bind(const texture<T, dimensions, mode>& reference, const cudaResourceDesc& resource) {
  cudaTextureDesc how{};
  for (int i = 0; i < 3; ++i)  // there is no wrapping around where coordinates are not normalised
    how.addressMode[i] = reference.normalized ? reference.addressMode[i] : cudaAddressModeClamp;
  how.filterMode = reference.filterMode;
  how.readMode = mode;
  how.normalizedCoords = reference.normalized;
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
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {const_cast<void*>(pointer), format, bytes};
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
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return heddle_bind(reference, resource);
}
template <class Reference>
cudaError_t cudaUnbindTexture(const Reference&) {
  return cudaSuccess;
}
