// <cuda/std/…> in kernels and on the host.
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/type_traits>

#include "check.h"

template <class T>
__host__ __device__ T largest() {
  static_assert(cuda::std::is_floating_point<T>::value, "of numbers with a point");
  return cuda::std::numeric_limits<T>::max();
}

__global__ void kernel(double* out) {
  cuda::std::array<double, 3> values = {3.0, 1.0, 2.0};
  out[0] = cuda::std::get<2>(values);
  out[1] = cuda::std::sqrt(values[0] * values[0] + 16.0);
  out[2] = largest<float>();
  const cuda::std::complex<double> square = cuda::std::complex<double>(1.0, 2.0) * cuda::std::complex<double>(1.0, 2.0);
  out[3] = square.real();
  out[4] = square.imag();
}

int main() {
  double *device, got[5];
  CUDA(cudaMalloc(&device, sizeof got));
  kernel<<<1, 1>>>(device);
  CUDA(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  EXPECT(got[0] == 2.0 && got[1] == 5.0 && got[2] == (double)largest<float>());
  EXPECT(got[3] == -3.0 && got[4] == 4.0);
  return passed();
}
