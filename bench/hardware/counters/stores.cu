// Which stores of a core the L2 hears of together, for its counters:
//   nvcc -arch=native -o stores stores.cu
//   ncu --metrics lts__t_requests_srcunit_tex_op_write.sum,lts__t_sectors_srcunit_tex_op_write.sum ./stores
// The program prints a line for each launch, in their order. docs/validation.md says what an H200 gave.
#include <cstdint>
#include <cstdio>
#include <utility>

template <int kBytes>
__device__ __forceinline__ void store(char* to, int offset, uint32_t x = 7) {
  if constexpr (kBytes == 2)
    asm volatile("st.global.u16 [%0], %1;" ::"l"(to + offset), "h"(uint16_t(x)) : "memory");
  else if constexpr (kBytes == 4)
    asm volatile("st.global.u32 [%0], %1;" ::"l"(to + offset), "r"(x) : "memory");
  else if constexpr (kBytes == 8)
    asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(to + offset), "r"(x) : "memory");
  else
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to + offset), "r"(x) : "memory");
}

// From 1: a reading of the clock, which keeps its place; from 2: one that is waited for; then dependent steps behind
// it.
template <int kGap>
__device__ __forceinline__ uint32_t pass(float a) {
  uint64_t clock = 7;
  if constexpr (kGap > 0) asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
  if constexpr (kGap < 2) return 7;
  float x = __uint_as_float(static_cast<uint32_t>(clock));
#pragma unroll
  for (int i = 2; i < kGap; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a));
  return __float_as_uint(x);
}

// Each thread writes a structure of kCount members in turn, with kGap dependent steps between.
template <int kBytes, int kCount, int kGap>
__global__ void structures(char* data, float a) {
  char* const to = data + size_t(blockIdx.x * blockDim.x + threadIdx.x) * (kBytes * kCount);
#pragma unroll
  for (int i = 0; i < kCount; ++i) store<kBytes>(to, i * kBytes, pass<kGap>(a));
}

// The same of what was loaded before.
template <int kCount>
__global__ void copied(const double* from, double* data) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  double x[kCount];
#pragma unroll
  for (int i = 0; i < kCount; ++i) x[i] = from[thread * kCount + i];
#pragma unroll
  for (int i = 0; i < kCount; ++i) data[thread * kCount + i] = x[i] + 1;
}

// A half of each word of a line, then kStores stores to lines of their own of which each has `stride` bytes between
// lanes, then the other halves.
template <int kStores>
__global__ void between(char* data, int stride) {
  char* const line = data + threadIdx.x * 4;
  char* const other = data + (1 << 20) + threadIdx.x * stride;
  store<2>(line, 0);
#pragma unroll
  for (int i = 0; i < kStores; ++i) store<4>(other, i * 4096);
  store<2>(line, 2);
}

// Each warp writes a sector, or a part of it, of one line.
__global__ void one_line(char* data, int bytes) {
  char* const to = data + (threadIdx.x / 32) * bytes + (threadIdx.x % 32) * 4;
  if (threadIdx.x % 32 < bytes / 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(7) : "memory");
}

char* data;
template <int kBytes, int kCount, int kGap = 0>
void structure(int warps, int blocks = 1) {
  structures<kBytes, kCount, kGap><<<blocks, warps * 32>>>(data, 1.F);
  std::printf("structures of %d of %d bytes gap %d warps %d blocks %d lines %d\n", kCount, kBytes, kGap, warps, blocks,
              kCount * kBytes / 4 * warps * blocks);
}
template <int kBytes, int... kCounts>
void sizes(int warps, std::integer_sequence<int, kCounts...>) {
  (structure<kBytes, kCounts>(warps), ...);
}
template <int kBytes, int kCount, int... kGaps>
void gaps(int warps, std::integer_sequence<int, kGaps...>) {
  (structure<kBytes, kCount, kGaps>(warps), ...);
}
template <int kStores>
void apart(int stride) {
  between<kStores><<<1, 32>>>(data, stride);
  std::printf("between %d stores of %d lines\n", kStores, stride == 0 ? 1 : stride * 32 / 128);
}
template <int kCount>
void copy(int warps, int blocks) {
  copied<kCount><<<blocks, warps * 32>>>(reinterpret_cast<double*>(data + (64 << 20)), reinterpret_cast<double*>(data));
  std::printf("copied %d doubles warps %d blocks %d lines %d\n", kCount, warps, blocks, kCount * 2 * warps * blocks);
}

int main() {
  cudaMalloc(&data, 256 << 20);
  sizes<4>(1, std::integer_sequence<int, 1, 2, 3, 4, 6, 8, 12, 16, 17, 18, 20, 24, 28, 31, 32>());
  sizes<8>(1, std::integer_sequence<int, 2, 3, 4, 6, 8, 12, 16>());
  sizes<16>(1, std::integer_sequence<int, 2, 3, 4, 8>());
  for (const int warps : {2, 4, 8, 16, 32}) sizes<4>(warps, std::integer_sequence<int, 2, 3, 4, 6, 8>());
  for (const int warps : {2, 4, 8, 16, 32}) sizes<8>(warps, std::integer_sequence<int, 2, 3, 4, 6>());
  for (const int warps : {1, 8, 32}) gaps<4, 3>(warps, std::integer_sequence<int, 1, 2, 3, 4, 8, 16, 64>());
  for (const int warps : {1, 8}) gaps<4, 8>(warps, std::integer_sequence<int, 1, 2, 4, 8, 16, 64>());
  for (const int warps : {1, 8}) gaps<8, 3>(warps, std::integer_sequence<int, 1, 2, 4, 8, 16, 64>());
  for (const int stride : {0, 8, 16, 32, 64, 80, 96, 112, 128}) apart<1>(stride);
  apart<0>(0), apart<2>(0), apart<4>(0), apart<8>(0), apart<12>(0), apart<16>(0), apart<24>(0), apart<32>(0);
  apart<2>(32), apart<2>(64), apart<4>(32);
  for (const int bytes : {16, 32}) {
    one_line<<<1, 128>>>(data, bytes);
    std::printf("one line of 4 warps, %d bytes each\n", bytes);
  }
  for (const int blocks : {1, 132, 2112})
    structure<8, 3>(8, blocks), structure<4, 3>(8, blocks), structure<4, 6>(8, blocks);
  for (const int blocks : {1, 132, 2112})
    copy<3>(8, blocks), copy<2>(8, blocks), copy<4>(8, blocks), copy<6>(8, blocks);
  copy<3>(1, 1);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
