// The mathematics of kernels against the host's library: the largest error over many arguments, in units of the last
// place, is below what is named here.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "check.h"

constexpr int kCount = 4096;

// Rounded once, here and there: a host without fused multiply-adds would else have other arguments.
template <class T>
__host__ __device__ T argument(int i, double low, double high) {
  return T(fma(high - low, (i * 2654435761u) / 4294967296.0, low));
}

// How many numbers lie between two; 0 if both are no numbers.
template <class T, class Bits>
double distance(T a, T b) {
  if (a != a || b != b) return a != a && b != b ? 0 : 1e30;
  Bits x, y;
  std::memcpy(&x, &a, sizeof x), std::memcpy(&y, &b, sizeof y);
  const auto ordered = [](Bits v) { return v < 0 ? std::numeric_limits<Bits>::min() - v : v; };
  return double(x == y ? 0 : std::max(ordered(x), ordered(y)) - std::min(ordered(x), ordered(y)));
}
double distance_of(double a, double b) { return distance<double, int64_t>(a, b); }
double distance_of(float a, float b) { return distance<float, int32_t>(a, b); }

#define FUNCTION(type, name, expression)                                       \
  struct name {                                                                \
    typedef type Type;                                                         \
    static __host__ __device__ type of(type x) { return expression; }          \
  };

template <class Function>
__global__ void apply(typename Function::Type* out, double low, double high) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Function::of(argument<typename Function::Type>(i, low, high));
}

template <class Function>
void hold(const char* name, double low, double high, double allowed) {
  using T = typename Function::Type;
  T* device;
  CUDA(cudaMalloc(&device, kCount * sizeof(T)));
  apply<Function><<<kCount / 256, 256>>>(device, low, high);
  std::vector<T> got(kCount);
  CUDA(cudaMemcpy(got.data(), device, kCount * sizeof(T), cudaMemcpyDeviceToHost));
  CUDA(cudaFree(device));
  double worst = 0;
  T at = 0;
  for (int i = 0; i < kCount; ++i) {
    const T x = argument<T>(i, low, high);
    const double error = distance_of(got[i], Function::of(x));
    if (error > worst) worst = error, at = x;
  }
  if (worst > allowed) std::printf("%s is off by %g at %.17g, allowed is %g\n", name, worst, double(at), allowed);
  EXPECT(worst <= allowed);
}

#define HOLD_LIST(X)                                      \
  X(double, exp, exp(x), -745, 709, 2)                    \
  X(double, exp2, exp2(x), -1000, 1023, 2)                \
  X(double, exp10, exp10(x), -300, 300, 4)                \
  X(double, expm1, expm1(x), -3, 3, 4)                    \
  X(double, log, log(x), 0, 1e6, 2)                       \
  X(double, log_near_1, log(x), 0.9, 1.1, 2)              \
  X(double, log2, log2(x), 0, 100, 4)                     \
  X(double, log10, log10(x), 0, 1e10, 4)                  \
  X(double, log1p, log1p(x), -0.9, 3, 4)                  \
  X(double, pow_25, pow(x, 2.5), 0, 1e5, 4)               \
  X(double, pow_of, pow(1.7, x), -1000, 1000, 8)          \
  X(double, pow_negative, pow(x, 3.0), -50, 50, 4)        \
  X(double, cbrt, cbrt(x), -1e6, 1e6, 3)                  \
  X(double, hypot, hypot(x, 3.0), -1e3, 1e3, 3)           \
  X(double, sin, sin(x), -1000, 1000, 4)                  \
  X(double, cos, cos(x), -1000, 1000, 4)                  \
  X(double, tan, tan(x), -1000, 1000, 6)                  \
  X(double, asin, asin(x), -1, 1, 4)                      \
  X(double, acos, acos(x), -1, 1, 4)                      \
  X(double, atan, atan(x), -10, 10, 3)                    \
  X(double, atan2, atan2(x, -2.0), -10, 10, 3)            \
  X(double, sinh, sinh(x), -20, 20, 6)                    \
  X(double, cosh, cosh(x), -20, 20, 4)                    \
  X(double, tanh, tanh(x), -5, 5, 6)                      \
  X(double, asinh, asinh(x), -100, 100, 6)                \
  X(double, acosh, acosh(x), 1, 100, 6)                   \
  X(double, atanh, atanh(x), -0.99, 0.99, 6)              \
  X(double, erf, erf(x), -4, 4, 6)                        \
  X(double, erfc, erfc(x), -3, 20, 12)                    \
  X(double, tgamma, tgamma(x), 0.1, 100, 40)              \
  X(double, lgamma, lgamma(x), 3, 100, 20)                \
  X(double, fmod, fmod(x, 0.7), -1e6, 1e6, 0)             \
  X(double, remainder, remainder(x, 0.7), -1e6, 1e6, 0)   \
  X(double, round, round(x), -10, 10, 0)                  \
  X(double, rint, rint(x), -10, 10, 0)                    \
  X(double, trunc, trunc(x), -10, 10, 0)                  \
  X(double, ldexp, ldexp(x, -1060), 0, 1e3, 0)            \
  X(double, logb, logb(x), 0, 1e3, 0)                     \
  X(double, nextafter, nextafter(x, 0.0), -1, 1, 0)       \
  X(float, expf, expf(x), -100, 88, 4)                    \
  X(float, logf, logf(x), 0, 1e6, 3)                      \
  X(float, log10f, log10f(x), 0, 1e6, 3)                  \
  X(float, powf, powf(x, 2.5f), 0, 1e6, 4)                \
  X(float, powf_negative, powf(x, 3.0f), -50, 50, 4)      \
  X(float, sinf_far, sinf(x), 1e5, 1e6, 4)                \
  X(float, tanf, tanf(x), -100, 100, 4)                   \
  X(float, tanhf, tanhf(x), -5, 5, 4)                     \
  X(float, erff, erff(x), -4, 4, 4)                       \
  X(float, erfcf, erfcf(x), -3, 9, 6)                     \
  X(float, atan2f, atan2f(x, 0.5f), -10, 10, 4)           \
  X(float, acosf, acosf(x), -1, 1, 4)                     \
  X(float, roundf, roundf(x), -10, 10, 0)                 \
  X(float, fmodf, fmodf(x, 0.7f), -1e4, 1e4, 0)           \
  X(float, cbrtf, cbrtf(x), -1e4, 1e4, 2)                 \
  X(float, overload, std::exp(x) + std::abs(x), -5, 5, 6)

#define DEFINE(type, name, expression, low, high, allowed) FUNCTION(type, Of_##name, expression)
#define RUN(type, name, expression, low, high, allowed) hold<Of_##name>(#name, low, high, allowed);
HOLD_LIST(DEFINE)

// Where there is no nearest number to argue about.
__global__ void edges(double* out) {
  const double inf = INFINITY, none = NAN, zero = out[0];
  const double values[] = {exp(-inf),     exp(inf),        log(zero),       pow(-2.0, 0.5), pow(zero, -1.0),
                           pow(none, 0.0), pow(-inf, 3.0),  atan2(zero, -1.0), tgamma(zero),   hypot(inf, none),
                           fmod(1.0, zero), log1p(-1.0),    atanh(1.0),      erf(inf),       erfc(inf),
                           sin(inf),       cbrt(-inf),      pow(2.0, inf),   asin(2.0),      ldexp(1.0, 5000)};
  for (int i = 0; i < 20; ++i) out[i] = values[i];
}

int main() {
  HOLD_LIST(RUN)
  double *device, got[20] = {};
  CUDA(cudaMalloc(&device, sizeof got));
  CUDA(cudaMemset(device, 0, sizeof got));
  edges<<<1, 1>>>(device);
  CUDA(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  const double inf = INFINITY, none = NAN;
  const double wanted[20] = {0,   inf,  -inf, none, inf, 1,    -inf, M_PI, inf,  inf,
                             none, -inf, inf,  1,    0,   none, -inf, inf,  none, inf};
  for (int i = 0; i < 20; ++i) {
    if (distance_of(got[i], wanted[i]) > 1) std::printf("edge %d: %g, not %g\n", i, got[i], wanted[i]);
    EXPECT(distance_of(got[i], wanted[i]) <= 1);
  }
  return passed();
}
