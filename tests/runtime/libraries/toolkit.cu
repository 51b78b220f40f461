// Thrust and CUB from a toolkit: sorted, added up and scanned, against the same by the host's library.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <numeric>

#include "../programs/check.h"

constexpr int kCount = 5000;

int main() {
  thrust::host_vector<int> values(kCount);
  unsigned state = 1;
  for (int& each : values) {
    state = state * 1664525u + 1013904223u;
    each = (int)(state >> 8) % 1000;
  }
  thrust::device_vector<int> on_device = values;
  thrust::sort(on_device.begin(), on_device.end());
  const int sum = thrust::reduce(on_device.begin(), on_device.end(), 0);
  const thrust::host_vector<int> sorted = on_device;
  std::sort(values.begin(), values.end());
  EXPECT(sorted == values);
  EXPECT(sum == std::accumulate(values.begin(), values.end(), 0));

  thrust::device_vector<int> sums(kCount);
  int *from = thrust::raw_pointer_cast(on_device.data()), *to = thrust::raw_pointer_cast(sums.data());
  size_t bytes = 0;
  void* room = nullptr;
  CUDA(cub::DeviceScan::InclusiveSum(room, bytes, from, to, kCount));
  CUDA(cudaMalloc(&room, bytes));
  CUDA(cub::DeviceScan::InclusiveSum(room, bytes, from, to, kCount));
  thrust::host_vector<int> expected(kCount);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  EXPECT(thrust::host_vector<int>(sums) == expected);
  CUDA(cudaFree(room));
  return passed();
}
