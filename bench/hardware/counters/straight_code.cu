// How straight code comes the first time and again, by clocks read every two kilobytes of it, on one core and on all.
//   nvcc -O2 -arch=native -o straight_code straight_code.cu && ./straight_code
// docs/validation.md says what an H200 gave.
#include <cstdint>
#include <cstdio>
#include <vector>
constexpr int kTrips = 3;
#define TWICE(x) x x
#define STEP(i) "fma.rn.f32 %" #i ", %" #i ", %8, %9;\n"
#define K1 TWICE(TWICE(TWICE(STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7))))
__device__ __forceinline__ uint32_t now() {
  uint64_t time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(time)::"memory");
  return uint32_t(time);
}
template <int kSegments, int kName>
__global__ void straight(uint32_t* out, float a, float b, int trips) {
  __shared__ uint32_t times[kTrips * (kSegments + 1)];
  float x[8];
  for (int i = 0; i < 8; ++i) x[i] = a + i + threadIdx.x;
  for (int i = threadIdx.x; i < kTrips * (kSegments + 1); i += 32) times[i] = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    uint32_t* const at = times + trip * (kSegments + 1);
    at[0] = now();
#pragma unroll
    for (int i = 0; i < kSegments; ++i) {
      asm volatile(K1 K1
                   : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]), "+f"(x[4]), "+f"(x[5]), "+f"(x[6]), "+f"(x[7])
                   : "f"(a), "f"(b));
      at[i + 1] = now();
    }
  }
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += x[i];
  if (sum == 12345.F) out[0] = 1;
  __syncwarp();
  for (int i = threadIdx.x; i < kTrips * (kSegments + 1); i += 32)
    out[blockIdx.x * kTrips * (kSegments + 1) + i] = times[i];
}
uint32_t* out;
template <int kSegments, int kName>
void run(const char* what, int blocks, int trips) {
  constexpr int kRow = kSegments + 1;
  cudaMemset(out, 0, 1 << 20);
  cudaFuncSetAttribute(straight<kSegments, kName>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120000);
  straight<kSegments, kName><<<blocks, 32, 120000>>>(out, 1, 2, trips);
  std::vector<uint32_t> times(blocks * kTrips * kRow);
  cudaMemcpy(times.data(), out, times.size() * 4, cudaMemcpyDeviceToHost);
  for (int trip = 0; trip < trips; ++trip) {
    std::printf("%s, %d kB, %d blocks, trip %d: cycles of an instruction:", what, kSegments * 2, blocks, trip);
    double all = 0;
    for (int i = 0; i < kSegments; ++i) {
      double sum = 0;
      for (int block = 0; block < blocks; ++block) {
        const uint32_t* const row = times.data() + (block * kTrips + trip) * kRow;
        sum += row[i + 1] - row[i];
      }
      all += sum / blocks / 128;
      std::printf(" %.2f", sum / blocks / 128);
    }
    std::printf("  mean %.3f\n", all / kSegments);
  }
}
int main() {
  cudaMalloc(&out, 1 << 20);
  run<48, 0>("first", 1, 3);
  run<48, 0>("again", 1, 3);
  run<48, 0>("again", 1, 1);
  run<120, 0>("large", 132, 2);
  run<48, 0>("behind large", 1, 3);
  run<120, 0>("large", 132, 2);
  run<48, 0>("behind large", 132, 3);
  run<48, 0>("again", 132, 3);
  run<48, 1>("first", 132, 3);
  run<32, 0>("first", 1, 2);
  run<32, 0>("again", 1, 2);
  run<32, 1>("first", 132, 2);
  run<32, 1>("again", 132, 2);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
