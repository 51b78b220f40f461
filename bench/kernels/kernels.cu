// What the benchmarks run: one kernel per question.

// Compute-bound, full warps: chains of multiply-add, as many registers as a real kernel.
extern "C" __global__ void compute(float* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = i * 0.25f, b = a + 1, c = a + 2, d = a + 3;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    a = a * 0.999f + b;
    b = b * 0.998f + c;
    c = c * 0.997f + d;
    d = d * 0.996f + a;
    a = a - c * 0.5f;
    b = b - d * 0.5f;
    c = c * 0.5f + 1.0f;
    d = d * 0.5f + 1.0f;
  }
  out[i] = a + b + c + d;
}

// Memory-bound: a stencil that streams through global memory.
extern "C" __global__ void memory(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + 2 < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] + 2 * in[i + 1] + in[i + 2];
}

// Gathers: every lane somewhere else.
extern "C" __global__ void gather(const int* index, const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[index[i]];
}

// Divergent: trip counts and paths depend on data (the Collatz sequence).
extern "C" __global__ void divergent(int* out, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long x = first + i;
  int steps = 0;
#pragma unroll 1
  while (x != 1) {
    if (x % 2 == 0) {
      x = x / 2;
      ++steps;
    } else {
      x = 3 * x + 1;
      steps += 2;
    }
  }
  out[i] = steps;
}
