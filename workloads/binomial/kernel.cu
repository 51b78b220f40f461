// European calls on a binomial tree, one block per option. The values at expiry are a line of nodes in global
// memory; going back in time the line gets one node shorter with every step. A block keeps 128 nodes of it in
// shared memory and takes 32 steps there before it moves on along the line. Every step one more thread at the
// end of the cached piece falls idle.

constexpr int kThreads = 128;
constexpr int kStepsPerPass = 32;
constexpr int kAdvance = kThreads - kStepsPerPass;  // nodes of a piece that are good after its steps

struct Option {
  float price, strike;
  float log_up;                  // of one step up; a step down is its inverse
  float up_weight, down_weight;  // risk-neutral probabilities, discounted over one step
};

// Node `ups` of the line at expiry has gone up that many times and down for the rest.
static __device__ float value_at_expiry(const Option& option, int ups, int steps) {
  const float price = option.price * expf(option.log_up * (float)(2 * ups - steps));
  return fmaxf(price - option.strike, 0.0f);
}

// Takes nodes 0 … last of `line` kStepsPerPass steps back.
static __device__ void step_back(float* line, float* held, int last, const Option& option) {
  const int thread = threadIdx.x;
  __syncthreads();  // the piece before is written, `held` is free
  if (thread <= last) held[thread] = line[thread];
  __syncthreads();
#pragma unroll 1
  for (int remaining = last - 1; remaining >= last - kStepsPerPass; --remaining) {
    float value = 0.0f;
    if (thread <= remaining) {
      value = fmaf(option.up_weight, held[thread + 1], option.down_weight * held[thread]);
    }
    __syncthreads();
    if (thread <= remaining) held[thread] = value;
    __syncthreads();
  }
  if (thread <= last - kStepsPerPass) line[thread] = held[thread];
}

extern "C" __global__ void binomial_call(const Option* options, float* lines, float* values, int steps) {
  __shared__ float held[kThreads];
  const Option option = options[blockIdx.x];
  float* line = lines + blockIdx.x * (steps + 1);
#pragma unroll 1
  for (int node = threadIdx.x; node <= steps; node += kThreads) {
    line[node] = value_at_expiry(option, node, steps);
  }
#pragma unroll 1
  for (int left = steps; left > 0; left -= kStepsPerPass) {
#pragma unroll 1
    for (int first = 0; first < left; first += kAdvance) {
      step_back(line + first, held, min(kThreads - 1, left - first), option);
    }
  }
  if (threadIdx.x == 0) values[blockIdx.x] = held[0];
}
