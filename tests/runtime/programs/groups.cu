// Cooperative groups within a block: ranks, shuffles, votes, reductions and scans, against sums on the host.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 96;

struct Result {
  int rank, size, meta, sum, largest, before, with, above, vote, part_sum, part_size;
  double real;
};

template <int Size>
__global__ void by_tiles(const int* in, Result* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const int i = block.thread_rank(), value = in[i];
  Result r = {};
  r.rank = tile.thread_rank();
  r.size = tile.size();
  r.meta = tile.meta_group_rank();
  r.sum = cg::reduce(tile, value, cg::plus<int>());
  r.largest = cg::reduce(tile, value, cg::greater<int>());
  r.real = cg::reduce(tile, value * 0.5, cg::plus<double>());
  r.before = cg::exclusive_scan(tile, value);
  r.with = cg::inclusive_scan(tile, value, cg::plus<int>());
  r.above = tile.shfl_down(value, 1);
  r.vote = tile.ballot(value & 1);
  if (value & 1) {
    const cg::coalesced_group odd = cg::coalesced_threads();
    r.part_sum = cg::reduce(odd, value, cg::plus<int>());
    r.part_size = odd.size();
  }
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
    int sum = 0, largest = 0, before = 0, vote = 0, warp_sum = 0, warp_size = 0;
    for (int k = first; k < first + Size; ++k) {
      if (k == i) before = sum;
      sum += values[k];
      largest = values[k] > largest ? values[k] : largest;
      vote |= (values[k] & 1) << (k - first);
    }
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k)
      if (values[k] & 1) warp_sum += values[k], ++warp_size;
    const Result& r = got[i];
    EXPECT(r.rank == i - first && r.size == Size && r.meta == i / Size);
    EXPECT(r.sum == sum && r.largest == largest && r.real == sum * 0.5);
    EXPECT(r.before == before && r.with == before + values[i]);
    EXPECT(r.above == (i + 1 < first + Size ? values[i + 1] : values[i]));
    EXPECT(r.vote == vote);
    if (values[i] & 1) EXPECT(r.part_sum == warp_sum && r.part_size == warp_size);
  }
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
}

int main() {
  hold<32>();
  hold<16>();
  hold<4>();
  return passed();
}
