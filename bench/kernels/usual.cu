// Kernels that everybody runs first. Their inputs are those of usual_bench.cpp, and stay: so one version of heddle can be compared with
// another, where workloads grow.

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void bfs(const int* begin, const int* neighbour, int* level, int n, int now, int* changed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || level[i] != now) return;
  for (int e = begin[i]; e < begin[i + 1]; ++e)
    if (const int to = neighbour[e]; level[to] < 0) {
      level[to] = now + 1;
      *changed = 1;
    }
}

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][16], right[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void mandelbrot(int* out, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float real = -2.0f + 3.0f * x / width, imaginary = -1.0f + 2.0f * y / height;
  float a = 0, b = 0;
  int rounds = 0;
  for (; rounds < most && a * a + b * b < 4.0f; ++rounds) {
    const float next = a * a - b * b + real;
    b = 2 * a * b + imaginary;
    a = next;
  }
  out[y * width + x] = rounds;
}

extern "C" __global__ void histogram(const unsigned* in, int n, unsigned* out) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 255], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}

extern "C" __global__ void reduce(const float* in, float* out) {
  __shared__ float sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 512 + t;
  sums[t] = in[i] + in[i + 256];
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (t < k) sums[t] += sums[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void stencil(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
