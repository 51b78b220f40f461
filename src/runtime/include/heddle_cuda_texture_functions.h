// How kernels read texture objects: one instruction each, for words of floats, of numbers with a sign and without.
#pragma once

#include "heddle_cuda_textures.h"

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
template <class T>
using HeddleFourOf = typename HeddleFour<HeddleTexel<T>::kKind>::Type;

#define HEDDLE_BARE(...) __VA_ARGS__
#define HEDDLE_LOOK(name, four, word, type, parameters, shape, coordinate, place, ...)           \
  HEDDLE_INLINE four heddle_##name(four, cudaTextureObject_t t, HEDDLE_BARE parameters) {        \
    four v;                                                                                      \
    asm volatile(shape ".v4." type "." coordinate " {%[a], %[b], %[c], %[d]}, [%[t], " place ";" \
                 : [a] "=" word(v.x), [b] "=" word(v.y), [c] "=" word(v.z), [d] "=" word(v.w)    \
                 : [t] "l"(t), __VA_ARGS__);                                                     \
    return v;                                                                                    \
  }
// `place` closes the bracket, since a level or gradients may stand behind it.
#define HEDDLE_TEXTURE(name, parameters, arguments, ...)                                         \
  HEDDLE_LOOK(name, float4, "f", "f32", parameters, __VA_ARGS__)                                 \
  HEDDLE_LOOK(name, int4, "r", "s32", parameters, __VA_ARGS__)                                   \
  HEDDLE_LOOK(name, uint4, "r", "u32", parameters, __VA_ARGS__)                                  \
  template <class T>                                                                             \
  HEDDLE_INLINE T name(cudaTextureObject_t texture, HEDDLE_BARE parameters) {                    \
    return HeddleTexel<T>::of(heddle_##name(HeddleFourOf<T>{}, texture, HEDDLE_BARE arguments)); \
  }                                                                                              \
  template <class T>                                                                             \
  HEDDLE_INLINE void name(T* value, cudaTextureObject_t texture, HEDDLE_BARE parameters) {       \
    *value = name<T>(texture, HEDDLE_BARE arguments);                                            \
  }

#define HEDDLE_X [x] "f"(x)
#define HEDDLE_XY HEDDLE_X, [y] "f"(y)
#define HEDDLE_XYZ HEDDLE_XY, [z] "f"(z)
#define HEDDLE_LAYER [l] "r"(layer)

HEDDLE_TEXTURE(tex1Dfetch, (int x), (x), "tex.1d", "s32", "{%[x]}]", [x] "r"(x))
HEDDLE_TEXTURE(tex1D, (float x), (x), "tex.1d", "f32", "{%[x]}]", HEDDLE_X)
HEDDLE_TEXTURE(tex2D, (float x, float y), (x, y), "tex.2d", "f32", "{%[x], %[y]}]", HEDDLE_XY)
HEDDLE_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), "tex.3d", "f32", "{%[x], %[y], %[z], %[z]}]", HEDDLE_XYZ)
HEDDLE_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), "tex.a1d", "f32", "{%[l], %[x]}]", HEDDLE_X,
               HEDDLE_LAYER)
HEDDLE_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer), "tex.a2d", "f32",
               "{%[l], %[x], %[y], %[y]}]", HEDDLE_XY, HEDDLE_LAYER)
HEDDLE_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), "tex.cube", "f32", "{%[x], %[y], %[z], %[z]}]",
               HEDDLE_XYZ)
HEDDLE_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), "tex.acube", "f32",
               "{%[l], %[x], %[y], %[z]}]", HEDDLE_XYZ, HEDDLE_LAYER)

// At a mip level.
#define HEDDLE_LEVEL [m] "f"(level)
HEDDLE_TEXTURE(tex1DLod, (float x, float level), (x, level), "tex.level.1d", "f32", "{%[x]}], %[m]", HEDDLE_X,
               HEDDLE_LEVEL)
HEDDLE_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level), "tex.level.2d", "f32", "{%[x], %[y]}], %[m]",
               HEDDLE_XY, HEDDLE_LEVEL)
HEDDLE_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), "tex.level.3d", "f32",
               "{%[x], %[y], %[z], %[z]}], %[m]", HEDDLE_XYZ, HEDDLE_LEVEL)
HEDDLE_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), "tex.level.a1d", "f32",
               "{%[l], %[x]}], %[m]", HEDDLE_X, HEDDLE_LAYER, HEDDLE_LEVEL)
HEDDLE_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level), "tex.level.a2d",
               "f32", "{%[l], %[x], %[y], %[y]}], %[m]", HEDDLE_XY, HEDDLE_LAYER, HEDDLE_LEVEL)
HEDDLE_TEXTURE(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), "tex.level.cube", "f32",
               "{%[x], %[y], %[z], %[z]}], %[m]", HEDDLE_XYZ, HEDDLE_LEVEL)
HEDDLE_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
               "tex.level.acube", "f32", "{%[l], %[x], %[y], %[z]}], %[m]", HEDDLE_XYZ, HEDDLE_LAYER, HEDDLE_LEVEL)
#undef HEDDLE_LEVEL

// At the mip level that fits two gradients.
#define HEDDLE_GRADIENTS_1 [p] "f"(dx), [q] "f"(dy)
#define HEDDLE_GRADIENTS_2 [p] "f"(dx.x), [q] "f"(dx.y), [u] "f"(dy.x), [v] "f"(dy.y)
#define HEDDLE_GRADIENTS_3 [p] "f"(dx.x), [q] "f"(dx.y), [r] "f"(dx.z), [u] "f"(dy.x), [v] "f"(dy.y), [w] "f"(dy.z)
#define HEDDLE_IN_2 ", {%[p], %[q]}, {%[u], %[v]}"
#define HEDDLE_IN_3 ", {%[p], %[q], %[r], %[r]}, {%[u], %[v], %[w], %[w]}"
HEDDLE_TEXTURE(tex1DGrad, (float x, float dx, float dy), (x, dx, dy), "tex.grad.1d", "f32", "{%[x]}], {%[p]}, {%[q]}",
               HEDDLE_X, HEDDLE_GRADIENTS_1)
HEDDLE_TEXTURE(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), "tex.grad.2d", "f32",
               "{%[x], %[y]}]" HEDDLE_IN_2, HEDDLE_XY, HEDDLE_GRADIENTS_2)
HEDDLE_TEXTURE(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), "tex.grad.3d", "f32",
               "{%[x], %[y], %[z], %[z]}]" HEDDLE_IN_3, HEDDLE_XYZ, HEDDLE_GRADIENTS_3)
HEDDLE_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy), "tex.grad.a1d", "f32",
               "{%[l], %[x]}], {%[p]}, {%[q]}", HEDDLE_X, HEDDLE_LAYER, HEDDLE_GRADIENTS_1)
HEDDLE_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
               "tex.grad.a2d", "f32", "{%[l], %[x], %[y], %[y]}]" HEDDLE_IN_2, HEDDLE_XY, HEDDLE_LAYER,
               HEDDLE_GRADIENTS_2)
HEDDLE_TEXTURE(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), "tex.grad.cube",
               "f32", "{%[x], %[y], %[z], %[z]}]" HEDDLE_IN_3, HEDDLE_XYZ, HEDDLE_GRADIENTS_3)
HEDDLE_TEXTURE(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy),
               (x, y, z, layer, dx, dy), "tex.grad.acube", "f32", "{%[l], %[x], %[y], %[z]}]" HEDDLE_IN_3, HEDDLE_XYZ,
               HEDDLE_LAYER, HEDDLE_GRADIENTS_3)
#undef HEDDLE_IN_3
#undef HEDDLE_IN_2
#undef HEDDLE_GRADIENTS_3
#undef HEDDLE_GRADIENTS_2
#undef HEDDLE_GRADIENTS_1

// One channel of the four elements around.
#define HEDDLE_GATHER(channel)                                                                                        \
  HEDDLE_TEXTURE(heddle_gather_##channel, (float x, float y), (x, y), "tld4." #channel ".2d", "f32", "{%[x], %[y]}]", \
                 HEDDLE_XY)
HEDDLE_GATHER(r)
HEDDLE_GATHER(g)
HEDDLE_GATHER(b)
HEDDLE_GATHER(a)
#undef HEDDLE_GATHER
template <class T>
HEDDLE_INLINE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0) {
  switch (channel) {
    case 1: return heddle_gather_g<T>(texture, x, y);
    case 2: return heddle_gather_b<T>(texture, x, y);
    case 3: return heddle_gather_a<T>(texture, x, y);
    default: return heddle_gather_r<T>(texture, x, y);
  }
}
template <class T>
HEDDLE_INLINE void tex2Dgather(T* value, cudaTextureObject_t texture, float x, float y, int channel = 0) {
  *value = tex2Dgather<T>(texture, x, y, channel);
}

#undef HEDDLE_LAYER
#undef HEDDLE_XYZ
#undef HEDDLE_XY
#undef HEDDLE_X
#undef HEDDLE_TEXTURE
#undef HEDDLE_LOOK
#undef HEDDLE_BARE
