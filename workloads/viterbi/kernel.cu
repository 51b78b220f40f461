// Viterbi decoding of frames of the rate-1/2 convolutional code with 64 states (constraint length 7,
// generators 133 and 171 octal). A block of 256 threads holds four frames, a thread per state. Forwards in
// time each state takes the better of its two predecessors; then one thread per frame follows the choices
// back to the start.

constexpr int kThreads = 256, kStates = 64, kFrames = kThreads / kStates;
constexpr unsigned kFirstGenerator = 0133, kSecondGenerator = 0171;
constexpr int kUnreached = 1 << 20;  // a metric that no path from state 0 has

// The code's two bits when the register, new bit at the top, holds `window`.
static __device__ unsigned first_bit(unsigned window) { return __popc(window & kFirstGenerator) & 1; }
static __device__ unsigned second_bit(unsigned window) { return __popc(window & kSecondGenerator) & 1; }

// Received values are 0 (surely a 0) to 7 (surely a 1).
static __device__ int distance(unsigned window, int first, int second) {
  return (first_bit(window) ? 7 - first : first) + (second_bit(window) ? 7 - second : second);
}

// received: two bytes per bit; choices: one byte per bit and state, 1 if the odd predecessor won.
extern "C" __global__ void viterbi(const unsigned char* received, unsigned char* choices, unsigned char* decoded,
                                   int frames, int bits) {
  __shared__ int metrics[2][kThreads];
  const int state = threadIdx.x % kStates, frame_here = threadIdx.x / kStates;
  const int frame = blockIdx.x * kFrames + frame_here;
  const bool active = frame < frames;
  const unsigned char* symbols = received + frame * bits * 2;
  unsigned char* frame_choices = choices + frame * bits * kStates;

  // A state is the last six bits, the newest at the top; its predecessors have dropped it and got one below.
  const unsigned even_window = state * 2, odd_window = state * 2 + 1;
  const int even = frame_here * kStates + even_window % kStates;
  metrics[0][threadIdx.x] = state == 0 ? 0 : kUnreached;
  __syncthreads();
#pragma unroll 1
  for (int bit = 0; bit < bits; ++bit) {
    if (active) {
      const int* before = metrics[bit % 2];
      const int first = symbols[2 * bit], second = symbols[2 * bit + 1];
      const int via_even = before[even] + distance(even_window, first, second);
      const int via_odd = before[even + 1] + distance(odd_window, first, second);
      int metric = via_even;
      unsigned char odd_won = 0;
      if (via_odd < via_even) {
        asm volatile("");  // keeps the branch on the metrics; nvcc would take a minimum
        metric = via_odd;
        odd_won = 1;
      }
      metrics[1 - bit % 2][threadIdx.x] = metric;
      frame_choices[bit * kStates + state] = odd_won;
    }
    __syncthreads();
  }

  if (state != 0 || !active) return;
  unsigned at = 0;  // the tail of every frame leads back to state 0
#pragma unroll 1
  for (int bit = bits - 1; bit >= 0; --bit) {
    decoded[frame * bits + bit] = at >> 5;
    at = (at * 2 + frame_choices[bit * kStates + at]) % kStates;
  }
}
