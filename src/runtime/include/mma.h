// Matrices in the registers of a warp (nvcuda::wmma): halves with sums of halves or floats, bytes with sums of
// integers. One instruction each, by the functions that clang has for them. heddle_mma_wide.h has the other types.
#pragma once

#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major = 0, mem_col_major = 1 };

template <class T, int Count>
struct HeddleElements {
  typedef T element_type;
  typedef T storage_element_type;
  enum { num_elements = Count, num_storage_elements = Count };
  T x[Count];
};
template <class Layout>
struct HeddleLayout;
template <>
struct HeddleLayout<row_major> {
  static constexpr int kNumber = 0;
};
template <>
struct HeddleLayout<col_major> {
  static constexpr int kNumber = 1;
};

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment;

template <class T, int Count, class Value>
__device__ inline void fill_fragment(HeddleElements<T, Count>& to, const Value& value) {
  for (int i = 0; i < Count; ++i) to.x[i] = T(value);
}

// A part of a product, and how it is loaded.
#define HEDDLE_PART(use, m, n, k, T, count, load, Word)                                                           \
  template <class Layout>                                                                                         \
  class fragment<use, m, n, k, T, Layout> : public HeddleElements<T, count> {};                                   \
  template <class Layout>                                                                                         \
  __device__ inline void load_matrix_sync(fragment<use, m, n, k, T, Layout>& to, const T* from, unsigned pitch) { \
    if constexpr (HeddleLayout<Layout>::kNumber == 0)                                                             \
      load((Word*)to.x, (const Word*)from, pitch, 0);                                                             \
    else                                                                                                          \
      load((Word*)to.x, (const Word*)from, pitch, 1);                                                             \
  }
#define HEDDLE_SUM(m, n, k, T, load, store, Word)                                                                \
  template <>                                                                                                    \
  class fragment<accumulator, m, n, k, T, void> : public HeddleElements<T, 8> {};                                \
  __device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from, unsigned pitch,  \
                                          layout_t layout) {                                                     \
    if (layout == mem_row_major)                                                                                 \
      load((Word*)to.x, (const Word*)from, pitch, 0);                                                            \
    else                                                                                                         \
      load((Word*)to.x, (const Word*)from, pitch, 1);                                                            \
  }                                                                                                              \
  __device__ inline void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from, unsigned pitch, \
                                           layout_t layout) {                                                    \
    if (layout == mem_row_major)                                                                                 \
      store((Word*)to, (Word*)from.x, pitch, 0);                                                                 \
    else                                                                                                         \
      store((Word*)to, (Word*)from.x, pitch, 1);                                                                 \
  }
// d = a b + c. The layouts of a and b are one number.
#define HEDDLE_PRODUCT(m, n, k, T, To, From, multiply, ToWord, FromWord)                                             \
  template <class A, class B>                                                                                        \
  __device__ inline void mma_sync(fragment<accumulator, m, n, k, To>& d, const fragment<matrix_a, m, n, k, T, A>& a, \
                                  const fragment<matrix_b, m, n, k, T, B>& b,                                        \
                                  const fragment<accumulator, m, n, k, From>& c) {                                   \
    constexpr int kLayouts = 2 * HeddleLayout<A>::kNumber + HeddleLayout<B>::kNumber;                                \
    const int *x = (const int*)a.x, *y = (const int*)b.x;                                                            \
    if constexpr (kLayouts == 0) multiply((ToWord*)d.x, x, y, (const FromWord*)c.x, 0, 0);                           \
    if constexpr (kLayouts == 1) multiply((ToWord*)d.x, x, y, (const FromWord*)c.x, 1, 0);                           \
    if constexpr (kLayouts == 2) multiply((ToWord*)d.x, x, y, (const FromWord*)c.x, 2, 0);                           \
    if constexpr (kLayouts == 3) multiply((ToWord*)d.x, x, y, (const FromWord*)c.x, 3, 0);                           \
  }
#define HEDDLE_SHAPE(m, n, k, name, bytes_a, bytes_b)                                     \
  HEDDLE_PART(matrix_a, m, n, k, __half, 16, __hmma_##name##_ld_a, int)                   \
  HEDDLE_PART(matrix_b, m, n, k, __half, 16, __hmma_##name##_ld_b, int)                   \
  HEDDLE_PART(matrix_a, m, n, k, signed char, bytes_a, __imma_##name##_ld_a_s8, int)      \
  HEDDLE_PART(matrix_b, m, n, k, signed char, bytes_b, __imma_##name##_ld_b_s8, int)      \
  HEDDLE_PART(matrix_a, m, n, k, unsigned char, bytes_a, __imma_##name##_ld_a_u8, int)    \
  HEDDLE_PART(matrix_b, m, n, k, unsigned char, bytes_b, __imma_##name##_ld_b_u8, int)    \
  HEDDLE_SUM(m, n, k, __half, __hmma_##name##_ld_c_f16, __hmma_##name##_st_c_f16, int)    \
  HEDDLE_SUM(m, n, k, float, __hmma_##name##_ld_c_f32, __hmma_##name##_st_c_f32, float)   \
  HEDDLE_SUM(m, n, k, int, __imma_##name##_ld_c, __imma_##name##_st_c_i32, int)           \
  HEDDLE_PRODUCT(m, n, k, __half, __half, __half, __hmma_##name##_mma_f16f16, int, int)   \
  HEDDLE_PRODUCT(m, n, k, __half, float, float, __hmma_##name##_mma_f32f32, float, float) \
  HEDDLE_PRODUCT(m, n, k, __half, float, __half, __hmma_##name##_mma_f32f16, float, int)  \
  HEDDLE_PRODUCT(m, n, k, __half, __half, float, __hmma_##name##_mma_f16f32, int, float)  \
  HEDDLE_PRODUCT(m, n, k, signed char, int, int, __imma_##name##_mma_s8, int, int)        \
  HEDDLE_PRODUCT(m, n, k, unsigned char, int, int, __imma_##name##_mma_u8, int, int)
HEDDLE_SHAPE(16, 16, 16, m16n16k16, 8, 8)
HEDDLE_SHAPE(32, 8, 16, m32n8k16, 16, 4)
HEDDLE_SHAPE(8, 32, 16, m8n32k16, 4, 16)
#undef HEDDLE_SHAPE
#undef HEDDLE_PRODUCT
#undef HEDDLE_SUM
#undef HEDDLE_PART

}  // namespace wmma
}  // namespace nvcuda

#include "heddle_mma_wide.h"
