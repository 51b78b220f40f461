// How blocks come and go, by clocks of cores: how long behind the end of blocks others start in their places, where one
// or several end at the same time, on one core, on a pair, on a group of them, on all.
//   nvcc -O2 -arch=native -o blocks blocks.cu && ./blocks
// docs/validation.md says what an H200 gave.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kCores = 132;
// Cores of one group, found by where clusters of blocks go; each is one of a pair, the next number the other.
constexpr int kGroup[] = {12, 28, 44, 60, 74, 88, 102, 116, 120};
constexpr uint64_t kLate = 30000;  // cycles

__device__ uint64_t now() {
  uint64_t time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(time)::"memory");
  return time;
}
__device__ uint64_t nanoseconds() {
  uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}
__device__ uint32_t core() {
  uint32_t core;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(core));
  return core;
}

// What each core's clock says at one time of all, 200 microseconds from now; the clocks go at 1500 MHz. One block to a
// core, which watches the common clock step.
__global__ void set_goal(uint64_t* goal) { *goal = nanoseconds() + 200000; }
__global__ void find_times(const uint64_t* goal, uint64_t* times) {
  if (threadIdx.x > 0) return;
  int64_t least = INT64_MAX;
  for (int i = 0; i < 24; ++i) {
    const uint64_t before = nanoseconds();
    uint64_t after = before;
    while (after == before) after = nanoseconds();
    least = min(least, static_cast<int64_t>(now() - after / 2 * 3));
  }
  times[core()] = least + *goal / 2 * 3;
}

struct Start {
  uint64_t core, time;
};

// The blocks that fit at once wait until that time: `many` of each core that takes part end then, or store and end, the
// others much later. Those behind them note when they start.
__global__ void take_places(const uint64_t* times, uint32_t* seen, Start* out, uint32_t many, const bool* takes_part,
                            uint32_t first, uint64_t* stored) {
  const uint64_t start = now();
  const uint32_t here = core();
  __shared__ uint32_t rank;
  if (blockIdx.x < first) {
    if (threadIdx.x == 0) rank = atomicAdd(&seen[here], 1);
    __syncthreads();
    const uint64_t end = times[here] + (rank < many && takes_part[here] ? 0 : kLate);
    while (now() < end) {}
    if (stored != nullptr) stored[blockIdx.x] = start;
    return;
  }
  if (threadIdx.x == 0) out[blockIdx.x - first] = {here, start};
  while (now() < times[here] + kLate) {}
}

uint64_t *goal, *times, *stored;
uint32_t* seen;
Start* out;
bool* takes_part;

void ask(const char* name, const std::vector<int>& cores, int threads, int many, bool stores) {
  const int first = std::min(32, 2048 / threads) * kCores, behind = many * static_cast<int>(cores.size());
  bool part[kCores] = {};
  for (const int each : cores) part[each] = true;
  cudaMemcpy(takes_part, part, sizeof part, cudaMemcpyHostToDevice);
  std::vector<Start> starts(behind);
  std::vector<uint64_t> ends(kCores);
  for (int again = 0; again < 2; ++again) {  // the first brings the code
    cudaMemset(seen, 0, kCores * sizeof(uint32_t));
    set_goal<<<1, 1>>>(goal);
    find_times<<<kCores, 32, 200000>>>(goal, times);
    take_places<<<first + behind, threads>>>(times, seen, out, many, takes_part, first, stores ? stored : nullptr);
    cudaMemcpy(starts.data(), out, starts.size() * sizeof(Start), cudaMemcpyDeviceToHost);
    cudaMemcpy(ends.data(), times, ends.size() * sizeof(uint64_t), cudaMemcpyDeviceToHost);
  }
  std::vector<int64_t> all, of_one;
  for (const Start& each : starts) {
    all.push_back(static_cast<int64_t>(each.time - ends[each.core]));
    if (each.core == static_cast<uint64_t>(cores[0])) of_one.push_back(all.back());
  }
  std::sort(all.begin(), all.end());
  std::sort(of_one.begin(), of_one.end());
  std::printf("%s, %d threads, %d end%s: first %ld, median %ld, last %ld; of core %d:", name, threads, many,
              stores ? " behind a store" : "", all.front(), all[all.size() / 2], all.back(), cores[0]);
  for (const int64_t each : of_one) std::printf(" %ld", each);
  std::printf("\n");
}

int main() {
  cudaMalloc(&goal, sizeof(uint64_t));
  cudaMalloc(&times, kCores * sizeof(uint64_t));
  cudaMalloc(&stored, kCores * 64 * sizeof(uint64_t));
  cudaMalloc(&seen, kCores * sizeof(uint32_t));
  cudaMalloc(&out, kCores * 32 * sizeof(Start));
  cudaMalloc(&takes_part, kCores);
  cudaFuncSetAttribute(find_times, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
  std::vector<int> all, group;
  for (int i = 0; i < kCores; ++i) all.push_back(i);
  for (const int each : kGroup) group.insert(group.end(), {each, each + 1});
  const std::pair<const char*, std::vector<int>> sets[] = {
      {"one core", {group[0]}}, {"a pair", {group[0], group[1]}}, {"a group", group}, {"all", all}};
  for (const auto& [name, cores] : sets) {
    for (const int many : {1, 2, 4, 8, 16, 32}) ask(name, cores, 32, many, false);
    for (const int many : {1, 8, 32}) ask(name, cores, 32, many, true);
    for (const int many : {1, 8}) ask(name, cores, 256, many, false);
    for (const int many : {1, 2}) ask(name, cores, 1024, many, false);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
