// The generators of curand_kernel.h against what cuRAND 10 gave for the same seeds, sequences and offsets; and whether the
// normal numbers have the moments of normal ones.
#include <curand_kernel.h>

#include <cmath>

#include "check.h"

struct Expected {
  unsigned long long seed, sequence, offset;
  unsigned first, second;
  float uniform;
  double uniform_double;
};
const Expected kXorwow[] = {
    {0, 0, 0, 0xbd7f03b6, 0x703e556d, 0.517012656f, 0.071367583822620595},
    {0, 1, 1, 0x75da7152, 0x555de696, 0.372520417f, 0.56727082159041431},
    {0, 1000003, 100000007, 0xee14e7f2, 0xbd8f7dc4, 0.543275416f, 0.38116567916030192},
    {1234, 1, 1, 0xed29ae49, 0x83030ed9, 0.537593544f, 0.01752351558224724},
    {1234, 77, 100000007, 0x3cea6186, 0x4581e749, 0.777338326f, 0.6092580984726037},
    {1234, 1000003, 100000007, 0xa35fbebf, 0xd71bf92e, 0.698629081f, 0.26124715112822633},
    {81985529216486895, 77, 6, 0xb6199fa5, 0x5ba70a55, 0.0962590128f, 0.055698277108911898},
    {81985529216486895, 1000003, 100000007, 0x08ae1224, 0xe9505942, 0.623800397f, 0.62536937843483575}};
const Expected kPhilox[] = {
    {0, 0, 0, 0x6627e8d5, 0xe169c58d, 0.735712767f, 0.60548185394145548},
    {0, 1, 1, 0xf08d6eaa, 0x0f19c053, 0.515509963f, 0.79096928960643709},
    {0, 1000003, 100000007, 0x893b21c1, 0xec4a506a, 0.97023195f, 0.2199720221105963},
    {1234, 1, 1, 0x52fc7c75, 0xc7f33f17, 0.0589176342f, 0.027627848088741302},
    {1234, 77, 100000007, 0xee88595e, 0xfbf84c19, 0.0500590727f, 0.43846536008641124},
    {1234, 1000003, 100000007, 0x2774045f, 0x04ca707c, 0.79092741f, 0.47151021915487945},
    {81985529216486895, 77, 6, 0xe1acda4b, 0x4fac8cab, 0.625288248f, 0.22988192480988801},
    {81985529216486895, 1000003, 100000007, 0xe968065f, 0xe166b975, 0.894411027f, 0.47856605285778642}};
const Expected kMrg[] = {
    {0, 0, 0, 0x2083cd07, 0x518b05c4, 0.309186012f, 0.82584686311939604},
    {0, 1, 1, 0x7af787a0, 0xdbbb01bd, 0.716810405f, 0.1696452124639995},
    {0, 1000003, 100000007, 0x9fa9e007, 0x26de9767, 0.414101273f, 0.073275984338177544},
    {1234, 1, 1, 0xac5068d7, 0xa3dbc910, 0.561128855f, 0.46389150851250754},
    {1234, 77, 100000007, 0x4bfc3b2c, 0x9b5024c0, 0.786757946f, 0.043808748749091408},
    {1234, 1000003, 100000007, 0x4807251a, 0x8aafd583, 0.198286325f, 0.40084056318171274},
    {81985529216486895, 77, 6, 0xcb76f79c, 0x0e3dd426, 0.786505461f, 0.88733774015065003},
    {81985529216486895, 1000003, 100000007, 0x84a68865, 0xbe3f613a, 0.374146312f, 0.20890548118884805}};

template <class State>
__global__ void draw(Expected* rows) {
  Expected& row = rows[threadIdx.x];
  State state;
  curand_init(row.seed, row.sequence, row.offset, &state);
  row.first = curand(&state);
  row.second = curand(&state);
  row.uniform = curand_uniform(&state);
  row.uniform_double = curand_uniform_double(&state);
}

template <class State>
__global__ void draw_normal(double* sums, int count) {
  State state;
  curand_init(42, threadIdx.x, 0, &state);
  for (int i = 0; i < count; ++i) {
    const double x = curand_normal(&state), y = curand_normal_double(&state);
    atomicAdd(&sums[0], x);
    atomicAdd(&sums[1], x * x);
    atomicAdd(&sums[2], y);
    atomicAdd(&sums[3], y * y);
  }
}

template <class State, int N>
void hold(const Expected (&expected)[N]) {
  Expected got[N], *device;
  CUDA(cudaMalloc(&device, sizeof got));
  CUDA(cudaMemcpy(device, expected, sizeof got, cudaMemcpyHostToDevice));
  draw<State><<<1, N>>>(device);
  CUDA(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i) {
    EXPECT(got[i].first == expected[i].first && got[i].second == expected[i].second);
    EXPECT(got[i].uniform == expected[i].uniform);
    EXPECT(std::fabs(got[i].uniform_double - expected[i].uniform_double) < 1e-15);
  }
  double *sums, host[4];
  CUDA(cudaMalloc(&sums, sizeof host));
  CUDA(cudaMemset(sums, 0, sizeof host));
  draw_normal<State><<<1, 64>>>(sums, 64);
  CUDA(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 4; k += 2) {  // of 4096 numbers: the mean within 5 deviations, and the square
    EXPECT(std::fabs(host[k] / 4096) < 5.0 / 64);
    EXPECT(std::fabs(host[k + 1] / 4096 - 1) < 5.0 * std::sqrt(2.0) / 64);
  }
  CUDA(cudaFree(device));
  CUDA(cudaFree(sums));
}

int main() {
  hold<curandStateXORWOW>(kXorwow);
  hold<curandStatePhilox4_32_10_t>(kPhilox);
  hold<curandStateMRG32k3a>(kMrg);
  return passed();
}
