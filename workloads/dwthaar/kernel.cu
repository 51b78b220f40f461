// Haar wavelet transform of a signal. A block takes two samples per thread and goes down as many levels as
// fit in it, in shared memory; each level leaves half of the threads without work. The approximation that is
// left of the block goes to `approximation`, from which the host launches the next levels.

constexpr int kThreads = 256;
constexpr float kHalfRoot = 0.70710678118654752f;  // 1 / sqrt(2) keeps the energy of the signal

// One word in 33 stays free, so that strides of a power of two spread over the banks.
static __device__ int padded(int index) { return index + (index >> 5); }

// coefficients[0] is the mean, [length/2, length) the details of the first level, and so on by halves.
extern "C" __global__ void haar_levels(const float* signal, float* coefficients, float* approximation, int length,
                                       int levels) {
  __shared__ float held[kThreads + kThreads / 32];
  const int thread = threadIdx.x, block = blockIdx.x;
  const int own = block * blockDim.x + thread;

  const float first = signal[2 * own], second = signal[2 * own + 1];
  coefficients[length / 2 + own] = (first - second) * kHalfRoot;
  held[padded(thread)] = (first + second) * kHalfRoot;
  __syncthreads();

  int active = blockDim.x / 2, stride = 1, begin = length / 4;
#pragma unroll 1  // one branch for all levels
  for (int level = 1; level < levels; ++level) {
    if (thread < active) {
      // In place: the stride doubles instead of the values moving together.
      const int left = padded(2 * thread * stride), right = padded((2 * thread + 1) * stride);
      const float a = held[left], b = held[right];
      coefficients[begin + block * active + thread] = (a - b) * kHalfRoot;
      held[left] = (a + b) * kHalfRoot;
    }
    active /= 2;
    stride *= 2;
    begin /= 2;
    __syncthreads();
  }
  if (thread == 0) approximation[block] = held[0];
}
