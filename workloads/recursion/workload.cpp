#include <algorithm>

#include "workloads/support.h"

namespace heddle::workloads::recursion {

namespace {

constexpr uint32_t kBlock = 64;

struct Slices {
  std::vector<int32_t> values;
  std::vector<int32_t> first;  // one more than there are slices
};

// Slices of 2 to 12 values, from a range so narrow that values repeat.
Slices random_slices(uint32_t count) {
  Random random(1);
  Slices slices;
  slices.first.push_back(0);
  for (uint32_t slice = 0; slice < count; ++slice) {
    const int32_t length = random.between(2, 12);
    for (int32_t i = 0; i < length; ++i) slices.values.push_back(random.between(-20, 20));
    slices.first.push_back(static_cast<int32_t>(slices.values.size()));
  }
  return slices;
}

// The depth depends on how the kernel picks its pivot, so the CPU follows the same partition.
int32_t quicksort(std::vector<int32_t>& values, int32_t low, int32_t high) {
  if (high - low < 2) return 0;
  const int32_t pivot = values[low + (high - low) / 2];
  int32_t left = low, right = high - 1;
  while (left <= right) {
    while (values[left] < pivot) ++left;
    while (values[right] > pivot) --right;
    if (left <= right) std::swap(values[left++], values[right--]);
  }
  return 1 + std::max(quicksort(values, low, right + 1), quicksort(values, left, high));
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t count = by_size(size, 4u, 200u, 960u) * kBlock - 10;  // the last block has idle threads
  const Slices slices = random_slices(count);
  Buffer<int32_t> values(device, slices.values, "values"), first(device, slices.first, "first of slice");
  Buffer<int32_t> depth(device, count, "depths");
  device.launch("sort_slices", {.grid = {ceil_div(count, kBlock)}, .block = {kBlock}},
                Arguments(values.address(), first.address(), depth.address(), count));

  std::vector<int32_t> sorted = slices.values, walked = slices.values, expected_depth;
  for (uint32_t slice = 0; slice < count; ++slice) {
    std::sort(sorted.begin() + slices.first[slice], sorted.begin() + slices.first[slice + 1]);
    expected_depth.push_back(quicksort(walked, slices.first[slice], slices.first[slice + 1]));
  }
  return all_of({compare("sorted slices", sorted, values.download()),
                 compare("recursion depths", expected_depth, depth.download())});
}

}  // namespace heddle::workloads::recursion
