// AES-128 encryption (FIPS 197), one thread per column of four bytes, so that four threads share a cipher
// block and 256 threads take 64 of them. The four tables, each S-box and column mixing in one look-up, are
// brought to shared memory by the block; the columns of a round pass through shared memory too. The text is
// padded to whole thread blocks.

constexpr int kThreads = 256, kRounds = 10;

__constant__ unsigned round_keys[4 * (kRounds + 1)];

static __device__ unsigned byte_of(unsigned column, int row) { return column >> (8 * row) & 0xff; }

// Row r of a new column comes from the column r places further on: that is the shift of rows.
static __device__ unsigned mixed(const unsigned (*tables)[256], const unsigned* state, int block, int column) {
  unsigned result = 0;
  for (int row = 0; row < 4; ++row) result ^= tables[row][byte_of(state[block + (column + row) % 4], row)];
  return result;
}

// The last round substitutes and shifts only; the S-box is the second byte of the first table.
static __device__ unsigned substituted(const unsigned (*tables)[256], const unsigned* state, int block, int column) {
  unsigned result = 0;
  for (int row = 0; row < 4; ++row)
    result |= byte_of(tables[0][byte_of(state[block + (column + row) % 4], row)], 1) << (8 * row);
  return result;
}

extern "C" __global__ void encrypt(const unsigned* tables_in_memory, const unsigned* plain, unsigned* cipher) {
  __shared__ unsigned tables[4][256];
  __shared__ unsigned states[2][kThreads];  // one is read while the other is written
  const int thread = threadIdx.x, index = blockIdx.x * kThreads + thread;
  const int block = thread / 4 * 4, column = thread % 4;
  for (int table = 0; table < 4; ++table) tables[table][thread] = tables_in_memory[table * 256 + thread];
  states[0][thread] = plain[index] ^ round_keys[column];
  __syncthreads();
#pragma unroll 1
  for (int round = 1; round < kRounds; ++round) {
    const unsigned* from = states[(round - 1) % 2];
    states[round % 2][thread] = mixed(tables, from, block, column) ^ round_keys[4 * round + column];
    __syncthreads();
  }
  const unsigned last = substituted(tables, states[(kRounds - 1) % 2], block, column);
  cipher[index] = last ^ round_keys[4 * kRounds + column];
}
