// The inner step of clustering a stream of points by facility location (O'Callaghan and others: Streaming-data
// algorithms for high-quality clustering, 2002): what would be gained if one more point became a centre. A
// thread per point, blocks of 512; the host decides after each launch.

struct Problem {
  int points, dimensions, candidate, centres;
};

// Coordinates lie dimension by dimension. The candidate's are fetched into shared memory by one thread, as the
// whole block needs them. A point either would switch to the candidate, or would add to the saving if its own
// centre were closed; `savings` has a row of `centres` entries per point, which only its thread touches.
extern "C" __global__ void evaluate_candidate(const float* coordinates, const float* weights, const float* costs,
                                              const int* centre_of, float* savings, float* gains,
                                              unsigned char* switches, Problem problem) {
  extern __shared__ float candidate[];
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < problem.dimensions; ++i)
      candidate[i] = coordinates[i * problem.points + problem.candidate];
  }
  __syncthreads();
  if (point >= problem.points) return;

  float distance = 0.0f;
#pragma unroll 1
  for (int i = 0; i < problem.dimensions; ++i) {
    const float difference = coordinates[i * problem.points + point] - candidate[i];
    distance = fmaf(difference, difference, distance);
  }
  const float gain = fmaf(-distance, weights[point], costs[point]);
  // Stores on both sides, so that this stays a branch.
  if (gain > 0.0f) {
    switches[point] = 1;
    gains[point] = gain;
  } else {
    savings[point * problem.centres + centre_of[point]] += gain;
  }
}
