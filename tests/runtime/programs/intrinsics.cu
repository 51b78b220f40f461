// Functions of kernels that are an instruction or a few, against the same done on the host: bits, shuffles of 64 bits,
// atomics of 64 bits, parts of words, conversions with a rounding; and reading a texture object.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"

constexpr int kLanes = 32, kValues = 24;

__host__ __device__ inline unsigned long long number(int i) {
  unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull;
  x ^= x >> 29;
  return x * 0xbf58476d1ce4e5b9ull;
}

__global__ void kernel(unsigned long long* out, unsigned long long* cells) {
  const int lane = threadIdx.x;
  const unsigned long long x = number(lane), y = number(lane + 100);
  const unsigned a = (unsigned)x, b = (unsigned)y;
  const double d = (double)(long long)x * 1e-9;
  const float f = (float)d * 1e-6f;
  const unsigned long long values[kValues] = {
      (unsigned)__popcll(x), (unsigned)__clzll((long long)(x >> (lane * 2))), (unsigned)__ffsll((long long)(x << lane)),
      __brevll(x), __umul64hi(x, y), (unsigned long long)__mul64hi((long long)x, (long long)y),
      __shfl_xor_sync(0xffffffffu, x, 5), (unsigned long long)__shfl_down_sync(0xffffffffu, (long long)x, 3),
      (unsigned long long)__double_as_longlong(__shfl_sync(0xffffffffu, d, lane ^ 1)),
      __match_any_sync(0xffffffffu, x % 3), __vadd4(a, b), __vsub2(a, b), __vabsdiffu4(a, b), __vmins2(a, b),
      __vcmpgtu4(a, b), __vaddus2(a, b), (unsigned long long)(long long)__double2int_rd(d * 1e-3), (unsigned long long)__double2ll_ru(d),
      (unsigned)__float_as_int(__double2float_rz(d)), (unsigned)__float2int_rn(f), (unsigned)__hadd((int)a, (int)b),
      __usad(a, b, 7u), __funnelshift_lc(a, b, lane), (unsigned)__float_as_int(__fadd_ru(f, 1e-3f))};
  for (int k = 0; k < kValues; ++k) out[kLanes * k + lane] = values[k];
  atomicMax(&cells[0], x);
  atomicMin(&cells[1], x);
  atomicXor(&cells[2], x);
  atomicAdd_system(&cells[3], x);
  atomicMax((long long*)&cells[4], (long long)x);
}

unsigned parts(unsigned a, unsigned b, int bits, bool is_signed, long (*of)(long, long)) {
  unsigned result = 0;
  for (int at = 0; at < 32; at += bits) {
    const long mask = (1l << bits) - 1, half = 1l << (bits - 1);
    long x = a >> at & mask, y = b >> at & mask;
    if (is_signed) x = (x ^ half) - half, y = (y ^ half) - half;
    result |= (unsigned)(of(x, y) & mask) << at;
  }
  return result;
}

void hold_values(const std::vector<unsigned long long>& got) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const unsigned long long x = number(lane), y = number(lane + 100);
    const unsigned a = (unsigned)x, b = (unsigned)y;
    const double d = (double)(long long)x * 1e-9, other = (double)(long long)number(lane ^ 1) * 1e-9;
    const float f = (float)d * 1e-6f;
    const auto value = [&](int k) { return got[kLanes * k + lane]; };
    const unsigned long long shifted = x >> (lane * 2), left = x << lane;
    EXPECT(value(0) == (unsigned)__builtin_popcountll(x));
    EXPECT(value(1) == (shifted ? (unsigned)__builtin_clzll(shifted) : 64u));
    EXPECT(value(2) == (unsigned)__builtin_ffsll((long long)left));
    unsigned long long reversed = 0;
    for (int bit = 0; bit < 64; ++bit) reversed |= (x >> bit & 1) << (63 - bit);
    EXPECT(value(3) == reversed);
    EXPECT(value(4) == (unsigned long long)((unsigned __int128)x * y >> 64));
    EXPECT(value(5) == (unsigned long long)((__int128)(long long)x * (long long)y >> 64));
    EXPECT(value(6) == number(lane ^ 5));
    EXPECT(value(7) == number(lane + 3 < kLanes ? lane + 3 : lane));
    uint64_t other_bits;
    std::memcpy(&other_bits, &other, sizeof other);
    EXPECT(value(8) == other_bits);
    unsigned same = 0;
    for (int k = 0; k < kLanes; ++k) same |= (unsigned)(number(k) % 3 == x % 3) << k;
    EXPECT(value(9) == same);
    EXPECT(value(10) == parts(a, b, 8, false, [](long p, long q) { return p + q; }));
    EXPECT(value(11) == parts(a, b, 16, false, [](long p, long q) { return p - q; }));
    EXPECT(value(12) == parts(a, b, 8, false, [](long p, long q) { return p > q ? p - q : q - p; }));
    EXPECT(value(13) == parts(a, b, 16, true, [](long p, long q) { return p < q ? p : q; }));
    EXPECT(value(14) == parts(a, b, 8, false, [](long p, long q) { return p > q ? -1l : 0l; }));
    EXPECT(value(15) == parts(a, b, 16, false, [](long p, long q) { return p + q > 65535 ? 65535 : p + q; }));
    EXPECT((long long)value(16) == (long long)std::floor(d * 1e-3));
    EXPECT((long long)value(17) == (long long)std::ceil(d));
    float cut = (float)d;
    if (std::fabs((double)cut) > std::fabs(d)) cut = std::nextafter(cut, 0.0f);
    unsigned cut_bits;
    std::memcpy(&cut_bits, &cut, sizeof cut);
    EXPECT((unsigned)value(18) == cut_bits);
    EXPECT((int)value(19) == (int)std::nearbyint(f));
    EXPECT((int)value(20) == (int)(((long long)(int)a + (int)b) >> 1));
    EXPECT((unsigned)value(21) == (a > b ? a - b : b - a) + 7u);
    EXPECT((unsigned)value(22) == (unsigned)((((unsigned long long)b << 32 | a) << lane) >> 32));
    const double sum = (double)f + (double)1e-3f;
    float above = (float)sum;
    if ((double)above < sum) above = std::nextafter(above, INFINITY);
    unsigned above_bits;
    std::memcpy(&above_bits, &above, sizeof above);
    EXPECT((unsigned)value(23) == above_bits);
  }
}

void hold_cells(const unsigned long long* cells) {
  unsigned long long most = 0, least = ~0ull, odd = 0, sum = 0;
  long long most_signed = INT64_MIN;
  for (int lane = 0; lane < kLanes; ++lane) {
    const unsigned long long x = number(lane);
    most = x > most ? x : most;
    least = x < least ? x : least;
    odd ^= x;
    sum += x;
    most_signed = (long long)x > most_signed ? (long long)x : most_signed;
  }
  EXPECT(cells[0] == most && cells[1] == least && cells[2] == odd && cells[3] == sum);
  EXPECT((long long)cells[4] == most_signed);
}

__global__ void read_texture(cudaTextureObject_t texture, float* out, int width) {
  const int i = threadIdx.x;
  out[i] = tex2D<float>(texture, i % width + 0.5f, i / width + 0.5f);
}

void hold_texture() {
  constexpr int kWidth = 8, kHeight = 4;
  float image[kWidth * kHeight], got[kWidth * kHeight], *out;
  for (int i = 0; i < kWidth * kHeight; ++i) image[i] = 0.5f * i;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CUDA(cudaMallocArray(&array, &format, kWidth, kHeight));
  CUDA(cudaMemcpy2DToArray(array, 0, 0, image, kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  CUDA(cudaMalloc(&out, sizeof got));
  read_texture<<<1, kWidth * kHeight>>>(texture, out, kWidth);
  CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kWidth * kHeight; ++i) EXPECT(got[i] == image[i]);
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFreeArray(array));
}

int main() {
  unsigned long long *out, *cells, host_cells[5] = {0, ~0ull, 0, 0, (unsigned long long)INT64_MIN};
  std::vector<unsigned long long> got(kLanes * kValues);
  CUDA(cudaMalloc(&out, got.size() * 8));
  CUDA(cudaMalloc(&cells, sizeof host_cells));
  CUDA(cudaMemcpy(cells, host_cells, sizeof host_cells, cudaMemcpyHostToDevice));
  kernel<<<1, kLanes>>>(out, cells);
  CUDA(cudaMemcpy(got.data(), out, got.size() * 8, cudaMemcpyDeviceToHost));
  CUDA(cudaMemcpy(host_cells, cells, sizeof host_cells, cudaMemcpyDeviceToHost));
  hold_values(got);
  hold_cells(host_cells);
  hold_texture();
  return passed();
}
