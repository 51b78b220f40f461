// Needleman-Wunsch alignment of two DNA sequences: every cell of the score matrix is the best of its diagonal
// neighbour plus a similarity, and its left and upper neighbours less a penalty. The matrix is cut into tiles,
// one block of as many threads as a tile has columns each; the host launches one diagonal of tiles after
// the other, and within a tile the threads do one diagonal of cells after the other.

// scores has a row and a column 0 for the empty prefixes, so its pitch is one more than the length.
struct Problem {
  const int* similarity;
  int* scores;
  int length;
  int penalty;
};

template <int tile>
static __device__ void align_tile(const Problem& problem, int tile_x, int tile_y) {
  __shared__ int scores[tile + 1][tile + 1];
  __shared__ int similarity[tile][tile];
  const int tx = threadIdx.x, pitch = problem.length + 1;
  int* corner = problem.scores + tile_y * tile * pitch + tile_x * tile;
  const int* similarity_here = problem.similarity + tile_y * tile * problem.length + tile_x * tile;

  for (int y = 0; y < tile; ++y) similarity[y][tx] = similarity_here[y * problem.length + tx];
  if (tx == 0) scores[0][0] = corner[0];
  scores[tx + 1][0] = corner[(tx + 1) * pitch];
  scores[0][tx + 1] = corner[tx + 1];
  __syncthreads();

  // First the diagonals that get longer, then those that get shorter again.
#pragma unroll 1
  for (int diagonal = 0; diagonal < 2 * tile - 1; ++diagonal) {
    const int others = diagonal < tile ? diagonal : 2 * (tile - 1) - diagonal;
    if (tx <= others) {
      const int x = diagonal < tile ? tx + 1 : tx + 1 + diagonal - (tile - 1);
      const int y = diagonal + 2 - x;
      const int matched = scores[y - 1][x - 1] + similarity[y - 1][x - 1];
      const int skipped = max(scores[y][x - 1], scores[y - 1][x]) - problem.penalty;
      scores[y][x] = max(matched, skipped);
    }
    __syncthreads();
  }
  for (int y = 1; y <= tile; ++y) corner[y * pitch + tx + 1] = scores[y][tx + 1];
}

// The diagonal of `gridDim.x` tiles that begins at the left edge of the matrix.
template <int tile>
static __device__ void upper_left(const Problem& problem) {
  align_tile<tile>(problem, blockIdx.x, gridDim.x - 1 - blockIdx.x);
}

// The diagonal of `gridDim.x` tiles that ends at the right edge.
template <int tile>
static __device__ void lower_right(const Problem& problem) {
  const int tiles = problem.length / tile;
  align_tile<tile>(problem, tiles - gridDim.x + blockIdx.x, tiles - 1 - blockIdx.x);
}

extern "C" __global__ void upper_left_16(Problem problem) { upper_left<16>(problem); }
extern "C" __global__ void lower_right_16(Problem problem) { lower_right<16>(problem); }
extern "C" __global__ void upper_left_32(Problem problem) { upper_left<32>(problem); }
extern "C" __global__ void lower_right_32(Problem problem) { lower_right<32>(problem); }
