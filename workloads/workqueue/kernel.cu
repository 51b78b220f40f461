// A work queue inside a warp: odd lanes put numbers into a ring of few places, even lanes take them out and work on them.
// A ticket says whose turn a place is, and everybody waits for the turn by asking again and again: whoever waits, it is
// for a lane of the same warp.

static constexpr unsigned kWarps = 2, kPlaces = 8;

struct Ring {
  unsigned turn[kPlaces];  // t: ticket t may put something in; t + 1: ticket t may take it out
  unsigned item[kPlaces];
  unsigned number[kPlaces];
  unsigned in, out;  // tickets given
};

// Steps of Collatz' walk down to 1.
static __device__ unsigned steps_down(unsigned number) {
  unsigned steps = 0;
  while (number != 1) {
    if (number & 1)
      number = 3 * number + 1;
    else
      number >>= 1;
    ++steps;
  }
  return steps;
}

static __device__ void wait_for_turn(const volatile Ring* ring, unsigned place, unsigned turn) {
  while (ring->turn[place] != turn) {
  }
  __threadfence_block();
}

extern "C" __global__ void pass_on(const unsigned* numbers, unsigned* steps, unsigned* taken, unsigned per_lane) {
  __shared__ Ring rings[kWarps];
  volatile Ring* const ring = rings + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  if (lane < kPlaces) ring->turn[lane] = lane;
  if (lane == 0) ring->in = ring->out = 0;
  __syncthreads();

  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (unsigned k = 0; k < per_lane; ++k) {
    if (lane & 1) {
      const unsigned item = (warp * 16 + lane / 2) * per_lane + k;
      const unsigned ticket = atomicAdd((unsigned*)&ring->in, 1u), place = ticket % kPlaces;
      wait_for_turn(ring, place, ticket);
      ring->item[place] = item;
      ring->number[place] = numbers[item];
      __threadfence_block();
      ring->turn[place] = ticket + 1;
    } else {
      const unsigned ticket = atomicAdd((unsigned*)&ring->out, 1u), place = ticket % kPlaces;
      wait_for_turn(ring, place, ticket + 1);
      const unsigned item = ring->item[place], number = ring->number[place];
      __threadfence_block();
      ring->turn[place] = ticket + kPlaces;
      steps[item] = steps_down(number);
      atomicAdd(taken + item, 1u);
    }
  }
}
