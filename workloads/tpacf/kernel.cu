// Two-point angular correlation of galaxies (Landy, Szalay 1993): histograms of the angle between all pairs of
// a catalogue of observed positions (DD), of each of many random catalogues (RR), and of observed against
// random (DR). One block of 256 threads makes one histogram. For every pair of directions a dot product, then
// a binary search for the bin: which way a lane goes, and when it is done, depends on the pair.

constexpr int kThreads = 256;
constexpr int kBins = 22;
constexpr int kCopies = 16;  // of the histogram in shared memory, so that fewer threads meet in a counter

struct Direction {
  float x, y, z;
};

// bounds[i] is the cosine of the angle between bins i - 1 and i, so they fall with i. The first and the last bin
// are open.
__constant__ float bounds[kBins];

// Leaves as soon as one bin is left, after four or five halvings of 22.
static __device__ int bin_of(float cosine) {
  int low = 0, high = kBins;
#pragma unroll 1
  while (high > low + 1) {
    const int middle = (low + high) / 2;
    if (cosine >= bounds[middle])
      high = middle;
    else
      low = middle;
  }
  return low;
}

// Block 0: DD. Then one block per random catalogue for RR, then one for DR. Catalogue 0 is the observed one.
extern "C" __global__ void correlate(const Direction* catalogues, unsigned* histograms, int directions,
                                     int random_catalogues) {
  __shared__ unsigned counts[kBins][kCopies];
  __shared__ Direction tile[kThreads];
  const int block = blockIdx.x, thread = threadIdx.x;
  const bool with_itself = block <= random_catalogues;
  const Direction* first = catalogues + (with_itself ? block : 0) * directions;
  const Direction* second = catalogues + (with_itself ? block : block - random_catalogues) * directions;

  for (int i = thread; i < kBins * kCopies; i += kThreads) counts[i / kCopies][i % kCopies] = 0;
  for (int begin = 0; begin < directions; begin += kThreads) {
    __syncthreads();
    if (begin + thread < directions) tile[thread] = second[begin + thread];
    __syncthreads();
    const int tile_end = directions - begin < kThreads ? directions - begin : kThreads;
#pragma unroll 1
    for (int i = thread; i < directions; i += kThreads) {
      const Direction own = first[i];
#pragma unroll 1
      for (int j = 0; j < tile_end; ++j) {
        if (with_itself && begin + j <= i) continue;  // each pair once
        const float cosine = fmaf(own.x, tile[j].x, fmaf(own.y, tile[j].y, own.z * tile[j].z));
        atomicAdd(&counts[bin_of(cosine)][thread % kCopies], 1u);
      }
    }
  }
  __syncthreads();
  if (thread < kBins) {
    unsigned sum = 0;
    for (int copy = 0; copy < kCopies; ++copy) sum += counts[thread][copy];
    histograms[block * kBins + thread] = sum;
  }
}
