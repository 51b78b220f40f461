// Small kernels in the manner of programs, each of which does mostly one thing, for a GPU's counters beside heddle's:
//   nvcc -O3 -arch=native -o programs programs.cu
//   ncu --cache-control all --metrics gpc__cycles_elapsed.max,smsp__inst_executed.sum ./programs
//   heddle exec --preset h200 --mechanism its --set launch_caches=cold --set core_clock=1500 -- ./programs
// docs/validation.md says what an H200 gave.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int kBlocks = 1056, kThreads = 256, kAll = kBlocks * kThreads;

__device__ int me() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ uint32_t next(uint32_t& seed) { return seed = seed * 1664525u + 1013904223u; }

// A thread's own counters, one behind the other: in local memory as bytes and as words, in shared memory, in global.
__global__ void local_bytes(const uint8_t* in, uint32_t* out) {
  uint8_t count[16];
  for (int i = 0; i < 16; ++i) count[i] = 0;
  for (int i = 0; i < 24; ++i) ++count[in[(me() + 37 * i) % kAll] & 15];
  uint32_t sum = 0;
  for (int i = 0; i < 16; ++i) sum = sum * 3 + count[i];
  out[me()] = sum;
}
__global__ void local_words(const uint8_t* in, uint32_t* out) {
  uint32_t count[16];
  for (int i = 0; i < 16; ++i) count[i] = 0;
  for (int i = 0; i < 24; ++i) ++count[in[(me() + 37 * i) % kAll] & 15];
  uint32_t sum = 0;
  for (int i = 0; i < 16; ++i) sum = sum * 3 + count[i];
  out[me()] = sum;
}
__global__ void shared_words(const uint8_t* in, uint32_t* out) {
  __shared__ uint32_t count[16][kThreads];
  for (int i = 0; i < 16; ++i) count[i][threadIdx.x] = 0;
  for (int i = 0; i < 24; ++i) ++count[in[(me() + 37 * i) % kAll] & 15][threadIdx.x];
  uint32_t sum = 0;
  for (int i = 0; i < 16; ++i) sum = sum * 3 + count[i][threadIdx.x];
  out[me()] = sum;
}
__global__ void global_words(const uint8_t* in, uint64_t* map) {
  for (int i = 0; i < 24; ++i) ++map[size_t(me()) * 16 + (in[(me() + 37 * i) % kAll] & 15)];
}

// Divisions: by a number, by what is known, with powers between; whole numbers.
__global__ void divide_exp(const float* in, float* out, float a, float b) {
  const int x = me();
  const float centre = in[x];
  float sum = 0, all = 0;
  for (int i = -4; i <= 4; ++i)
#pragma unroll 1
    for (int j = -4; j <= 4; ++j) {
      const float other = in[min(max(x + i * 64 + j, 0), kAll - 1)];
      const float weight = expf(-(centre - other) * (centre - other) / a - float(i * i + j * j) / b);
      sum += weight * other;
      all += weight;
    }
  out[x] = sum / all;
}
__global__ void divide_constant(const float* in, float* out) {
  float x = in[me()];
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    x += in[(me() + 1024 * i) % kAll] / 1000.0f - 0.0495f;
    x -= truncf(x);
  }
  out[me()] = x;
}
__global__ void divide_whole(const uint32_t* in, uint32_t* out, uint32_t by) {
  uint32_t x = in[me()] | 1, sum = 0;
#pragma unroll 1
  for (int i = 0; i < 32; ++i) {
    sum += (x + by * i) / (by + i) + x % (i + 3);
    x = x * 5 + 1;
  }
  out[me()] = sum;
}

// Double precision: arrays that do not fit into registers, functions, chains.
template <int N>
__device__ void product(const double* a, const double* b, double* c) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double sum = 0;
      for (int k = 0; k < N; ++k) sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}
template <int N>
__global__ void matrices(const double* in, double* out, int trips) {
  double a[N * N], b[N * N], c[N * N];
  for (int i = 0; i < N * N; ++i) a[i] = in[(size_t(me()) * N * N + i) % kAll], b[i] = in[(me() + i) % kAll];
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    product<N>(a, b, c);
    for (int i = 0; i < N * N; ++i) b[i] = c[i] * 0.25 + a[i];
  }
  double sum = 0;
  for (int i = 0; i < N * N; ++i) sum += b[i];
  out[me()] = sum;
}
__global__ void double_functions(const double* in, double* out) {
  double x = in[me()];
#pragma unroll 1
  for (int i = 0; i < 8; ++i) x = sqrt(log(exp(x) + 1.0) + 2.0) / (x + 1.5);
  out[me()] = x;
}
__global__ void double_chain(const double* in, double* out) {
  double x = in[me()], y = x + 1;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    x = x * y + 0.5;
    y = y * x - 0.25;
    x = x * 0.125;
  }
  out[me()] = x + y;
}
__global__ void single_functions(const float* in, float* out) {
  float x = in[me()];
#pragma unroll 1
  for (int i = 0; i < 16; ++i) x = sinf(x) * cosf(x * 1.5f) + logf(x * x + 1.0f) + powf(x * x + 0.5f, 0.7f);
  out[me()] = x;
}

// Calls, and loops whose threads part.
__device__ __noinline__ float called(float x, float y, int n) {
  if (n & 1) x = x * y + 0.5f;
  return x * 0.75f + y;
}
__global__ void calls(const float* in, float* out) {
  float x = in[me()], y = 0.25f;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    x = called(x, y, i + threadIdx.x);
    y = called(y, x, i);
  }
  out[me()] = x + y;
}
__global__ void part(const uint32_t* in, uint32_t* out) {
  uint32_t seed = in[me()], sum = 0;
#pragma unroll 1
  for (int game = 0; game < 8; ++game) {
    uint32_t hand = 0;
#pragma unroll 1
    while (hand < 17) {
      const uint32_t card = (next(seed) >> 16) % 13 + 1;
      hand += card > 10 ? 10 : card;
      if (card == 1 && hand < 12) hand += 10;
    }
    if (hand > 21)
      sum += seed >> 28;
    else if (hand == 21)
      sum += 2 * hand + next(seed) % 3;
    else
      sum ^= hand;
  }
  out[me()] = sum;
}

// Memory: bytes one by one, all cores the same matrix, chains of loads, banks, barriers.
__global__ void bytes(const uint8_t* in, uint32_t* out) {
  uint32_t hash = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    const uint8_t c = in[(me() * 16 + i) % kAll];
    if (c > 'z') break;
    hash = hash * 31 + c;
  }
  out[me()] = hash;
}
__global__ void same_matrix(const float4* matrix, const float* in, float4* out) {
  float4 sum = {0, 0, 0, 0};
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    const float4 m = matrix[i * 32 + threadIdx.x % 32];
    const float x = in[(blockIdx.x * 64 + i) % kAll];
    sum.x += m.x * x, sum.y += m.y * x, sum.z += m.z * x, sum.w += m.w * x;
  }
  out[me()] = sum;
}
__global__ void chain(const uint32_t* in, uint32_t* out) {
  uint32_t at = me();
#pragma unroll 1
  for (int i = 0; i < 16; ++i) at = in[at % kAll];
  out[me()] = at;
}
__global__ void banks(const uint32_t* in, uint32_t* out) {
  __shared__ uint32_t table[2048];
  for (int i = threadIdx.x; i < 2048; i += kThreads) table[i] = in[i];
  __syncthreads();
  uint32_t x = in[me()], sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) sum += table[(x + sum) & 2047], x = x * 5 + 1;
  out[me()] = sum;
}
__global__ void barriers(const float* in, float* out) {
  __shared__ float row[kThreads];
  float x = in[me()];
#pragma unroll 1
  for (int i = 0; i < 32; ++i) {
    row[threadIdx.x] = x;
    __syncthreads();
    x = 0.5f * x + 0.25f * (row[(threadIdx.x + 1) % kThreads] + row[(threadIdx.x + kThreads - 1) % kThreads]);
    __syncthreads();
  }
  out[me()] = x;
}
// Code that does not fit into the nearest cache of it.
__global__ void long_code(const uint32_t* in, uint32_t* out) {
  uint32_t x = in[me()], y = x + 1, z = x ^ 5, w = 7 * x;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int k = 0; k < 700; ++k) {
      x = (x ^ y) * (2 * k + 3) + z;
      y = (y + w) ^ (x >> (k % 31 + 1));
      z = z * (2 * k + 5) + x;
      w ^= z + k;
    }
  }
  out[me()] = x + y + z + w;
}

template <class T>
T* some(size_t count) {
  T* host = static_cast<T*>(malloc(count * sizeof(T)));
  uint32_t seed = 12345;
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    if constexpr (sizeof(T) == 1)
      host[i] = T('a' + (seed >> 24) % 20);
    else if constexpr (T(0.5) != T(0))
      host[i] = T((seed >> 8) / 16777216.0 + 0.25);
    else
      host[i] = T(seed);
  }
  T* device;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  free(host);
  return device;
}

int main(int count, char** words) {
  const auto b = some<uint8_t>(kAll);
  const auto u = some<uint32_t>(kAll);
  const auto f = some<float>(kAll);
  const auto d = some<double>(kAll);
  void* out;
  cudaMalloc(&out, size_t{kAll} * 128);
  cudaMemset(out, 0, size_t{kAll} * 128);
  const auto U = static_cast<uint32_t*>(out);
  const auto F = static_cast<float*>(out);
  const auto D = static_cast<double*>(out);
  const auto chosen = [&](const char* name) {
    for (int i = 1; i < count; ++i)
      if (!strcmp(words[i], name)) return true;
    return count == 1;
  };
#define RUN(name, kernel, ...) \
  if (chosen(name)) kernel<<<kBlocks, kThreads>>>(__VA_ARGS__)
  RUN("local_bytes", local_bytes, b, U);
  RUN("local_words", local_words, b, U);
  RUN("shared_words", shared_words, b, U);
  RUN("global_words", global_words, b, static_cast<uint64_t*>(out));
  RUN("divide_exp", divide_exp, f, F, 1.5f, 30.0f);
  RUN("divide_constant", divide_constant, f, F);
  RUN("divide_whole", divide_whole, u, U, 77);
  if (chosen("matrices4")) matrices<4><<<kBlocks, kThreads>>>(d, D, 8);
  if (chosen("matrices6")) matrices<6><<<kBlocks / 4, kThreads>>>(d, D, 8);
  if (chosen("matrices8")) matrices<8><<<kBlocks / 4, kThreads>>>(d, D, 4);
  RUN("double_functions", double_functions, d, D);
  RUN("double_chain", double_chain, d, D);
  RUN("single_functions", single_functions, f, F);
  RUN("calls", calls, f, F);
  RUN("part", part, u, U);
  RUN("bytes", bytes, b, U);
  RUN("same_matrix", same_matrix, reinterpret_cast<float4*>(f), f, static_cast<float4*>(out));
  RUN("chain", chain, u, U);
  RUN("banks", banks, u, U);
  RUN("barriers", barriers, f, F);
  RUN("long_code", long_code, u, U);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
