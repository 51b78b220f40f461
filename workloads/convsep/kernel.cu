// Separable convolution of an image with 17 taps each way: a kernel along the rows, then one along the
// columns. A block computes eight times its own width (height), after it has loaded that piece and an apron
// as wide (high) as the block on either side; what the apron has outside the image is zero.

constexpr int kRadius = 8;
constexpr int kSteps = 8;  // pixels per thread

__constant__ float taps[2 * kRadius + 1];

struct Image {
  int width, height;
};

constexpr int kRowWidth = 16, kRowHeight = 4;

// Columns come in groups of 16, as the width is a multiple of that; the height need not be one of 4.
extern "C" __global__ void convolve_rows(const float* in, float* out, Image image) {
  __shared__ float tile[kRowHeight][(kSteps + 2) * kRowWidth];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int y = blockIdx.y * kRowHeight + ty;
  const int first = (int)(blockIdx.x * kSteps - 1) * kRowWidth + tx;  // in the apron on the left
  const float* row = in + y * image.width;
  if (y < image.height) {
#pragma unroll
    for (int group = 0; group < kSteps + 2; ++group) {
      const int x = first + group * kRowWidth;
      float value = 0.0f;
      if (x >= 0 && x < image.width) value = row[x];
      tile[ty][group * kRowWidth + tx] = value;
    }
  }
  __syncthreads();
  if (y >= image.height) return;
#pragma unroll
  for (int group = 1; group <= kSteps; ++group) {
    const int x = first + group * kRowWidth;
    if (x >= image.width) break;
    float sum = 0.0f;
#pragma unroll
    for (int tap = -kRadius; tap <= kRadius; ++tap) {
      sum = fmaf(taps[kRadius + tap], tile[ty][group * kRowWidth + tx + tap], sum);
    }
    out[y * image.width + x] = sum;
  }
}

constexpr int kColumnWidth = 16, kColumnHeight = 8;

extern "C" __global__ void convolve_columns(const float* in, float* out, Image image) {
  // A column of the image is a row of the tile; one more word keeps neighbouring columns in different banks.
  __shared__ float tile[kColumnWidth][(kSteps + 2) * kColumnHeight + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kColumnWidth + tx;
  const int first = (int)(blockIdx.y * kSteps - 1) * kColumnHeight + ty;  // in the apron above
#pragma unroll
  for (int group = 0; group < kSteps + 2; ++group) {
    const int y = first + group * kColumnHeight;
    float value = 0.0f;
    if (y >= 0 && y < image.height) value = in[y * image.width + x];
    tile[tx][group * kColumnHeight + ty] = value;
  }
  __syncthreads();
#pragma unroll
  for (int group = 1; group <= kSteps; ++group) {
    const int y = first + group * kColumnHeight;
    if (y >= image.height) break;
    float sum = 0.0f;
#pragma unroll
    for (int tap = -kRadius; tap <= kRadius; ++tap) {
      sum = fmaf(taps[kRadius + tap], tile[tx][group * kColumnHeight + ty + tap], sum);
    }
    out[y * image.width + x] = sum;
  }
}
