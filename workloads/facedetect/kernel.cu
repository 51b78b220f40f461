// Face detection by a cascade of boosted classifiers (Viola, Jones 2001): one thread per window of 20x20
// pixels of one level of an image pyramid. A stage adds up the votes of its features, each a weighted sum of
// rectangles read from the integral image; a window that stays below the stage's threshold leaves.

constexpr int kWindow = 20;
constexpr int kMostFeatures = 512, kMostStages = 24;

struct Rectangle {
  unsigned char x, y, width, height;
};

struct Feature {
  Rectangle rectangles[3];
  int weights[3];  // the third is 0 where there are two rectangles
  float threshold; // in standard deviations of the window, times its area
  float below, above;
};

struct Stage {
  int first_feature, end_feature;
  float threshold;
};

struct Level {
  int pitch;  // of the integral images, one more than the width of the level
  int windows_x, windows_y;
};

__constant__ Feature features[kMostFeatures];
__constant__ Stage stages[kMostStages];

static __device__ int box_sum(const unsigned* table, int pitch, int x, int y, int width, int height) {
  const unsigned* top = table + y * pitch + x;
  const unsigned* bottom = top + height * pitch;
  return bottom[width] - bottom[0] - top[width] + top[0];
}

// Area times standard deviation: brightness and contrast of the window do not count.
static __device__ float deviation_of(const unsigned* sums, const unsigned* squares, int pitch, int x, int y) {
  const long long sum = box_sum(sums, pitch, x, y, kWindow, kWindow);
  const long long square = box_sum(squares, pitch, x, y, kWindow, kWindow);
  return sqrtf((float)(kWindow * kWindow * square - sum * sum));
}

static __device__ int rectangle_value(const Feature& feature, int i, const unsigned* corner, int pitch) {
  const Rectangle& r = feature.rectangles[i];
  return feature.weights[i] * box_sum(corner, pitch, r.x, r.y, r.width, r.height);
}

static __device__ bool passes(const Stage& stage, const unsigned* corner, int pitch, float deviation) {
  float votes = 0.0f;
#pragma unroll 1  // one trip per feature, as a cascade is data
  for (int i = stage.first_feature; i < stage.end_feature; ++i) {
    const Feature& feature = features[i];
    int value = rectangle_value(feature, 0, corner, pitch) + rectangle_value(feature, 1, corner, pitch);
    if (feature.weights[2] != 0) value += rectangle_value(feature, 2, corner, pitch);
    votes += (float)value < feature.threshold * deviation ? feature.below : feature.above;
  }
  return votes >= stage.threshold;
}

// The first stage that the window does not pass, or end.
static __device__ int stages_passed(const unsigned* corner, int pitch, float deviation, int begin, int end) {
  int stage = begin;
  while (stage < end && passes(stages[stage], corner, pitch, deviation)) ++stage;
  return stage;
}

// The first stages over every window. Flat windows hold no face and leave before the cascade; those that
// pass join the queue for the second kernel.
extern "C" __global__ void scan_windows(const unsigned* sums, const unsigned* squares, Level level,
                                        float flat_deviation, int first_stages, unsigned char* passed,
                                        int* queue, int* queued) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= level.windows_x || y >= level.windows_y) return;
  const float deviation = deviation_of(sums, squares, level.pitch, x, y);
  int reached = 0;
  if (deviation >= flat_deviation)
    reached = stages_passed(sums + y * level.pitch + x, level.pitch, deviation, 0, first_stages);
  const int window = y * level.windows_x + x;
  passed[window] = (unsigned char)reached;
  if (reached == first_stages) queue[atomicAdd(queued, 1)] = window;
}

// The stages that are left, over the queue. Its order does not matter, as every window has its own result.
extern "C" __global__ void confirm_windows(const unsigned* sums, const unsigned* squares, Level level,
                                           int first_stages, int all_stages, unsigned char* passed,
                                           const int* queue, int queued) {
  const int place = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (place >= queued) return;
  const int window = queue[place];
  const int x = window % level.windows_x, y = window / level.windows_x;
  const float deviation = deviation_of(sums, squares, level.pitch, x, y);
  passed[window] = (unsigned char)stages_passed(sums + y * level.pitch + x, level.pitch, deviation, first_stages,
                                                all_stages);
}
