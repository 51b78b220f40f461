// Finding and following white blood cells in video (Ray, Acton: Motion gradient vector flow, 2004; Dong, Ray,
// Acton: Intravital leukocyte detection, 2005). Three kernels in blocks of 175 threads, five and a half warps:
// the score of every pixel as the centre of a cell, the dilation of the scores by a disc, and the motion
// gradient vector flow of each cell, one block per cell.
//
// In the last, every rounding is named, so that steps in the response to a slope of zero fall the same way
// wherever this is computed.

constexpr int kThreads = 175;
constexpr int kCircles = 5, kPoints = 60;  // of the outline of a cell
constexpr int kDisc = 17;  // greatest width of the disc
constexpr int kBox = 31, kBoxPixels = kBox * kBox;

struct Offset {
  int x, y;
};

struct Motion {
  float x, y;
};

struct Image {
  int width, height, margin;  // pixels in the margin are no centres: their outlines leave the image
  int reach;                  // of the disc
};

__constant__ float cosines[kPoints], sines[kPoints];
__constant__ Offset outlines[kCircles][kPoints];
__constant__ unsigned char disc[kDisc][kDisc];

// Gradient inverse coefficient of variation: squared mean over variance of the gradient across the outline,
// for the best of five radii.
extern "C" __global__ void score_centres(const float* gradient_x, const float* gradient_y, float* scores,
                                         Image image) {
  const int inner_width = image.width - 2 * image.margin;
  const int inner = blockIdx.x * kThreads + threadIdx.x;
  const int x = image.margin + inner % inner_width, y = image.margin + inner / inner_width;
  if (y >= image.height - image.margin) return;
  float best = 0.0f;
  float across[kPoints];  // indexed by a variable: lives in local memory
#pragma unroll 1
  for (int circle = 0; circle < kCircles; ++circle) {
    float sum = 0.0f, squares = 0.0f;
#pragma unroll 1
    for (int point = 0; point < kPoints; ++point) {
      const Offset offset = outlines[circle][point];
      const int at = (y + offset.y) * image.width + x + offset.x;
      across[point] = fmaf(gradient_x[at], cosines[point], gradient_y[at] * sines[point]);
      sum += across[point];
    }
    const float mean = sum / kPoints;
#pragma unroll 1
    for (int point = 0; point < kPoints; ++point) {
      const float deviation = across[point] - mean;
      squares = fmaf(deviation, deviation, squares);
    }
    const float score = mean * mean * (kPoints - 1) / squares;
    if (score > best) best = score;
  }
  scores[y * image.width + x] = best;
}

// The greatest score under the disc. Near the rim of the image part of the disc falls outside.
extern "C" __global__ void dilate(const float* scores, float* dilated, Image image) {
  const int pixel = blockIdx.x * kThreads + threadIdx.x;
  const int x = pixel % image.width, y = pixel / image.width;
  if (y >= image.height) return;
  float greatest = 0.0f;
#pragma unroll 1
  for (int row = 0; row <= 2 * image.reach; ++row) {
    const int from_y = y + row - image.reach;
    if (from_y < 0 || from_y >= image.height) continue;
#pragma unroll 1
    for (int column = 0; column <= 2 * image.reach; ++column) {
      const int from_x = x + column - image.reach;
      if (from_x < 0 || from_x >= image.width || !disc[row][column]) continue;
      greatest = fmaxf(greatest, scores[from_y * image.width + from_x]);
    }
  }
  dilated[pixel] = greatest;
}

typedef float Field[kBox][kBox];

static __device__ int inside(int coordinate) {
  return coordinate < 0 ? 0 : coordinate >= kBox ? kBox - 1 : coordinate;
}

// A neighbour pulls where it lies ahead in the direction of motion and above, or behind and below.
static __device__ float pull(const Field field, int x, int y, int dx, int dy, float vx, float vy) {
  const int from_x = inside(x + dx), from_y = inside(y + dy);
  const float slope = field[from_y][from_x] - field[y][x];
  const float ahead = slope * fmaf((float)dx, vx, (float)dy * vy);
  float weight = 0.0f;  // a steep arctangent, reduced to three steps
  if (ahead > -1e-4f) weight = 0.5f;
  if (ahead > 1e-4f) weight = 1.0f;
  return weight * slope;
}

static __device__ float new_value(const Field field, int x, int y, float edge, float vx, float vy) {
  float sum = 0.0f;
#pragma unroll 1
  for (int dy = -1; dy <= 1; ++dy)
#pragma unroll 1
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) sum += pull(field, x, y, dx, dy, vx, vy);
  const float here = field[y][x];
  const float flown = fmaf(0.1f, sum, here);
  return fmaf(-0.2f * edge, here - edge, flown);
}

// Adds the threads' values in a fixed tree over the next power of two; threads past the end have none.
static __device__ float block_sum(float* sums, float value) {
  const int thread = threadIdx.x;
  sums[thread] = value;
  __syncthreads();
#pragma unroll 1
  for (int half = 128; half > 0; half /= 2) {
    if (thread < half && thread + half < kThreads) sums[thread] += sums[thread + half];
    __syncthreads();
  }
  const float total = sums[0];
  __syncthreads();
  return total;
}

// Iterates until the field of the block's cell hardly changes any more, which takes longer for some cells.
extern "C" __global__ void flow(const float* edges, const Motion* motions, float* fields, int* iterations,
                                float cutoff, int most) {
  __shared__ Field field, next;
  __shared__ float sums[kThreads];
  const float* edge = edges + blockIdx.x * kBoxPixels;
  const float vx = motions[blockIdx.x].x, vy = motions[blockIdx.x].y;
  for (int i = threadIdx.x; i < kBoxPixels; i += kThreads) field[i / kBox][i % kBox] = edge[i];
  __syncthreads();
  int iteration = 0;
  bool converged = false;
  while (!converged && iteration < most) {
    float change = 0.0f;
    // 961 pixels are five and a half rounds of the block: most threads miss the last
#pragma unroll 1
    for (int i = threadIdx.x; i < kBoxPixels; i += kThreads) {
      const int x = i % kBox, y = i / kBox;
      const float value = new_value(field, x, y, edge[i], vx, vy);
      change += fabsf(value - field[y][x]);
      next[y][x] = value;
    }
    converged = block_sum(sums, change) < cutoff;
    for (int i = threadIdx.x; i < kBoxPixels; i += kThreads) field[i / kBox][i % kBox] = next[i / kBox][i % kBox];
    __syncthreads();
    ++iteration;
  }
  for (int i = threadIdx.x; i < kBoxPixels; i += kThreads)
    fields[blockIdx.x * kBoxPixels + i] = field[i / kBox][i % kBox];
  if (threadIdx.x == 0) iterations[blockIdx.x] = iteration;
}
