// Products of matrices by a warp (nvcuda::wmma) of the types that compute capability 8.0 has brought: bfloat16, tf32
// and double, of shapes and layouts, against sums on the host. All are exact.
#include <cuda_bf16.h>
#include <mma.h>

#include "check.h"

using namespace nvcuda;

// d = 2 (a b + c), d and c as `layout` says.
template <int M, int N, int K, class T, class Element, class Sum, class A, class B>
__global__ void multiply(const Element* a, const Element* b, const Sum* c, Sum* d, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, A> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, B> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, twice;
  constexpr bool kRowsA = std::is_same_v<A, wmma::row_major>, kRowsB = std::is_same_v<B, wmma::row_major>;
  const unsigned pitch = layout == wmma::mem_row_major ? N : M;
  wmma::load_matrix_sync(left, a, kRowsA ? K : M);
  wmma::load_matrix_sync(right, b, kRowsB ? N : K);
  wmma::load_matrix_sync(sum, c, pitch, layout);
  wmma::mma_sync(sum, left, right, sum);
  wmma::fill_fragment(twice, Sum(0));
  for (int i = 0; i < (int)sum.num_elements; ++i) twice.x[i] = sum.x[i] + sum.x[i];
  wmma::store_matrix_sync(d, twice, pitch, layout);
}

template <class T>
static T* memory(int count, int period) {
  T* values;
  CUDA(cudaMallocManaged(&values, count * sizeof(T)));
  for (int i = 0; i < count; ++i) values[i] = T((float)(i % period));
  return values;
}

template <int M, int N, int K, class T, class Element, class Sum, class A, class B>
static void hold(wmma::layout_t layout) {
  Element *a = memory<Element>(M * K, 7), *b = memory<Element>(N * K, 5);
  Sum *c = memory<Sum>(M * N, 11), *d = memory<Sum>(M * N, 1);
  multiply<M, N, K, T, Element, Sum, A, B><<<1, 32>>>(a, b, c, d, layout);
  CUDA(cudaDeviceSynchronize());
  for (int y = 0; y < M; ++y)
    for (int x = 0; x < N; ++x) {
      const int at = layout == wmma::mem_row_major ? y * N + x : x * M + y;
      int sum = at % 11;
      for (int k = 0; k < K; ++k)
        sum += (std::is_same_v<A, wmma::row_major> ? y * K + k : k * M + y) % 7 *
               ((std::is_same_v<B, wmma::row_major> ? k * N + x : x * K + k) % 5);
      EXPECT((float)d[at] == (float)(2 * sum));
    }
  for (void* each : {(void*)a, (void*)b, (void*)c, (void*)d}) CUDA(cudaFree(each));
}

template <int M, int N, int K, class T, class Element, class Sum>
static void hold_layouts() {
  for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    hold<M, N, K, T, Element, Sum, wmma::row_major, wmma::col_major>(layout);
    hold<M, N, K, T, Element, Sum, wmma::row_major, wmma::row_major>(layout);
    hold<M, N, K, T, Element, Sum, wmma::col_major, wmma::row_major>(layout);
    hold<M, N, K, T, Element, Sum, wmma::col_major, wmma::col_major>(layout);
  }
}

__global__ void round_to_tf32(float* values, int count) {
  for (int i = 0; i < count; ++i) values[i] = wmma::__float_to_tf32(values[i]);
}

// To 11 bits; from the middle away from zero.
static void hold_rounding() {
  const float given[] = {1.0f, 1.0f + 1.0f / 2048, 1.0f + 1.0f / 4096, -1.0f - 3.0f / 2048, 0.0f, 65504.0f};
  const float wanted[] = {1.0f, 1.0f + 1.0f / 1024, 1.0f, -1.0f - 2.0f / 1024, 0.0f, 65504.0f};
  float* values = memory<float>(6, 1);
  for (int i = 0; i < 6; ++i) values[i] = given[i];
  round_to_tf32<<<1, 1>>>(values, 6);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) EXPECT(values[i] == wanted[i]);
  CUDA(cudaFree(values));
}

int main() {
  hold_layouts<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>();
  hold_layouts<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float>();
  hold_layouts<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>();
  hold_layouts<16, 16, 8, wmma::precision::tf32, float, float>();
  hold_layouts<8, 8, 4, double, double, double>();
  hold_rounding();
  return passed();
}
