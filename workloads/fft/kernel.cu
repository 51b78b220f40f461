// Many Fourier transforms of 128 complex points, a block of 64 threads each: radix 2, Stockham's order, two
// points per thread in registers, exchanged through shared memory after each of the seven passes. There are two
// builds of the same program: one with everything inlined, one whose functions are really called.

constexpr unsigned kRadix = 2, kThreads = 64, kPoints = kRadix * kThreads;

struct Complex {
  float re, im;
};

struct Exchange {
  float re[kPoints], im[kPoints];
};

static inline __device__ float cosine_series(float square) {
  return 1.0f + square * (-1.0f / 2 + square * (1.0f / 24 + square * (-1.0f / 720 + square * (1.0f / 40320))));
}

static inline __device__ float sine_series(float angle, float square) {
  const float rest = square * (1.0f / 120 + square * (-1.0f / 5040 + square * (1.0f / 362880)));
  return angle + angle * square * (-1.0f / 6 + rest);
}

// Sine of `quarter` right angles and `angle` more, at most half a right angle. As in a library of the time: one
// of two series, by the quarter. The quarter follows the thread index, so lanes part in the same pattern in
// every block. The empty statements keep compilers from computing both series.
template <class Functions>
static inline __device__ float sine(float angle, int quarter) {
  float value;
  if (quarter & 1) {
    asm volatile("");
    value = Functions::cosine_series(angle * angle);
  } else {
    asm volatile("");
    value = Functions::sine_series(angle, angle * angle);
  }
  return quarter & 2 ? -value : value;
}

static inline __device__ Complex product(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline __device__ void butterfly(Complex* points) {
  const Complex a = points[0], b = points[1];
  points[0] = {a.re + b.re, a.im + b.im};
  points[1] = {a.re - b.re, a.im - b.im};
}

// Where point 0 of thread `thread` lies when sequences of `length` points per radix lie one after the other.
static inline __device__ unsigned expand(unsigned thread, unsigned length) {
  return thread / length * length * kRadix + thread % length;
}

static inline __device__ void exchange(Complex* points, Exchange& shared, unsigned length) {
  const unsigned to = expand(threadIdx.x, length);
  __syncthreads();  // nobody reads the last pass any more
  for (unsigned r = 0; r < kRadix; ++r) {
    shared.re[to + r * length] = points[r].re;
    shared.im[to + r * length] = points[r].im;
  }
  __syncthreads();
  for (unsigned r = 0; r < kRadix; ++r)
    points[r] = {shared.re[threadIdx.x + r * kThreads], shared.im[threadIdx.x + r * kThreads]};
}

struct Inlined {
  static __device__ float cosine_series(float square) { return ::cosine_series(square); }
  static __device__ float sine_series(float angle, float square) { return ::sine_series(angle, square); }
  static __device__ float sine(float angle, int quarter) { return ::sine<Inlined>(angle, quarter); }
  static __device__ void butterfly(Complex* points) { ::butterfly(points); }
  static __device__ void exchange(Complex* points, Exchange& shared, unsigned length) {
    ::exchange(points, shared, length);
  }
};

// Calls within calls, in divergent code, and barriers within calls.
struct Called {
  static __device__ __noinline__ float cosine_series(float square) { return ::cosine_series(square); }
  static __device__ __noinline__ float sine_series(float angle, float square) { return ::sine_series(angle, square); }
  static __device__ __noinline__ float sine(float angle, int quarter) { return ::sine<Called>(angle, quarter); }
  static __device__ __noinline__ void butterfly(Complex* points) { ::butterfly(points); }
  static __device__ __noinline__ void exchange(Complex* points, Exchange& shared, unsigned length) {
    ::exchange(points, shared, length);
  }
};

template <class Functions>
static inline __device__ void transform(const Complex* in, Complex* out) {
  __shared__ Exchange shared;
  const unsigned thread = threadIdx.x, first = blockIdx.x * kPoints + thread;
  Complex points[kRadix];
  for (unsigned r = 0; r < kRadix; ++r) points[r] = in[first + r * kThreads];
#pragma unroll 1
  for (unsigned length = 1; length < kPoints; length *= kRadix) {
    // The second point turns clockwise by this many right angles; all of this is exact.
    const float turn = (float)(4 / kRadix * (thread % length)) / (float)length;
    const int quarter = (int)(turn + 0.5f);
    const float angle = 1.57079633f * ((float)quarter - turn);
    const Complex factor = {Functions::sine(angle, 1 - quarter), Functions::sine(angle, -quarter)};
    points[1] = product(points[1], factor);
    Functions::butterfly(points);
    Functions::exchange(points, shared, length);
  }
  for (unsigned r = 0; r < kRadix; ++r) out[first + r * kThreads] = points[r];
}

extern "C" __global__ void fft_inlined(const Complex* in, Complex* out) { transform<Inlined>(in, out); }
extern "C" __global__ void fft_with_calls(const Complex* in, Complex* out) { transform<Called>(in, out); }
