// Following a bright disc through noisy frames by a particle filter (Gordon, Salmond, Smith 1993): every particle
// is a guess of the place. For each frame: move and weigh the particles, sum the weights, turn them into a
// cumulative distribution, and draw the next generation from it. Blocks of 128, one thread per particle.

constexpr int kThreads = 128;
constexpr int kRadius = 4;  // of the disc that a particle looks at

struct Frame {
  int width, height, particles;
};

// A linear congruential generator per particle (Park, Miller 1988), and two of its numbers to a normal one (Box,
// Muller 1958).
static __device__ float uniform(unsigned& seed) {
  seed = (unsigned)((unsigned long long)seed * 16807u % 2147483647u);
  return (float)seed * (1.0f / 2147483648.0f);
}

static __device__ float normal(unsigned& seed) {
  const float u = uniform(seed), v = uniform(seed);
  return sqrtf(-2.0f * logf(u)) * __cosf(6.28318531f * v);
}

// The tree sum of a block's values, in thread 0.
static __device__ float block_sum(float* values, float value) {
  values[threadIdx.x] = value;
  __syncthreads();
#pragma unroll 1
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if ((int)threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  return values[0];
}

// How much more the disc around the particle looks like the bright thing (228) than like the background (100).
static __device__ float log_likelihood(const unsigned char* image, const Frame& frame, float x, float y) {
  const int centre_x = (int)floorf(x + 0.5f), centre_y = (int)floorf(y + 0.5f);
  int sum = 0, pixels = 0;
#pragma unroll 1
  for (int dy = -kRadius; dy <= kRadius; ++dy) {
#pragma unroll 1
    for (int dx = -kRadius; dx <= kRadius; ++dx) {
      if (dx * dx + dy * dy > kRadius * kRadius) continue;
      const int px = centre_x + dx, py = centre_y + dy;
      if (px < 0 || px >= frame.width || py < 0 || py >= frame.height) continue;  // lost particles see less
      const int value = image[py * frame.width + px];
      sum += (value - 100) * (value - 100) - (value - 228) * (value - 228);
      ++pixels;
    }
  }
  return pixels > 0 ? (float)sum / (5000.0f * (float)pixels) : -10.0f;
}

extern "C" __global__ void weigh(const unsigned char* image, float* xs, float* ys, unsigned* seeds,
                                 float* weights, float* block_sums, Frame frame) {
  __shared__ float values[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  float weight = 0.0f;
  if (i < frame.particles) {
    unsigned seed = seeds[i];
    const float x = xs[i] + 1.0f + 2.0f * normal(seed), y = ys[i] - 2.0f + 2.0f * normal(seed);
    seeds[i] = seed;
    xs[i] = x;
    ys[i] = y;
    weight = __expf(log_likelihood(image, frame, x, y));
    weights[i] = weight;
  }
  const float sum = block_sum(values, weight);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

// One block adds up what the others found.
extern "C" __global__ void sum_blocks(const float* block_sums, float* total, int blocks) {
  __shared__ float values[kThreads];
  float own = 0.0f;
  for (int i = threadIdx.x; i < blocks; i += kThreads) own += block_sums[i];
  const float sum = block_sum(values, own);
  if (threadIdx.x == 0) *total = sum;
}

// The cumulative distribution within each block: an inclusive scan, whose active threads move up.
extern "C" __global__ void scan_weights(const float* weights, const float* total, float* cumulative,
                                        float* block_ends, int particles) {
  __shared__ float values[2][kThreads];
  const int thread = threadIdx.x, i = blockIdx.x * kThreads + thread;
  int from = 0;
  values[from][thread] = i < particles ? weights[i] / *total : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int distance = 1; distance < kThreads; distance *= 2) {
    float value = values[from][thread];
    if (thread >= distance) value += values[from][thread - distance];
    values[1 - from][thread] = value;
    from = 1 - from;
    __syncthreads();
  }
  if (i < particles) cumulative[i] = values[from][thread];
  if (thread == kThreads - 1) block_ends[blockIdx.x] = values[from][thread];
}

// Adds what the blocks before hold; every thread of a block adds up the same few numbers.
extern "C" __global__ void add_block_ends(const float* block_ends, float* cumulative, int particles) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= particles) return;
  float before = 0.0f;
#pragma unroll 1
  for (int block = 0; block < (int)blockIdx.x; ++block) before += block_ends[block];
  cumulative[i] += before;
}

// Systematic resampling: the i-th of evenly spaced numbers, and the first particle whose cumulative weight
// reaches it, by a search from the start. Neighbours stop at almost the same place.
extern "C" __global__ void resample(const float* cumulative, const float* xs, const float* ys, float* next_xs,
                                    float* next_ys, int* chosen, float offset, int particles) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= particles) return;
  const float wanted = ((float)i + offset) / (float)particles;
  int found = particles - 1;  // where rounding leaves the last sum short of 1
#pragma unroll 1
  for (int candidate = 0; candidate < particles; ++candidate) {
    if (cumulative[candidate] >= wanted) {
      found = candidate;
      break;
    }
  }
  chosen[i] = found;
  next_xs[i] = xs[found];
  next_ys[i] = ys[found];
}
