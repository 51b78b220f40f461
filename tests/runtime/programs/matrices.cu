// Products of matrices by a warp (nvcuda::wmma), of shapes and layouts, against sums on the host. All are exact.
#include <mma.h>

#include "check.h"

using namespace nvcuda;

// d = 2 (a b + c): a by rows, b by columns, d and c as `layout` says.
template <int M, int N, class T, class Sum>
__global__ void multiply(const T* a, const T* b, const Sum* c, Sum* d, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, 16, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, M, N, 16, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, M, N, 16, Sum> sum, twice;
  const unsigned pitch = layout == wmma::mem_row_major ? N : M;
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::load_matrix_sync(sum, c, pitch, layout);
  wmma::mma_sync(sum, left, right, sum);
  wmma::fill_fragment(twice, Sum(0));
  for (int i = 0; i < (int)sum.num_elements; ++i) twice.x[i] = sum.x[i] + sum.x[i];
  wmma::store_matrix_sync(d, twice, pitch, layout);
}

template <int M, int N, class T, class Sum>
static void hold(wmma::layout_t layout) {
  T *a, *b;
  Sum *c, *d;
  CUDA(cudaMallocManaged(&a, M * 16 * sizeof(T)));
  CUDA(cudaMallocManaged(&b, N * 16 * sizeof(T)));
  CUDA(cudaMallocManaged(&c, M * N * sizeof(Sum)));
  CUDA(cudaMallocManaged(&d, M * N * sizeof(Sum)));
  for (int i = 0; i < M * 16; ++i) a[i] = T((float)(i % 7));
  for (int i = 0; i < N * 16; ++i) b[i] = T((float)(i % 5));
  for (int i = 0; i < M * N; ++i) c[i] = Sum((float)(i % 11));
  multiply<M, N, T, Sum><<<1, 32>>>(a, b, c, d, layout);
  CUDA(cudaDeviceSynchronize());
  for (int y = 0; y < M; ++y)
    for (int x = 0; x < N; ++x) {
      const int at = layout == wmma::mem_row_major ? y * N + x : x * M + y;
      int sum = at % 11;
      for (int k = 0; k < 16; ++k) sum += (y * 16 + k) % 7 * ((x * 16 + k) % 5);
      EXPECT((float)d[at] == (float)(2 * sum));
    }
  CUDA(cudaFree(a));
  CUDA(cudaFree(b));
  CUDA(cudaFree(c));
  CUDA(cudaFree(d));
}

int main() {
  for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    hold<16, 16, half, float>(layout);
    hold<32, 8, half, float>(layout);
    hold<8, 32, half, half>(layout);
    hold<16, 16, signed char, int>(layout);
    hold<32, 8, unsigned char, int>(layout);
    hold<8, 32, signed char, int>(layout);
  }
  return passed();
}
