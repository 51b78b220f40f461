// Both sides of a branch follow a chain through memory, each load needing the one before: a warp that has parted waits
// for one side after the other, or for both at once. A place of a chain has a word for each lane, so that the lanes of a
// side load from one line: what counts is latency, not how many lines memory brings.
extern "C" __global__ void follow(const unsigned* left, const unsigned* right, unsigned* results, unsigned places,
                                  unsigned rounds, unsigned hops) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32, lane = i % 32;
  unsigned sum = i;
  for (unsigned round = 0; round < rounds; ++round) {
    unsigned at = (warp * rounds + round) * 40503u % places;
    if (sum * 2654435761u >> 31) {
      for (unsigned hop = 0; hop < hops; ++hop) {
        at = left[at * 32 + lane];
        sum += at;
      }
    } else {
      for (unsigned hop = 0; hop < hops; ++hop) {
        at = right[at * 32 + lane];
        sum = (sum ^ at) * 33;
      }
    }
  }
  results[i] = sum;
}
