// How kernels read and write surface objects: bytes, as many as the type has, x counted in bytes.
#pragma once

#include "heddle_cuda_textures.h"

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

// Words that an instruction moves, by the number of bytes.
template <int Bytes>
struct HeddleWords;
#define HEDDLE_WORDS(bytes, word, count) \
  template <>                            \
  struct HeddleWords<bytes> {            \
    word at[count];                      \
  };
HEDDLE_WORDS(1, unsigned char, 1)
HEDDLE_WORDS(2, unsigned short, 1)
HEDDLE_WORDS(4, unsigned, 1)
HEDDLE_WORDS(8, unsigned, 2)
HEDDLE_WORDS(16, unsigned, 4)
#undef HEDDLE_WORDS

#define HEDDLE_BARE(...) __VA_ARGS__
// A read and a write of 1, 2, 4, 8 and 16 bytes with one boundary mode.
#define HEDDLE_ACCESSES(name, mode, parameters, shape, place, ...)                                                    \
  HEDDLE_INLINE void heddle_read_##name##_##mode(HeddleWords<1>& w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    unsigned short a;                                                                                                 \
    asm volatile("suld.b." shape ".b8." #mode " {%[a]}, [%[s], " place "];" : [a] "=h"(a) : [s] "l"(s), __VA_ARGS__); \
    w.at[0] = (unsigned char)a;                                                                                       \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_read_##name##_##mode(HeddleWords<2>& w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    asm volatile("suld.b." shape ".b16." #mode " {%[a]}, [%[s], " place "];"                                          \
                 : [a] "=h"(w.at[0])                                                                                  \
                 : [s] "l"(s), __VA_ARGS__);                                                                          \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_read_##name##_##mode(HeddleWords<4>& w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    asm volatile("suld.b." shape ".b32." #mode " {%[a]}, [%[s], " place "];"                                          \
                 : [a] "=r"(w.at[0])                                                                                  \
                 : [s] "l"(s), __VA_ARGS__);                                                                          \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_read_##name##_##mode(HeddleWords<8>& w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    asm volatile("suld.b." shape ".v2.b32." #mode " {%[a], %[b]}, [%[s], " place "];"                                 \
                 : [a] "=r"(w.at[0]), [b] "=r"(w.at[1])                                                               \
                 : [s] "l"(s), __VA_ARGS__);                                                                          \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_read_##name##_##mode(HeddleWords<16>& w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) { \
    asm volatile("suld.b." shape ".v4.b32." #mode " {%[a], %[b], %[c], %[d]}, [%[s], " place "];"                     \
                 : [a] "=r"(w.at[0]), [b] "=r"(w.at[1]), [c] "=r"(w.at[2]), [d] "=r"(w.at[3])                         \
                 : [s] "l"(s), __VA_ARGS__);                                                                          \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_write_##name##_##mode(HeddleWords<1> w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    asm volatile(                                                                                                     \
        "sust.b." shape ".b8." #mode " [%[s], " place "], {%[a]};" ::[a] "h"((unsigned short)w.at[0]), [s] "l"(s),    \
        __VA_ARGS__                                                                                                   \
        : "memory");                                                                                                  \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_write_##name##_##mode(HeddleWords<2> w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    asm volatile("sust.b." shape ".b16." #mode " [%[s], " place "], {%[a]};" ::[a] "h"(w.at[0]), [s] "l"(s),          \
                 __VA_ARGS__                                                                                          \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_write_##name##_##mode(HeddleWords<4> w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    asm volatile("sust.b." shape ".b32." #mode " [%[s], " place "], {%[a]};" ::[a] "r"(w.at[0]), [s] "l"(s),          \
                 __VA_ARGS__                                                                                          \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_write_##name##_##mode(HeddleWords<8> w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) {  \
    asm volatile("sust.b." shape ".v2.b32." #mode " [%[s], " place "], {%[a], %[b]};" ::[a] "r"(w.at[0]),             \
                 [b] "r"(w.at[1]), [s] "l"(s), __VA_ARGS__                                                            \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  HEDDLE_INLINE void heddle_write_##name##_##mode(HeddleWords<16> w, cudaSurfaceObject_t s, HEDDLE_BARE parameters) { \
    asm volatile("sust.b." shape ".v4.b32." #mode " [%[s], " place "], {%[a], %[b], %[c], %[d]};" ::[a] "r"(w.at[0]), \
                 [b] "r"(w.at[1]), [c] "r"(w.at[2]), [d] "r"(w.at[3]), [s] "l"(s), __VA_ARGS__                        \
                 : "memory");                                                                                         \
  }
#define HEDDLE_SURFACE(name, parameters, arguments, ...)                                                   \
  HEDDLE_ACCESSES(name, trap, parameters, __VA_ARGS__)                                                     \
  HEDDLE_ACCESSES(name, clamp, parameters, __VA_ARGS__)                                                    \
  HEDDLE_ACCESSES(name, zero, parameters, __VA_ARGS__)                                                     \
  template <class T>                                                                                       \
  HEDDLE_INLINE T name##read(cudaSurfaceObject_t surface, HEDDLE_BARE parameters,                          \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                        \
    HeddleWords<sizeof(T)> words;                                                                          \
    if (mode == cudaBoundaryModeTrap) heddle_read_##name##_trap(words, surface, HEDDLE_BARE arguments);    \
    if (mode == cudaBoundaryModeClamp) heddle_read_##name##_clamp(words, surface, HEDDLE_BARE arguments);  \
    if (mode == cudaBoundaryModeZero) heddle_read_##name##_zero(words, surface, HEDDLE_BARE arguments);    \
    return __builtin_bit_cast(T, words);                                                                   \
  }                                                                                                        \
  template <class T>                                                                                       \
  HEDDLE_INLINE void name##read(T* value, cudaSurfaceObject_t surface, HEDDLE_BARE parameters,             \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                     \
    *value = name##read<T>(surface, HEDDLE_BARE arguments, mode);                                          \
  }                                                                                                        \
  template <class T>                                                                                       \
  HEDDLE_INLINE void name##write(T value, cudaSurfaceObject_t surface, HEDDLE_BARE parameters,             \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    const auto words = __builtin_bit_cast(HeddleWords<sizeof(T)>, value);                                  \
    if (mode == cudaBoundaryModeTrap) heddle_write_##name##_trap(words, surface, HEDDLE_BARE arguments);   \
    if (mode == cudaBoundaryModeClamp) heddle_write_##name##_clamp(words, surface, HEDDLE_BARE arguments); \
    if (mode == cudaBoundaryModeZero) heddle_write_##name##_zero(words, surface, HEDDLE_BARE arguments);   \
  }

HEDDLE_SURFACE(surf1D, (int x), (x), "1d", "{%[x]}", [x] "r"(x))
HEDDLE_SURFACE(surf2D, (int x, int y), (x, y), "2d", "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))
HEDDLE_SURFACE(surf3D, (int x, int y, int z), (x, y, z), "3d",
               "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z))
HEDDLE_SURFACE(surf1DLayered, (int x, int layer), (x, layer), "a1d", "{%[l], %[x]}", [x] "r"(x), [l] "r"(layer))
HEDDLE_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), "a2d",
               "{%[l], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [l] "r"(layer))
// A cube's faces are layers, six of each cube.
HEDDLE_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face), "a2d",
               "{%[l], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [l] "r"(face))
HEDDLE_SURFACE(surfCubemapLayered, (int x, int y, int face), (x, y, face), "a2d",
               "{%[l], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [l] "r"(face))
#undef HEDDLE_SURFACE
#undef HEDDLE_ACCESSES
#undef HEDDLE_BARE
