// Kernels made from templates, chosen by type, number and function object.
#include <vector>

#include "check.h"

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Largest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

template <class T, int Threads, class Operation>
__global__ void reduce(const T* in, T* out, Operation operation) {
  __shared__ T row[Threads];
  const int i = threadIdx.x;
  row[i] = in[blockIdx.x * Threads + i];
  __syncthreads();
#pragma unroll
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (i < half) row[i] = operation(row[i], row[i + half]);
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = row[0];
}

template <class T, int Threads, class Operation>
static std::vector<T> reduced(const std::vector<T>& values, Operation operation) {
  const int blocks = (int)values.size() / Threads;
  std::vector<T> results(blocks);
  T *in, *out;
  CUDA(cudaMalloc(&in, values.size() * sizeof(T)));
  CUDA(cudaMalloc(&out, blocks * sizeof(T)));
  CUDA(cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  reduce<T, Threads><<<blocks, Threads>>>(in, out, operation);
  CUDA(cudaMemcpy(results.data(), out, blocks * sizeof(T), cudaMemcpyDeviceToHost));
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
  return results;
}

template <class T, int Threads>
static void check() {
  std::vector<T> values(4 * Threads);
  for (size_t i = 0; i < values.size(); ++i) values[i] = (T)((i * 37) % 101);
  const std::vector<T> sums = reduced<T, Threads>(values, Sum());
  const std::vector<T> largest = reduced<T, Threads>(values, Largest());
  for (int b = 0; b < 4; ++b) {
    T sum = 0, most = values[b * Threads];
    for (int i = 0; i < Threads; ++i) {
      sum += values[b * Threads + i];
      most = values[b * Threads + i] > most ? values[b * Threads + i] : most;
    }
    EXPECT(sums[b] == sum && largest[b] == most);
  }
}

int main() {
  check<int, 64>();
  check<float, 128>();
  check<double, 256>();
  check<unsigned long long, 32>();
  return passed();
}
