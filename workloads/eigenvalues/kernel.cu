// Eigenvalues of symmetric tridiagonal matrices by bisection, one block per matrix. How many eigenvalues lie
// below x follows from one run through the matrix (Sturm's sequence); intervals are halved until each holds
// one eigenvalue, and these until they are narrow.

constexpr unsigned kThreads = 256;  // and the largest order of a matrix

struct Interval {
  float left, right;
  unsigned below_left, below_right;  // eigenvalues below the ends
};

struct Matrix {
  float diagonal[kThreads];
  float squares[kThreads];  // of the element beside and above, 0 in the first row
};

static __device__ void load_matrix(Matrix& matrix, const float* diagonals, const float* squares, unsigned begin,
                                   unsigned order) {
  if (threadIdx.x < order) {
    matrix.diagonal[threadIdx.x] = diagonals[begin + threadIdx.x];
    matrix.squares[threadIdx.x] = squares[begin + threadIdx.x];
  }
  __syncthreads();
}

// Negative pivots of the matrix minus x. No product is added to anything, so this rounds the same everywhere.
static __device__ unsigned count_below(const Matrix& matrix, unsigned order, float x) {
  unsigned count = 0;
  float pivot = 1.0f;
  for (unsigned i = 0; i < order; ++i) {
    pivot = matrix.diagonal[i] - x - matrix.squares[i] / pivot;
    if (fabsf(pivot) < 1e-20f) pivot = -1e-20f;
    if (pivot < 0.0f) ++count;
  }
  return count;
}

// Sums of the flags before each one, in place; returns the sum of all. A tree up and down again, in which ever
// fewer, then ever more threads take part. Unrolled, its many addresses would take too many registers.
static __device__ unsigned scan(unsigned* flags) {
  unsigned stride = 1;
#pragma unroll 1
  for (; stride < kThreads; stride *= 2) {
    __syncthreads();
    const unsigned at = 2 * stride * (threadIdx.x + 1) - 1;
    if (at < kThreads) flags[at] += flags[at - stride];
  }
  __syncthreads();
  const unsigned total = flags[kThreads - 1];
  __syncthreads();
  if (threadIdx.x == 0) flags[kThreads - 1] = 0;
#pragma unroll 1
  for (stride = kThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned at = 2 * stride * (threadIdx.x + 1) - 1;
    if (at < kThreads) {
      const unsigned held = flags[at];
      flags[at] += flags[at - stride];
      flags[at - stride] = held;
    }
  }
  __syncthreads();
  return total;
}

// Halves the interval. True where both halves hold eigenvalues; then `second` is the upper one.
static __device__ bool halve(Interval& interval, Interval& second, const Matrix& matrix, unsigned order) {
  const float middle = 0.5f * (interval.left + interval.right);
  const unsigned below = count_below(matrix, order, middle);
  if (below == interval.below_left) {
    interval.left = middle;
  } else if (below == interval.below_right) {
    interval.right = middle;
  } else {
    second = {middle, interval.right, below, interval.below_right};
    interval.right = middle;
    interval.below_right = below;
    return true;
  }
  return false;
}

// A thread per interval, from one that holds all. Lower halves stay where they are, upper ones are lined up
// behind the last interval. Interval k in the result holds the k-th eigenvalue.
extern "C" __global__ void isolate(const float* diagonals, const float* squares, const unsigned* begins,
                                   const float* lowest, const float* highest, float precision, Interval* result) {
  __shared__ Matrix matrix;
  __shared__ Interval intervals[kThreads];
  __shared__ unsigned flags[kThreads], busy;
  const unsigned thread = threadIdx.x, begin = begins[blockIdx.x], order = begins[blockIdx.x + 1] - begin;
  load_matrix(matrix, diagonals, squares, begin, order);
  if (thread == 0) intervals[0] = {lowest[blockIdx.x], highest[blockIdx.x], 0, order};

  unsigned active = 1;
  for (;;) {
    if (thread == 0) busy = 0;
    __syncthreads();
    Interval second;
    flags[thread] = 0;
    bool splits = false;
    if (thread < active) {
      Interval here = intervals[thread];
      if (here.below_right - here.below_left > 1 && here.right - here.left > precision) {
        splits = halve(here, second, matrix, order);
        intervals[thread] = here;
        flags[thread] = splits;
        busy = 1;
      }
    }
    const unsigned more = scan(flags);
    if (busy == 0) break;
    if (splits) intervals[active + flags[thread]] = second;
    active += more;
    __syncthreads();  // everybody knows that there is more to do
  }
  if (thread < active) {
    const Interval here = intervals[thread];
    for (unsigned k = here.below_left; k < here.below_right; ++k) result[begin + k] = here;
  }
}

// A thread per eigenvalue; each is done when its own interval is narrow.
extern "C" __global__ void refine(const float* diagonals, const float* squares, const unsigned* begins,
                                  const Interval* intervals, float precision, float* eigenvalues) {
  __shared__ Matrix matrix;
  const unsigned thread = threadIdx.x, begin = begins[blockIdx.x], order = begins[blockIdx.x + 1] - begin;
  load_matrix(matrix, diagonals, squares, begin, order);
  if (thread >= order) return;
  float left = intervals[begin + thread].left, right = intervals[begin + thread].right;
  while (right - left > precision) {
    const float middle = 0.5f * (left + right);
    if (count_below(matrix, order, middle) > thread) {
      right = middle;
    } else {
      left = middle;
    }
  }
  eigenvalues[begin + thread] = 0.5f * (left + right);
}
