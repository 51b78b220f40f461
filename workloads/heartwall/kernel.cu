// Tracks points on the wall of a heart through the frames of an ultrasound film, by template matching. A block
// of 512 threads has one point; a launch is one frame. The kernel is a chain of phases with a barrier between
// each two: most are loops over the elements of some matrix, which is no multiple of 512; sums along rows or
// columns have a thread for each, and the last choices are made by one thread.

constexpr int kThreads = 512;
constexpr int kTemplate = 13, kWindow = 21;         // sides of the template and of the part of the frame searched
constexpr int kOverlaps = kWindow + kTemplate - 1;  // places where they overlap, along one side
constexpr int kPadded = kWindow + 2 * kTemplate;
constexpr int kShift = (kWindow - kTemplate) / 2;  // how far a point may move in a frame
constexpr int kCandidates = 2 * kShift + 1;
constexpr int kTemplatePoints = kTemplate * kTemplate, kOverlapPoints = kOverlaps * kOverlaps;

struct Point {
  int x, y;
};

struct Frame {
  const unsigned char* pixels;
  int width, height;
};

// What a block needs in global memory for itself.
struct Scratch {
  int pattern[kTemplatePoints];  // the template, kept from frame to frame
  int window[kWindow * kWindow];
  int by_column[kPadded * kPadded];
  int by_row[kOverlaps * kPadded];
  int products[kOverlapPoints];
  int sums[kOverlapPoints];
  int squares[kOverlapPoints];
  float correlation[kOverlapPoints];
};

struct Best {
  float score;
  int row, column;
};

struct Moments {
  int sum, square;
};

static __device__ int pixel_near(const Frame& frame, Point middle, int side, int row, int column) {
  return frame.pixels[(middle.y - side / 2 + row) * frame.width + middle.x - side / 2 + column];
}

static __device__ void take_template(const Frame& frame, Point point, Scratch& scratch) {
#pragma unroll 1
  for (int i = threadIdx.x; i < kTemplatePoints; i += kThreads)
    scratch.pattern[i] = pixel_near(frame, point, kTemplate, i / kTemplate, i % kTemplate);
}

static __device__ void take_window(const Frame& frame, Point point, Scratch& scratch) {
#pragma unroll 1
  for (int i = threadIdx.x; i < kWindow * kWindow; i += kThreads)
    scratch.window[i] = pixel_near(frame, point, kWindow, i / kWindow, i % kWindow);
}

static __device__ void turn_template(Scratch& scratch, int* turned) {
#pragma unroll 1
  for (int i = threadIdx.x; i < kTemplatePoints; i += kThreads) turned[i] = scratch.pattern[kTemplatePoints - 1 - i];
}

// Convolves the window with the turned template, over all overlaps: towards the corners fewer and fewer of
// the template's points count.
static __device__ void convolve(const int* turned, Scratch& scratch) {
#pragma unroll 1
  for (int i = threadIdx.x; i < kOverlapPoints; i += kThreads) {
    const int row = i / kOverlaps, column = i % kOverlaps;
    const int first_row = max(0, row - kWindow + 1), last_row = min(row, kTemplate - 1);
    const int first_column = max(0, column - kWindow + 1), last_column = min(column, kTemplate - 1);
    int sum = 0;
#pragma unroll 1
    for (int r = first_row; r <= last_row; ++r)
#pragma unroll 1
      for (int c = first_column; c <= last_column; ++c)
        sum += turned[r * kTemplate + c] * scratch.window[(row - r) * kWindow + column - c];
    scratch.products[i] = sum;
  }
}

// Zeros around the window, as wide as the template.
static __device__ void pad_window(Scratch& scratch, bool squared) {
#pragma unroll 1
  for (int i = threadIdx.x; i < kPadded * kPadded; i += kThreads) {
    const int row = i / kPadded - kTemplate, column = i % kPadded - kTemplate;
    int value = 0;
    if (row >= 0 && row < kWindow && column >= 0 && column < kWindow) {
      value = scratch.window[row * kWindow + column];
      if (squared) value *= value;
    }
    scratch.by_column[i] = value;
  }
}

// Running sums of `count` values, `step` apart.
static __device__ void add_up(int* values, int count, int step) {
#pragma unroll 1
  for (int i = 1; i < count; ++i) values[i * step] += values[(i - 1) * step];
}

// The sum of the window under the template, for every overlap: running sums down the columns, their
// differences a template apart, then the same along the rows.
static __device__ void sum_windows(Scratch& scratch, bool squared, int* sums) {
  const int thread = threadIdx.x;
  pad_window(scratch, squared);
  __syncthreads();
  if (thread < kPadded) add_up(scratch.by_column + thread, kPadded, kPadded);
  __syncthreads();
#pragma unroll 1
  for (int i = thread; i < kOverlaps * kPadded; i += kThreads)
    scratch.by_row[i] = scratch.by_column[i + kTemplate * kPadded] - scratch.by_column[i];
  __syncthreads();
  if (thread < kOverlaps) add_up(scratch.by_row + thread * kPadded, kPadded, 1);
  __syncthreads();
#pragma unroll 1
  for (int i = thread; i < kOverlapPoints; i += kThreads) {
    const int* row = scratch.by_row + i / kOverlaps * kPadded + i % kOverlaps;
    sums[i] = row[kTemplate] - row[0];
  }
  __syncthreads();
}

// Sum and sum of squares of the template: a thread per column, then one for all.
static __device__ Moments template_moments(const int* turned, Moments* columns) {
  if (threadIdx.x < kTemplate) {
    Moments column = {0, 0};
#pragma unroll 1
    for (int row = 0; row < kTemplate; ++row) {
      const int value = turned[row * kTemplate + threadIdx.x];
      column.sum += value;
      column.square += value * value;
    }
    columns[threadIdx.x] = column;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 1; i < kTemplate; ++i) {
      columns[0].sum += columns[i].sum;
      columns[0].square += columns[i].square;
    }
  }
  __syncthreads();
  return columns[0];
}

// Whole numbers up to the root, so that the check can be exact.
static __device__ long long variance(long long sum, long long square) {
  return kTemplatePoints * square - sum * sum;
}

static __device__ void correlate(const Moments& moments, Scratch& scratch) {
  const float template_variance = (float)variance(moments.sum, moments.square);
#pragma unroll 1
  for (int i = threadIdx.x; i < kOverlapPoints; i += kThreads) {
    const float scale = (float)variance(scratch.sums[i], scratch.squares[i]) * template_variance;
    float value = 0.0f;
    if (scale > 0.0f) {
      const long long covariance =
          (long long)kTemplatePoints * scratch.products[i] - (long long)scratch.sums[i] * moments.sum;
      value = (float)covariance / sqrtf(scale);
    }
    scratch.correlation[i] = value;
  }
}

// Over a neighbourhood of 3x3, so that a single lucky pixel does not win.
static __device__ float score_of(const float* correlation, int row, int column) {
  const float* middle = correlation + (row + kTemplate - 1) * kOverlaps + column + kTemplate - 1;
  float score = 0.0f;
  for (int r = -1; r <= 1; ++r)
    for (int c = -1; c <= 1; ++c) score += middle[r * kOverlaps + c];
  return score;
}

// The best of the places that hold the template wholly: a thread per row, then one over the rows. The first
// of equals wins.
static __device__ void find_best(Scratch& scratch, Best* bests) {
  const int row = threadIdx.x;
  if (row < kCandidates) {
    Best best = {score_of(scratch.correlation, row, 0), row, 0};
#pragma unroll 1
    for (int column = 1; column < kCandidates; ++column) {
      const float score = score_of(scratch.correlation, row, column);
      if (score > best.score) {
        best.score = score;
        best.column = column;
      }
    }
    bests[row] = best;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 1; i < kCandidates; ++i)
      if (bests[i].score > bests[0].score) bests[0] = bests[i];
  }
}

// So far from the rim that the next window is in the frame.
static __device__ Point moved(const Frame& frame, Point point, const Best& best) {
  const int rim = kWindow / 2;
  return {min(max(point.x + best.column - kShift, rim), frame.width - 1 - rim),
          min(max(point.y + best.row - kShift, rim), frame.height - 1 - rim)};
}

// The wall looks different as it moves: the template follows, a quarter at a time.
static __device__ void refresh_template(const Frame& frame, Point point, Scratch& scratch) {
#pragma unroll 1
  for (int i = threadIdx.x; i < kTemplatePoints; i += kThreads) {
    const int seen = pixel_near(frame, point, kTemplate, i / kTemplate, i % kTemplate);
    scratch.pattern[i] = (3 * scratch.pattern[i] + seen) / 4;
  }
}

extern "C" __global__ void track(Frame frame, int frame_number, Point* points, Scratch* all_scratch) {
  __shared__ int turned[kTemplatePoints];
  __shared__ Moments columns[kTemplate];
  __shared__ Best bests[kCandidates];
  Scratch& scratch = all_scratch[blockIdx.x];
  if (frame_number == 0) {
    take_template(frame, points[blockIdx.x], scratch);
    return;
  }
  take_window(frame, points[blockIdx.x], scratch);
  turn_template(scratch, turned);
  __syncthreads();
  convolve(turned, scratch);
  sum_windows(scratch, false, scratch.sums);
  sum_windows(scratch, true, scratch.squares);
  correlate(template_moments(turned, columns), scratch);
  __syncthreads();
  find_best(scratch, bests);
  if (threadIdx.x == 0) points[blockIdx.x] = moved(frame, points[blockIdx.x], bests[0]);
  __syncthreads();
  refresh_template(frame, points[blockIdx.x], scratch);
}
