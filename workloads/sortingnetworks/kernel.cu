// Sorting networks over pairs of keys and values: bitonic sort, and Batcher's odd-even merge sort. Tiles of 1024
// pairs are sorted in shared memory by 512 threads, a comparator each; larger merges go through global memory
// until what is left fits a tile again.

constexpr unsigned kThreads = 512, kTile = 2 * kThreads;

struct Tile {
  unsigned keys[kTile], values[kTile];
};

// Exchanges the pairs where their order is not the wanted one. Whether it is depends on the data, so nearly
// every comparator splits its warp.
static __device__ void compare_exchange(unsigned* keys, unsigned* values, unsigned low, unsigned high, bool ascending) {
  const unsigned a = keys[low], b = keys[high];
  if ((a > b) == ascending) {
    keys[low] = b;
    keys[high] = a;
    const unsigned held = values[low];
    values[low] = values[high];
    values[high] = held;
  }
}

static __device__ void load_tile(Tile& tile, const unsigned* keys, const unsigned* values) {
  for (unsigned i = threadIdx.x; i < kTile; i += kThreads) {
    tile.keys[i] = keys[blockIdx.x * kTile + i];
    tile.values[i] = values[blockIdx.x * kTile + i];
  }
}

static __device__ void store_tile(const Tile& tile, unsigned* keys, unsigned* values) {
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kTile; i += kThreads) {
    keys[blockIdx.x * kTile + i] = tile.keys[i];
    values[blockIdx.x * kTile + i] = tile.values[i];
  }
}

// The comparators of a bitonic merge, from the given stride down.
static __device__ void merge_bitonic(Tile& tile, unsigned stride, bool ascending) {
#pragma unroll 1
  for (; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare_exchange(tile.keys, tile.values, low, low + stride, ascending);
  }
}

// Every other tile comes out descending, so that two of them are a bitonic sequence.
extern "C" __global__ void bitonic_sort_tiles(unsigned* keys, unsigned* values) {
  __shared__ Tile tile;
  load_tile(tile, keys, values);
#pragma unroll 1
  for (unsigned size = 2; size < kTile; size *= 2) merge_bitonic(tile, size / 2, (threadIdx.x & (size / 2)) == 0);
  merge_bitonic(tile, kTile / 2, (blockIdx.x & 1) == 0);
  store_tile(tile, keys, values);
}

// One stride of the merge to sequences of `size`, of more pairs than a tile has.
extern "C" __global__ void bitonic_merge_global(unsigned* keys, unsigned* values, unsigned size, unsigned stride) {
  const unsigned comparator = blockIdx.x * kThreads + threadIdx.x;
  const unsigned low = 2 * comparator - (comparator & (stride - 1));
  compare_exchange(keys, values, low, low + stride, (comparator & (size / 2)) == 0);
}

// The strides of that merge that stay within a tile.
extern "C" __global__ void bitonic_merge_tiles(unsigned* keys, unsigned* values, unsigned size) {
  __shared__ Tile tile;
  load_tile(tile, keys, values);
  merge_bitonic(tile, kTile / 2, ((blockIdx.x * kThreads) & (size / 2)) == 0);
  store_tile(tile, keys, values);
}

// In the strides after the first, the first threads of each sequence have no comparator.
extern "C" __global__ void odd_even_sort_tiles(unsigned* keys, unsigned* values) {
  __shared__ Tile tile;
  load_tile(tile, keys, values);
#pragma unroll 1
  for (unsigned size = 2; size <= kTile; size *= 2) {
    unsigned stride = size / 2;
    const unsigned within = threadIdx.x & (stride - 1);
    __syncthreads();
    const unsigned low = 2 * threadIdx.x - within;
    compare_exchange(tile.keys, tile.values, low, low + stride, true);
#pragma unroll 1
    for (stride /= 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned high = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (within >= stride) compare_exchange(tile.keys, tile.values, high - stride, high, true);
    }
  }
  store_tile(tile, keys, values);
}

extern "C" __global__ void odd_even_merge_global(unsigned* keys, unsigned* values, unsigned size, unsigned stride) {
  const unsigned comparator = blockIdx.x * kThreads + threadIdx.x;
  const unsigned at = 2 * comparator - (comparator & (stride - 1));
  if (stride == size / 2) {
    compare_exchange(keys, values, at, at + stride, true);
  } else if ((comparator & (size / 2 - 1)) >= stride) {
    compare_exchange(keys, values, at - stride, at, true);
  }
}
