// What a launch costs beside its instructions, for a GPU's counters, and the first touch of everything, by its clock:
//   nvcc -arch=native -o launches launches.cu
//   ncu --cache-control all --metrics gpc__cycles_elapsed.max,sm__cycles_active.max ./launches
// Cycles elapsed beyond those in which the busiest core was active are the launch's own. docs/validation.md says what an
// H200 gave.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

__constant__ uint32_t constants[8192];

__global__ void nothing() {}
__global__ void read_parameter(uint32_t* out, uint32_t never) {
  if (never == 77) out[0] = 1;
}
__global__ void store(uint32_t* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void load(const uint32_t* in, uint32_t* out) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == 77) out[0] = 1;
}

__device__ uint32_t now() {
  uint32_t time;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(time)::"memory");
  return time;
}

// The clock once the value is there.
__device__ uint32_t now_with(uint32_t value) {
  uint32_t time;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0x7a7a1234; @p trap; mov.u32 %0, %%clock; }"
               : "=r"(time)
               : "r"(value)
               : "memory");
  return time;
}

// A parameter, a constant, one of the next 64 bytes, one of another line.
__global__ void first_touch(uint32_t* out, uint32_t five) {
  uint32_t at[5];
  at[0] = now();
  at[1] = now_with(five);
  at[2] = now_with(constants[five]);
  at[3] = now_with(constants[five + 16]);
  at[4] = now_with(constants[five + 2048]);
  if (threadIdx.x == 0)
    for (int i = 0; i < 4; ++i) out[blockIdx.x * 4 + i] = at[i + 1] - at[i];
}

// A chase whose loads are timed one by one, `stride` bytes apart; the second pass finds them in the L2.
__global__ void make_ring(char* at, int places, size_t stride) {
  for (int i = threadIdx.x; i < places; i += blockDim.x) {
    const size_t from = i * 97 % places, to = (i + 1) * 97 % places;
    *reinterpret_cast<char**>(at + from * stride + from % 64 * 256) = at + to * stride + to % 64 * 256;
  }
}
__global__ void chase(const char* at, int places, uint32_t* out) {
  extern __shared__ uint32_t took[];
  for (int i = 0; i < 2 * places; ++i) {
    const uint32_t begin = now();
    uint64_t next;
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
    took[i] = now_with(next >> 7) - begin;
    at = reinterpret_cast<const char*>(next);
  }
  for (int i = 0; i < 2 * places; ++i) out[i] = took[i];
}

void print(const char* what, std::vector<uint32_t> values) {
  std::sort(values.begin(), values.end());
  std::printf("%s:", what);
  for (const double part : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.999})
    std::printf(" %u", values[static_cast<size_t>(part * values.size())]);
  std::printf("\n");
}

int main() {
  constexpr int kCores = 132, kPlaces = 2048;
  uint32_t *data, *out;
  char* ring;
  cudaMalloc(&data, 64 << 20);
  cudaMalloc(&out, 64 << 20);
  cudaMalloc(&ring, size_t{kPlaces} << 21);
  nothing<<<kCores, 32>>>();
  read_parameter<<<kCores, 32>>>(out, 0);
  store<<<kCores, 32>>>(out);
  load<<<kCores, 32>>>(data, out);
  std::vector<uint32_t> values(2 * kPlaces);
  first_touch<<<kCores, 32>>>(out, 5);
  cudaMemcpy(values.data(), out, kCores * 16, cudaMemcpyDeviceToHost);
  const char* names[] = {"parameter", "constant", "constant 64 bytes on", "constant 8 kB on"};
  for (int k = 0; k < 4; ++k) {
    std::vector<uint32_t> one;
    for (int core = 0; core < kCores; ++core) one.push_back(values[core * 4 + k]);
    print(names[k], one);
  }
  for (const size_t stride : {size_t{64} << 10, size_t{1} << 20, size_t{2} << 20}) {
    make_ring<<<1, 256>>>(ring, kPlaces, stride);
    chase<<<1, 1, 2 * kPlaces * sizeof(uint32_t)>>>(ring, kPlaces, out);
    cudaMemcpy(values.data(), out, values.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    std::printf("%zu kB apart\n", stride >> 10);
    print("  from DRAM", {values.begin(), values.begin() + kPlaces});
    print("  from the L2", {values.begin() + kPlaces, values.end()});
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
