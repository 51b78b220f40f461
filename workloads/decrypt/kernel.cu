// AES-128 decryption (FIPS 197, 5.3.5) of a text in cipher block chaining, one thread per cipher block. Both
// tables are brought to shared memory by the thread block: one that undoes substitution and column mixing in
// a look-up, turned for each row, and one that undoes the substitution only, for the last round.

constexpr int kThreads = 256, kRounds = 10;

__constant__ unsigned round_keys[4 * (kRounds + 1)];  // in the order of decryption

static __device__ unsigned byte_of(unsigned column, int row) { return column >> (8 * row) & 0xff; }

static __device__ unsigned turned(unsigned word, int rows) {
  return rows == 0 ? word : word << (8 * rows) | word >> (32 - 8 * rows);
}

struct Block {
  unsigned columns[4];
};

// Row r of a column comes from the column r places back.
static __device__ Block unmixed(const unsigned* table, const Block& from, const unsigned* key) {
  Block result;
  for (int column = 0; column < 4; ++column) {
    result.columns[column] = key[column];
    for (int row = 0; row < 4; ++row)
      result.columns[column] ^= turned(table[byte_of(from.columns[(column + 4 - row) % 4], row)], row);
  }
  return result;
}

static __device__ Block unsubstituted(const unsigned char* table, const Block& from, const unsigned* key) {
  Block result;
  for (int column = 0; column < 4; ++column) {
    result.columns[column] = key[column];
    for (int row = 0; row < 4; ++row)
      result.columns[column] ^= table[byte_of(from.columns[(column + 4 - row) % 4], row)] << (8 * row);
  }
  return result;
}

// cipher[0] is the initial vector, so block i of the text is cipher[i + 1].
extern "C" __global__ void decrypt(const unsigned* mixing, const unsigned char* substitution, const Block* cipher,
                                   Block* plain, int blocks) {
  __shared__ unsigned mixing_table[256];
  __shared__ unsigned char substitution_table[256];
  mixing_table[threadIdx.x] = mixing[threadIdx.x];
  substitution_table[threadIdx.x] = substitution[threadIdx.x];
  __syncthreads();
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= blocks) return;
  Block state = cipher[index + 1];
  for (int column = 0; column < 4; ++column) state.columns[column] ^= round_keys[column];
#pragma unroll 1
  for (int round = 1; round < kRounds; ++round) state = unmixed(mixing_table, state, round_keys + 4 * round);
  state = unsubstituted(substitution_table, state, round_keys + 4 * kRounds);
  const Block before = cipher[index];
  for (int column = 0; column < 4; ++column) state.columns[column] ^= before.columns[column];
  plain[index] = state;
}
