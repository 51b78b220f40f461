// Every thread sorts its own slice of an array by quicksort that really calls itself: both calls stay calls,
// as the depth they return is needed afterwards. Threads of a warp return from different depths.

extern "C" __device__ __noinline__ int quicksort(int* values, int low, int high) {
  if (high - low < 2) return 0;
  const int pivot = values[low + (high - low) / 2];
  int left = low, right = high - 1;
  while (left <= right) {
    while (values[left] < pivot) ++left;
    while (values[right] > pivot) --right;
    if (left > right) break;
    const int held = values[left];
    values[left++] = values[right];
    values[right--] = held;
  }
  const int depth_below = quicksort(values, low, right + 1);
  const int depth_above = quicksort(values, left, high);
  return 1 + (depth_below > depth_above ? depth_below : depth_above);
}

// Thread i sorts values[first[i]] … values[first[i + 1] - 1] and says how deep it went.
extern "C" __global__ void sort_slices(int* values, const int* first, int* depth, int slices) {
  const int slice = blockIdx.x * blockDim.x + threadIdx.x;
  if (slice >= slices) return;
  depth[slice] = quicksort(values, first[slice], first[slice + 1]);
}
