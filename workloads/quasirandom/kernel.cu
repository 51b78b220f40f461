// Quasirandom points in three dimensions by Sobol's sequence, and normally distributed ones made of them.

constexpr int kDimensions = 3, kBits = 31;

__constant__ unsigned directions[kDimensions][kBits];

// Coordinate threadIdx.y of the points threadIdx.x, threadIdx.x + grid, …: the sum modulo 2 of the direction
// numbers that the bits of the point's index pick. Low bits of the index follow the thread index, so these
// branches split every warp in the same lanes.
extern "C" __global__ void generate_points(float* points, unsigned count) {
  const unsigned stride = gridDim.x * blockDim.x, dimension = threadIdx.y;
  for (unsigned point = blockIdx.x * blockDim.x + threadIdx.x; point < count; point += stride) {
    unsigned sum = 0;
#pragma unroll 1  // a bit that is not set costs nothing but its test
    for (unsigned bit = 0, rest = point; bit < kBits; ++bit, rest >>= 1)
      if (rest & 1) sum ^= directions[dimension][bit];
    points[dimension * count + point] = (float)(sum + 1) * 0x1p-31f;
  }
}

// Where the normal distribution reaches p, by Moro's approximation: a quotient of polynomials in the middle, a
// polynomial of a double logarithm in the tails.
static __device__ float inverse_normal(float p) {
  const float y = p - 0.5f;
  if (fabsf(y) < 0.42f) {
    const float z = y * y;
    return y * (((-25.44106049637f * z + 41.39119773534f) * z - 18.61500062529f) * z + 2.50662823884f) /
           ((((3.13082909833f * z - 21.06224101826f) * z + 23.08336743743f) * z - 8.47351093090f) * z + 1.0f);
  }
  const float z = __logf(-__logf(y > 0.0f ? 1.0f - p : p));
  const float x =
      0.3374754822726147f +
      z * (0.9761690190917186f +
           z * (0.1607979714918209f +
                z * (0.0276438810333863f +
                     z * (0.0038405729373609f +
                          z * (0.0003951896511919f +
                               z * (0.0000321767881768f + z * (0.0000002888167364f + z * 0.0000003960315187f)))))));
  return y > 0.0f ? x : -x;
}

// In place of the coordinates come points of the normal distribution.
extern "C" __global__ void make_normal(float* values, unsigned count) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    values[i] = inverse_normal(values[i]);
}
