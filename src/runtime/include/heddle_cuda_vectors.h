// Small vectors beside those of cuda_minimal.h, aligned as CUDA aligns them, and how to make all of them, on the host
// and in kernels.
#pragma once

#define HEDDLE_MAKE static inline __host__ __device__

#define HEDDLE_VECTORS_1(type, element) \
  struct type##1 {                      \
    element x;                          \
  };                                    \
  HEDDLE_MAKE type##1 make_##type##1(element x) { return {x}; }

#define HEDDLE_VECTORS_ALL(type, element, align2, align4)                                   \
  HEDDLE_VECTORS_1(type, element)                                                           \
  struct __align__(align2) type##2 {                                                        \
    element x, y;                                                                           \
  };                                                                                        \
  struct type##3 {                                                                          \
    element x, y, z;                                                                        \
  };                                                                                        \
  struct __align__(align4) type##4 {                                                        \
    element x, y, z, w;                                                                     \
  };                                                                                        \
  HEDDLE_MAKE type##2 make_##type##2(element x, element y) { return {x, y}; }               \
  HEDDLE_MAKE type##3 make_##type##3(element x, element y, element z) { return {x, y, z}; } \
  HEDDLE_MAKE type##4 make_##type##4(element x, element y, element z, element w) { return {x, y, z, w}; }

HEDDLE_VECTORS_1(float, float)
HEDDLE_VECTORS_1(int, int)
HEDDLE_VECTORS_1(uint, unsigned)
HEDDLE_VECTORS_1(uchar, unsigned char)
HEDDLE_VECTORS_1(ushort, unsigned short)
HEDDLE_VECTORS_ALL(char, signed char, 2, 4)
HEDDLE_VECTORS_ALL(short, short, 4, 8)
HEDDLE_VECTORS_ALL(long, long, 16, 16)
HEDDLE_VECTORS_ALL(ulong, unsigned long, 16, 16)
HEDDLE_VECTORS_ALL(longlong, long long, 16, 16)
HEDDLE_VECTORS_ALL(ulonglong, unsigned long long, 16, 16)
HEDDLE_VECTORS_ALL(double, double, 16, 16)
#undef HEDDLE_VECTORS_ALL
#undef HEDDLE_VECTORS_1

// Four of eight bytes each, with the alignment in their names.
#define HEDDLE_VECTOR_4(name, element, align) \
  struct __align__(align) name {              \
    element x, y, z, w;                       \
  };                                          \
  HEDDLE_MAKE name make_##name(element x, element y, element z, element w) { return {x, y, z, w}; }
#define HEDDLE_VECTORS_4(type, element)     \
  HEDDLE_VECTOR_4(type##4_16a, element, 16) \
  HEDDLE_VECTOR_4(type##4_32a, element, 32)
HEDDLE_VECTORS_4(long, long)
HEDDLE_VECTORS_4(ulong, unsigned long)
HEDDLE_VECTORS_4(longlong, long long)
HEDDLE_VECTORS_4(ulonglong, unsigned long long)
HEDDLE_VECTORS_4(double, double)
#undef HEDDLE_VECTORS_4
#undef HEDDLE_VECTOR_4

// Those of cuda_minimal.h, on the host.
#define HEDDLE_HOST_VECTORS(type, element)                                                             \
  static inline __host__ type##2 make_##type##2(element x, element y) { return {x, y}; }               \
  static inline __host__ type##3 make_##type##3(element x, element y, element z) { return {x, y, z}; } \
  static inline __host__ type##4 make_##type##4(element x, element y, element z, element w) { return {x, y, z, w}; }

HEDDLE_HOST_VECTORS(float, float)
HEDDLE_HOST_VECTORS(int, int)
HEDDLE_HOST_VECTORS(uint, unsigned)
HEDDLE_HOST_VECTORS(uchar, unsigned char)
HEDDLE_HOST_VECTORS(ushort, unsigned short)
#undef HEDDLE_HOST_VECTORS
#undef HEDDLE_MAKE
