// How code comes to cores, by their clocks: loops of straight code of so many kilobytes, by so many warps of a core, on
// one core, on some of one group of cores, on all.
//   nvcc -O2 -arch=native -o code code.cu && ./code
// With an argument three of them alone, for the counters of the cache that cores share:
//   ncu --metrics gcc__cache_requests_type_instruction.sum,gcc__cycles_active.sum ./code count
// docs/validation.md says what an H200 gave.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

constexpr int kCores = 132, kTrips = 8;
// Cores of one group, found by where clusters of blocks go; each is one of a pair, the next number the other.
constexpr int kGroup[] = {12, 28, 44, 60, 74, 88, 102, 116, 120};

__device__ uint64_t now() {
  uint64_t time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(time)::"memory");
  return time;
}
__device__ uint32_t core() {
  uint32_t core;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(core));
  return core;
}

struct Times {
  uint64_t core, begin, end;  // of a warp
};

#define TWICE(x) x x
#define STEP(i) "fma.rn.f32 %" #i ", %" #i ", %8, %9;\n"
#define K1 TWICE(TWICE(TWICE(STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7))))  // 64 of 16 bytes
#define K4 TWICE(TWICE(K1))
#define K8 TWICE(K4)
#define K16 TWICE(K8)
#define K32 TWICE(K16)
#define K64 TWICE(K32)
#define K128 TWICE(K64)

// The first trip brings the code.
#define LOOP(kilobytes, text)                                                                                       \
  __global__ void loop_##kilobytes(Times* out, const bool* takes_part, float a, float b) {                          \
    if (!takes_part[core()]) return;                                                                                \
    float x[8];                                                                                                     \
    for (int i = 0; i < 8; ++i) x[i] = a + i + threadIdx.x;                                                         \
    uint64_t begin = 0;                                                                                             \
    _Pragma("unroll 1") for (int trip = 0; trip <= kTrips; ++trip) {                                                \
      if (trip == 1) {                                                                                              \
        __syncthreads();                                                                                            \
        begin = now();                                                                                              \
      }                                                                                                             \
      asm volatile(text                                                                                             \
                   : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]), "+f"(x[4]), "+f"(x[5]), "+f"(x[6]), "+f"(x[7]) \
                   : "f"(a), "f"(b));                                                                               \
    }                                                                                                               \
    const uint64_t end = now();                                                                                     \
    float sum = 0;                                                                                                  \
    for (int i = 0; i < 8; ++i) sum += x[i];                                                                        \
    if (sum == 12345.F) out[0].core = 1;                                                                            \
    if (threadIdx.x % 32 == 0)                                                                                      \
      out[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = {core(), begin, end};                                \
  }
LOOP(16, K16)
LOOP(28, K16 K8 K4)
LOOP(40, K32 K8)
LOOP(64, K64)
LOOP(96, K64 K32)
LOOP(112, K64 K32 K16)
LOOP(160, K128 K32)
LOOP(256, K128 K128)

using Loop = void (*)(Times*, const bool*, float, float);
Times* out;
bool* takes_part;

void run(Loop loop, int warps, const std::vector<int>& cores) {
  bool part[kCores] = {};
  for (const int each : cores) part[each] = true;
  cudaMemcpy(takes_part, part, sizeof part, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, kCores * warps * sizeof(Times));
  cudaFuncSetAttribute(loop, cudaFuncAttributeMaxDynamicSharedMemorySize, 120000);
  loop<<<kCores, 32 * warps, 120000>>>(out, takes_part, 1, 2);  // one block on each core
}

double cycles(int warps) {
  std::vector<Times> times(kCores * warps);
  cudaMemcpy(times.data(), out, times.size() * sizeof(Times), cudaMemcpyDeviceToHost);
  std::map<uint64_t, Times> of_cores;
  for (const Times& each : times) {
    if (each.end == 0) continue;
    Times& all = of_cores.try_emplace(each.core, each).first->second;
    all.begin = std::min(all.begin, each.begin);
    all.end = std::max(all.end, each.end);
  }
  double sum = 0;
  for (const auto& [core, all] : of_cores) sum += static_cast<double>(all.end - all.begin);
  return sum / of_cores.size();
}

int main(int count, char**) {
  cudaMalloc(&out, kCores * 16 * sizeof(Times));
  cudaMalloc(&takes_part, kCores);
  const std::pair<int, Loop> loops[] = {{16, loop_16}, {28, loop_28},   {40, loop_40},   {64, loop_64},
                                        {96, loop_96}, {112, loop_112}, {160, loop_160}, {256, loop_256}};
  std::vector<int> all, group;
  for (int i = 0; i < kCores; ++i) all.push_back(i);
  for (const int each : kGroup) group.insert(group.end(), {each, each + 1});
  const std::pair<const char*, std::vector<int>> sets[] = {{"one", {group[0]}},
                                                           {"a pair", {group[0], group[1]}},
                                                           {"two", {group[0], group[2]}},
                                                           {"four", {group[0], group[2], group[4], group[6]}},
                                                           {"a group", group},
                                                           {"all", all}};
  if (count > 1) {
    run(loop_96, 1, all);
    run(loop_96, 16, all);
    run(loop_96, 1, {group[0]});
  } else {
    for (const auto& [kilobytes, loop] : loops)
      for (const int warps : {1, 4, 8, 16}) {
        std::printf("%d kB, %d warps of a core:", kilobytes, warps);
        for (const auto& [name, cores] : sets) {
          run(loop, warps, cores);
          std::printf("  %s %.3f", name, cycles(warps) / kTrips / (kilobytes * 64));
        }
        std::printf("\n");
      }
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
