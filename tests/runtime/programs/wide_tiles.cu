// Tiles of several warps: ranks, votes, barriers, reductions and scans, against sums on the host.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 256;

struct Result {
  int rank, size, meta, tiles, sum, before, with, any, all, neighbour;
  double largest;
};

template <int Size>
__global__ void by_tiles(const int* in, Result* out) {
  __shared__ cg::block_tile_memory<kThreads> memory;
  __shared__ int values[kThreads];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const int i = block.thread_rank(), value = in[i], first = tile.meta_group_rank() * Size;
  Result r = {};
  r.rank = tile.thread_rank();
  r.size = tile.size();
  r.meta = tile.meta_group_rank();
  r.tiles = tile.meta_group_size();
  if (r.meta != 1) {  // tiles meet by themselves
    r.sum = cg::reduce(tile, value, cg::plus<int>());
    r.largest = cg::reduce(tile, value * 0.5, cg::greater<double>());
    r.before = cg::exclusive_scan(tile, value, cg::plus<int>());
    r.with = cg::inclusive_scan(tile, value, cg::plus<int>());
    r.any = tile.any(value == 100) != 0;
    r.all = tile.all(value < 100) != 0;
    values[i] = value;
    tile.sync();
    r.neighbour = values[first + (tile.thread_rank() + Size / 2) % Size];
  }
  block.sync();
  out[i] = r;
}

template <int Size>
void hold() {
  std::vector<int> values(kThreads);
  for (int i = 0; i < kThreads; ++i) values[i] = i * 37 % 101;
  int* in;
  Result* out;
  CUDA(cudaMalloc(&in, kThreads * sizeof(int)));
  CUDA(cudaMalloc(&out, kThreads * sizeof(Result)));
  CUDA(cudaMemcpy(in, values.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice));
  by_tiles<Size><<<1, kThreads>>>(in, out);
  std::vector<Result> got(kThreads);
  CUDA(cudaMemcpy(got.data(), out, kThreads * sizeof(Result), cudaMemcpyDeviceToHost));
  for (int i = 0; i < kThreads; ++i) {
    const int first = i / Size * Size;
    int sum = 0, largest = 0, before = 0;
    bool any = false, all = true;
    for (int k = first; k < first + Size; ++k) {
      if (k == i) before = sum;
      sum += values[k];
      largest = values[k] > largest ? values[k] : largest;
      any |= values[k] == 100;
      all &= values[k] < 100;
    }
    const Result& r = got[i];
    EXPECT(r.rank == i - first && r.size == Size && r.meta == i / Size && r.tiles == kThreads / Size);
    if (r.meta == 1) continue;
    EXPECT(r.sum == sum && r.largest == largest * 0.5);
    EXPECT(r.before == before && r.with == before + values[i]);
    EXPECT(r.any == any && r.all == all);
    EXPECT(r.neighbour == values[first + (i - first + Size / 2) % Size]);
  }
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
}

int main() {
  hold<64>();
  hold<128>();
  return passed();
}
