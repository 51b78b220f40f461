// DXT1 texture compression, one block of 64 threads per tile of 4x4 pixels. The pixels are put in order along
// their principal axis; then every way to cut that order into four (or three) clusters is tried, about a
// thousand, each with the best end points for it, and a reduction finds the best of all.
//
// Which of two nearly equal cuts wins must not depend on how a compiler rounds:
// build-ptx: -fmad=false

constexpr unsigned kThreads = 64, kPixels = 16;
constexpr unsigned kMoments = 9;  // sums of r, g, b, rr, rg, rb, gg, gb, bb

struct Colour {
  float r, g, b;
};

struct Cuts {
  unsigned of_four, of_three;  // how many there are of either kind
};

// End points in 5:6:5 bits, the cut as two bits per ordered pixel, the squared error less a constant.
struct Fit {
  float error;
  unsigned start, end, cut;
  bool three;
};

static __device__ float dot(const Colour& a, const Colour& b) { return fmaf(a.r, b.r, fmaf(a.g, b.g, a.b * b.b)); }

static __device__ void load_tile(Colour* pixels, const unsigned* image, unsigned width) {
  if (threadIdx.x < kPixels) {
    const unsigned x = blockIdx.x * 4 + threadIdx.x % 4, y = blockIdx.y * 4 + threadIdx.x / 4;
    const unsigned packed = image[y * width + x];
    pixels[threadIdx.x] = {(float)(packed & 255), (float)(packed >> 8 & 255), (float)(packed >> 16 & 255)};
  }
  __syncthreads();
}

// Leaves the sums over all pixels in the first row. All of them are whole numbers below 2^24, so exact.
static __device__ void sum_moments(float (*moments)[kMoments], const Colour* pixels) {
  const unsigned thread = threadIdx.x;
  if (thread < kPixels) {
    const Colour c = pixels[thread];
    const float values[kMoments] = {c.r, c.g, c.b, c.r * c.r, c.r * c.g, c.r * c.b, c.g * c.g, c.g * c.b, c.b * c.b};
    for (unsigned i = 0; i < kMoments; ++i) moments[thread][i] = values[i];
  }
  for (unsigned step = kPixels / 2; step > 0; step /= 2) {
    __syncthreads();
    if (thread < step)
      for (unsigned i = 0; i < kMoments; ++i) moments[thread][i] += moments[thread + step][i];
  }
  __syncthreads();
}

// Power iteration on the covariances; a tile of one colour has no axis, and any will do.
static __device__ Colour principal_axis(const float* m) {
  const float rr = 16.0f * m[3] - m[0] * m[0], rg = 16.0f * m[4] - m[0] * m[1], rb = 16.0f * m[5] - m[0] * m[2];
  const float gg = 16.0f * m[6] - m[1] * m[1], gb = 16.0f * m[7] - m[1] * m[2], bb = 16.0f * m[8] - m[2] * m[2];
  Colour axis = {1.0f, 1.0f, 1.0f};
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    const Colour next = {dot({rr, rg, rb}, axis), dot({rg, gg, gb}, axis), dot({rb, gb, bb}, axis)};
    const float largest = fmaxf(fabsf(next.r), fmaxf(fabsf(next.g), fabsf(next.b)));
    if (largest == 0.0f) break;
    axis = {next.r / largest, next.g / largest, next.b / largest};
  }
  return axis;
}

// A pixel's place is the number of pixels before it along the axis.
static __device__ void order_pixels(Colour* ordered, unsigned* place, float* along, const Colour* pixels,
                                    const Colour& axis) {
  const unsigned thread = threadIdx.x;
  if (thread < kPixels) along[thread] = dot(pixels[thread], axis);
  __syncthreads();
  if (thread < kPixels) {
    unsigned before = 0;
#pragma unroll 1
    for (unsigned i = 0; i < kPixels; ++i)
      if (along[i] < along[thread] || (along[i] == along[thread] && i < thread)) ++before;
    place[thread] = before;
    ordered[before] = pixels[thread];
  }
  __syncthreads();
}

static __device__ unsigned quantised(float value, float levels) {
  return (unsigned)fminf(fmaxf(fmaf(value, levels / 255.0f, 0.5f), 0.0f), levels);
}

static __device__ unsigned packed(const Colour& c) {
  return quantised(c.r, 31.0f) << 11 | quantised(c.g, 63.0f) << 5 | quantised(c.b, 31.0f);
}

static __device__ Colour unpacked(unsigned bits) {
  const unsigned r = bits >> 11, g = bits >> 5 & 63, b = bits & 31;
  return {(float)(r << 3 | r >> 2), (float)(g << 2 | g >> 4), (float)(b << 3 | b >> 2)};
}

// Least squares in one channel: w and v = steps - w weigh the end points, x is the colour.
struct Sums {
  float ww, vv, wv;
};

static __device__ float channel_error(const Sums& s, float a, float b, float wx, float vx, float steps) {
  return a * (s.ww * a + 2.0f * s.wv * b - 2.0f * steps * wx) + b * (s.vv * b - 2.0f * steps * vx);
}

// The best end points for a cut, and the error they leave once they are rounded. Code 0 is the start, 1 the
// end, 2 and 3 lie between. All sums are whole numbers below 2^24, so exact.
template <int kSteps>
static __device__ Fit fit(const Colour* ordered, const float* totals, unsigned cut) {
  constexpr float steps = kSteps;
  float w_sum = 0.0f, ww = 0.0f;
  Colour wx = {0.0f, 0.0f, 0.0f};
  for (unsigned i = 0; i < kPixels; ++i) {
    const unsigned code = cut >> 2 * i & 3;
    float w = code & 1 ? 0.0f : steps;
    if (code & 2) w = code & 1 ? 1.0f : steps - 1.0f;
    w_sum += w;
    ww += w * w;
    wx.r += w * ordered[i].r;
    wx.g += w * ordered[i].g;
    wx.b += w * ordered[i].b;
  }
  const Sums s = {ww, 16.0f * steps * steps - 2.0f * steps * w_sum + ww, steps * w_sum - ww};
  const Colour vx = {steps * totals[0] - wx.r, steps * totals[1] - wx.g, steps * totals[2] - wx.b};
  const float factor = steps / (s.ww * s.vv - s.wv * s.wv);
  const unsigned start = packed({(wx.r * s.vv - vx.r * s.wv) * factor, (wx.g * s.vv - vx.g * s.wv) * factor,
                                 (wx.b * s.vv - vx.b * s.wv) * factor});
  const unsigned end = packed({(vx.r * s.ww - wx.r * s.wv) * factor, (vx.g * s.ww - wx.g * s.wv) * factor,
                               (vx.b * s.ww - wx.b * s.wv) * factor});
  const Colour a = unpacked(start), b = unpacked(end);
  const float error = channel_error(s, a.r, b.r, wx.r, vx.r, steps) + channel_error(s, a.g, b.g, wx.g, vx.g, steps) +
                      channel_error(s, a.b, b.b, wx.b, vx.b, steps);
  return {error * (1.0f / (steps * steps)), start, end, cut, kSteps == 2};
}

// Each thread tries every 64th cut. Neighbouring cuts are alike, so threads that find a better one come in
// groups. The empty statements keep that a branch, as the original program has it.
static __device__ Fit best_of_thread(const Colour* ordered, const float* totals, const unsigned* cuts, Cuts count) {
  Fit best = {3.4e38f, 0, 0, 0, false};
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < count.of_four; i += kThreads) {
    const Fit next = fit<3>(ordered, totals, cuts[i]);
    if (next.error < best.error) {
      asm volatile("");
      best = next;
    }
  }
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < count.of_three; i += kThreads) {
    const Fit next = fit<2>(ordered, totals, cuts[count.of_four + i]);
    if (next.error < best.error) {
      asm volatile("");
      best = next;
    }
  }
  return best;
}

// The thread with the least error; the lowest of equal ones.
static __device__ unsigned best_thread(float* errors, unsigned* owners, float error) {
  const unsigned thread = threadIdx.x;
  errors[thread] = error;
  owners[thread] = thread;
  for (unsigned step = kThreads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (thread < step) {
      const float other = errors[thread + step];
      if (other < errors[thread] || (other == errors[thread] && owners[thread + step] < owners[thread])) {
        errors[thread] = other;
        owners[thread] = owners[thread + step];
      }
    }
  }
  __syncthreads();
  return owners[0];
}

// The order of the end points tells a decoder whether there are four colours or three.
static __device__ void store_tile(unsigned* out, Fit best, const unsigned* place) {
  const bool larger_first = best.start > best.end;
  if (best.start == best.end) {
    best.cut = 0;
  } else if (larger_first == best.three) {
    const unsigned held = best.start;
    best.start = best.end;
    best.end = held;
    // Codes 0 and 1 change places; so do 2 and 3, but with three colours 2 is the middle.
    best.cut ^= best.three ? ~best.cut >> 1 & 0x55555555u : 0x55555555u;
  }
  unsigned codes = 0;
  for (unsigned i = 0; i < kPixels; ++i) codes |= (best.cut >> 2 * place[i] & 3) << 2 * i;
  out[0] = best.start | best.end << 16;
  out[1] = codes;
}

extern "C" __global__ void compress(const unsigned* image, unsigned width, const unsigned* cuts, Cuts count,
                                    unsigned* tiles) {
  __shared__ Colour pixels[kPixels], ordered[kPixels];
  __shared__ float moments[kPixels][kMoments], along[kPixels], errors[kThreads];
  __shared__ unsigned place[kPixels], owners[kThreads];
  load_tile(pixels, image, width);
  sum_moments(moments, pixels);
  order_pixels(ordered, place, along, pixels, principal_axis(moments[0]));
  const Fit best = best_of_thread(ordered, moments[0], cuts, count);
  if (best_thread(errors, owners, best.error) == threadIdx.x)
    store_tile(tiles + 2 * (blockIdx.y * gridDim.x + blockIdx.x), best, place);
}
