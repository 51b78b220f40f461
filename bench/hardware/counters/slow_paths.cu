// For which numbers divisions and roots call a function, by a GPU's clock, and what it takes, for its counters:
//   nvcc -std=c++17 -arch=native -o slow_paths slow_paths.cu
//   ./slow_paths            exponents (as they are stored) of dividend and divisor whose quotient is slow, in runs
//   ncu --metrics smsp__inst_executed.sum,gpc__cycles_elapsed.max ./slow_paths count
// The second launches a warp for each operation and sort of value, 64 times in a loop; the first of each operation is a
// usual number, and what the others have more is the function's. src/program/machine/slow_paths.cpp has what an H200 gave.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

enum Operation { kDivide, kReciprocal, kRoot, kReciprocalRoot };
constexpr const char* kNames[] = {"div", "rcp", "sqrt", "rsqrt"};

template <Operation kOperation>
__device__ float apply(float a, float b) {
  float q = 0;
  if (kOperation == kDivide) asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
  if (kOperation == kReciprocal) asm volatile("rcp.rn.f32 %0, %1;" : "=f"(q) : "f"(a));
  if (kOperation == kRoot) asm volatile("sqrt.rn.f32 %0, %1;" : "=f"(q) : "f"(a));
  return q;
}
template <Operation kOperation>
__device__ double apply(double a, double b) {
  double q = 0;
  if (kOperation == kDivide) asm volatile("div.rn.f64 %0, %1, %2;" : "=d"(q) : "d"(a), "d"(b));
  if (kOperation == kReciprocal) asm volatile("rcp.rn.f64 %0, %1;" : "=d"(q) : "d"(a));
  if (kOperation == kRoot) asm volatile("sqrt.rn.f64 %0, %1;" : "=d"(q) : "d"(a));
  if (kOperation == kReciprocalRoot) asm volatile("rsqrt.approx.f64 %0, %1;" : "=d"(q) : "d"(a));
  return q;
}

__device__ uint32_t now() {
  uint32_t time;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(time)::"memory");
  return time;
}

// A block of a warp for each pair; the third time counts, when the code is there.
template <Operation kOperation, class T>
__global__ void time_pairs(const T* first, const T* second, T* out, uint16_t* cycles) {
  const T a = first[blockIdx.y], b = second[blockIdx.x];
  const size_t pair = size_t{blockIdx.y} * gridDim.x + blockIdx.x;
  for (int i = 0; i < 3; ++i) {
    const uint32_t begin = now();
    const T q = apply<kOperation>(a, b);
    out[pair] = q;
    cycles[pair] = static_cast<uint16_t>(now() - begin);
  }
}

template <Operation kOperation, class T>
__global__ void repeat(T a, T b, T* out) {
  T sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) sum += apply<kOperation>(a, b);
  out[threadIdx.x] = sum;
}

template <class T, class Bits>
T number(Bits bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
std::vector<T> by_exponent() {
  std::vector<T> all;
  if constexpr (sizeof(T) == 4)
    for (uint32_t e = 0; e < 256; ++e) all.push_back(number<T>(e << 23 | 0x123456));
  else
    for (uint64_t e = 0; e < 2048; ++e) all.push_back(number<T>(e << 52 | 0x123456789abcd));
  return all;
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* at;
  cudaMalloc(&at, values.size() * sizeof(T));
  cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}

// Twice as long as the shortest is slow.
template <Operation kOperation, class T>
void show_slow() {
  const std::vector<T> first = by_exponent<T>(), second = kOperation == kDivide ? first : std::vector<T>{T(1)};
  const size_t pairs = first.size() * second.size();
  T* out;
  uint16_t* cycles;
  cudaMalloc(&out, pairs * sizeof(T));
  cudaMalloc(&cycles, pairs * sizeof(uint16_t));
  const dim3 grid(static_cast<unsigned>(second.size()), static_cast<unsigned>(first.size()));
  time_pairs<kOperation><<<grid, 32>>>(on_device(first), on_device(second), out, cycles);
  std::vector<uint16_t> taken(pairs);
  const cudaError_t error = cudaMemcpy(taken.data(), cycles, pairs * sizeof(uint16_t), cudaMemcpyDeviceToHost);
  printf("%s.f%zu: %s\n", kNames[kOperation], 8 * sizeof(T), cudaGetErrorString(error));
  uint16_t shortest = taken[0];
  for (const uint16_t each : taken) shortest = each < shortest ? each : shortest;
  std::string before;
  for (size_t a = 0; a < first.size(); ++a) {
    std::string runs;
    for (size_t b = 0; b < second.size();) {
      const size_t from = b;
      const auto slow = [&](size_t at) { return taken[a * second.size() + at] > 2 * shortest; };
      const bool is_slow = slow(b);
      while (b < second.size() && slow(b) == is_slow) ++b;
      if (is_slow) runs += " " + std::to_string(from) + " to " + std::to_string(b - 1);
    }
    if (runs != before) printf("  %zu:%s\n", a, runs.empty() ? " none" : runs.c_str());
    before = runs;
  }
}

template <Operation kOperation, class T>
void count(const std::vector<std::pair<T, T>>& values) {
  T* out = on_device(std::vector<T>(32));
  for (const auto& [a, b] : values) {
    repeat<kOperation><<<1, 32>>>(a, b, out);
    cudaDeviceSynchronize();
    printf("%s.f%zu %g %g\n", kNames[kOperation], 8 * sizeof(T), double(a), double(b));
  }
}

int main(int arguments, char**) {
  if (arguments > 1) {
    const std::vector<std::pair<float, float>> singles = {
        {1.5F, 3.F}, {0.F, 3.F}, {3.F, 0.F}, {1e38F, 2e-38F}, {2e-38F, 1e38F}, {3.F, 1e38F}, {-1.5F, 3.F}};
    const std::vector<std::pair<double, double>> doubles = {
        {1.5, 3.}, {0., 3.}, {3., 0.}, {1e308, 3e-308}, {3e-308, 1e308}, {3., 1e308}, {-1.5, 3.}};
    count<kDivide>(singles);
    count<kReciprocal>(singles);
    count<kRoot>(singles);
    count<kDivide>(doubles);
    count<kReciprocal>(doubles);
    count<kRoot>(doubles);
    count<kReciprocalRoot>(doubles);
    return 0;
  }
  show_slow<kDivide, float>();
  show_slow<kReciprocal, float>();
  show_slow<kRoot, float>();
  show_slow<kDivide, double>();
  show_slow<kReciprocal, double>();
  show_slow<kRoot, double>();
  show_slow<kReciprocalRoot, double>();
}
