// Matrices in the registers of a warp that GPUs have since compute capability 8.0: bfloat16 and tf32 with sums of
// floats, and double. clang has functions for them only when it compiles for such a GPU, so they are written as PTX.
// For mma.h.
#pragma once

#include "cuda_bf16.h"

namespace nvcuda {
namespace wmma {

namespace precision {
struct tf32;
}

// The nearest number with 10 bits of mantissa; of two, that with the larger size.
__device__ inline float __float_to_tf32(float a) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(a));
  return __uint_as_float(bits);
}

// The registers of a list, as operands.
#define HEDDLE_TO1(kind, w) "=" kind(w[0])
#define HEDDLE_TO2(kind, w) "=" kind(w[0]), "=" kind(w[1])
#define HEDDLE_TO4(kind, w) HEDDLE_TO2(kind, w), "=" kind(w[2]), "=" kind(w[3])
#define HEDDLE_TO8(kind, w) HEDDLE_TO4(kind, w), "=" kind(w[4]), "=" kind(w[5]), "=" kind(w[6]), "=" kind(w[7])
#define HEDDLE_OF1(kind, w) kind(w[0])
#define HEDDLE_OF2(kind, w) kind(w[0]), kind(w[1])
#define HEDDLE_OF4(kind, w) HEDDLE_OF2(kind, w), kind(w[2]), kind(w[3])
#define HEDDLE_OF8(kind, w) HEDDLE_OF4(kind, w), kind(w[4]), kind(w[5]), kind(w[6]), kind(w[7])
// And as they are written, with the address and the pitch behind them or before them.
#define HEDDLE_LOAD1 " {%0}, [%1], %2;"
#define HEDDLE_LOAD2 " {%0,%1}, [%2], %3;"
#define HEDDLE_LOAD4 " {%0,%1,%2,%3}, [%4], %5;"
#define HEDDLE_LOAD8 " {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
#define HEDDLE_STORE2 " [%0], {%2,%3}, %1;"
#define HEDDLE_STORE8 " [%0], {%2,%3,%4,%5,%6,%7,%8,%9}, %1;"

#define HEDDLE_LOAD_WORDS(to, Word, words, kind, from, pitch, text)                                       \
  {                                                                                                       \
    Word w[words];                                                                                        \
    asm volatile(text HEDDLE_LOAD##words : HEDDLE_TO##words(kind, w) : "l"(from), "r"(pitch) : "memory"); \
    __builtin_memcpy(to.x, w, sizeof w);                                                                  \
  }
#define HEDDLE_STORE_WORDS(to, words, kind, from, pitch, text) \
  asm volatile(text HEDDLE_STORE##words : : "l"(to), "r"(pitch), HEDDLE_OF##words(kind, from.x) : "memory")

// A part of a product in so many registers, each of a Word.
#define HEDDLE_WIDE_PART(use, letter, m, n, k, shape, T, Element, type, Word, words, kind)                             \
  template <class Layout>                                                                                              \
  class fragment<use, m, n, k, T, Layout> : public HeddleElements<Element, words * sizeof(Word) / sizeof(Element)> {}; \
  template <class Layout>                                                                                              \
  __device__ inline void load_matrix_sync(fragment<use, m, n, k, T, Layout>& to, const Element* from,                  \
                                          unsigned pitch) {                                                            \
    if constexpr (HeddleLayout<Layout>::kNumber == 0)                                                                  \
      HEDDLE_LOAD_WORDS(to, Word, words, kind, from, pitch, "wmma.load." letter ".sync.aligned.row." shape type)       \
    else                                                                                                               \
      HEDDLE_LOAD_WORDS(to, Word, words, kind, from, pitch, "wmma.load." letter ".sync.aligned.col." shape type)       \
  }
#define HEDDLE_WIDE_SUM(m, n, k, shape, T, type, count, kind)                                                    \
  template <>                                                                                                    \
  class fragment<accumulator, m, n, k, T, void> : public HeddleElements<T, count> {};                            \
  __device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from, unsigned pitch,  \
                                          layout_t layout) {                                                     \
    if (layout == mem_row_major)                                                                                 \
      HEDDLE_LOAD_WORDS(to, T, count, kind, from, pitch, "wmma.load.c.sync.aligned.row." shape type)             \
    else                                                                                                         \
      HEDDLE_LOAD_WORDS(to, T, count, kind, from, pitch, "wmma.load.c.sync.aligned.col." shape type)             \
  }                                                                                                              \
  __device__ inline void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from, unsigned pitch, \
                                           layout_t layout) {                                                    \
    if (layout == mem_row_major)                                                                                 \
      HEDDLE_STORE_WORDS(to, count, kind, from, pitch, "wmma.store.d.sync.aligned.row." shape type);             \
    else                                                                                                         \
      HEDDLE_STORE_WORDS(to, count, kind, from, pitch, "wmma.store.d.sync.aligned.col." shape type);             \
  }
// d = a b + c, for layouts A and B; `list` says how the registers are written.
#define HEDDLE_MULTIPLY(layouts, shape, types, list, a_words, b_words, kind, count, sum_kind) \
  asm volatile("wmma.mma.sync.aligned." layouts shape types list                              \
               : HEDDLE_TO##count(sum_kind, sum)                                              \
               : HEDDLE_OF##a_words(kind, x), HEDDLE_OF##b_words(kind, y), HEDDLE_OF##count(sum_kind, c.x))
#define HEDDLE_WIDE_PRODUCT(m, n, k, shape, T, types, list, Word, a_words, b_words, kind, Sum, count, sum_kind)       \
  template <class A, class B>                                                                                         \
  __device__ inline void mma_sync(fragment<accumulator, m, n, k, Sum>& d, const fragment<matrix_a, m, n, k, T, A>& a, \
                                  const fragment<matrix_b, m, n, k, T, B>& b,                                         \
                                  const fragment<accumulator, m, n, k, Sum>& c) {                                     \
    constexpr int kLayouts = 2 * HeddleLayout<A>::kNumber + HeddleLayout<B>::kNumber;                                 \
    Word x[a_words], y[b_words];                                                                                      \
    Sum sum[count];                                                                                                   \
    __builtin_memcpy(x, a.x, sizeof x);                                                                               \
    __builtin_memcpy(y, b.x, sizeof y);                                                                               \
    if constexpr (kLayouts == 0)                                                                                      \
      HEDDLE_MULTIPLY("row.row.", shape, types, list, a_words, b_words, kind, count, sum_kind);                       \
    if constexpr (kLayouts == 1)                                                                                      \
      HEDDLE_MULTIPLY("row.col.", shape, types, list, a_words, b_words, kind, count, sum_kind);                       \
    if constexpr (kLayouts == 2)                                                                                      \
      HEDDLE_MULTIPLY("col.row.", shape, types, list, a_words, b_words, kind, count, sum_kind);                       \
    if constexpr (kLayouts == 3)                                                                                      \
      HEDDLE_MULTIPLY("col.col.", shape, types, list, a_words, b_words, kind, count, sum_kind);                       \
    __builtin_memcpy(d.x, sum, sizeof sum);                                                                           \
  }

#define HEDDLE_BFLOAT_SHAPE(m, n, k, shape, a_words, b_words, list)                                               \
  HEDDLE_WIDE_PART(matrix_a, "a", m, n, k, shape, __nv_bfloat16, __nv_bfloat16, ".bf16", unsigned, a_words, "r")  \
  HEDDLE_WIDE_PART(matrix_b, "b", m, n, k, shape, __nv_bfloat16, __nv_bfloat16, ".bf16", unsigned, b_words, "r")  \
  HEDDLE_WIDE_PRODUCT(m, n, k, shape, __nv_bfloat16, ".f32.bf16.bf16.f32", list, unsigned, a_words, b_words, "r", \
                      float, 8, "f")
#define HEDDLE_LIST44 \
  " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23};"
#define HEDDLE_LIST82 \
  " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17}, {%18,%19,%20,%21,%22,%23,%24,%25};"
#define HEDDLE_LIST28 \
  " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13,%14,%15,%16,%17}, {%18,%19,%20,%21,%22,%23,%24,%25};"
#define HEDDLE_LIST11 " {%0,%1}, {%2}, {%3}, {%4,%5};"
// Their sums of floats are those of the halves, in mma.h.
HEDDLE_BFLOAT_SHAPE(16, 16, 16, "m16n16k16", 4, 4, HEDDLE_LIST44)
HEDDLE_BFLOAT_SHAPE(32, 8, 16, "m32n8k16", 8, 2, HEDDLE_LIST82)
HEDDLE_BFLOAT_SHAPE(8, 32, 16, "m8n32k16", 2, 8, HEDDLE_LIST28)

HEDDLE_WIDE_PART(matrix_a, "a", 16, 16, 8, "m16n16k8", precision::tf32, float, ".tf32", unsigned, 4, "r")
HEDDLE_WIDE_PART(matrix_b, "b", 16, 16, 8, "m16n16k8", precision::tf32, float, ".tf32", unsigned, 4, "r")
HEDDLE_WIDE_SUM(16, 16, 8, "m16n16k8", float, ".f32", 8, "f")
HEDDLE_WIDE_PRODUCT(16, 16, 8, "m16n16k8", precision::tf32, ".f32.tf32.tf32.f32", HEDDLE_LIST44, unsigned, 4, 4, "r",
                    float, 8, "f")

HEDDLE_WIDE_PART(matrix_a, "a", 8, 8, 4, "m8n8k4", double, double, ".f64", double, 1, "d")
HEDDLE_WIDE_PART(matrix_b, "b", 8, 8, 4, "m8n8k4", double, double, ".f64", double, 1, "d")
HEDDLE_WIDE_SUM(8, 8, 4, "m8n8k4", double, ".f64", 2, "d")
HEDDLE_WIDE_PRODUCT(8, 8, 4, "m8n8k4", double, ".f64.f64.f64.f64", HEDDLE_LIST11, double, 1, 1, "d", double, 2, "d")

#undef HEDDLE_BFLOAT_SHAPE
#undef HEDDLE_WIDE_PRODUCT
#undef HEDDLE_MULTIPLY
#undef HEDDLE_WIDE_SUM
#undef HEDDLE_WIDE_PART
#undef HEDDLE_STORE_WORDS
#undef HEDDLE_LOAD_WORDS

}  // namespace wmma
}  // namespace nvcuda
