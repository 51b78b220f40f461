// Sorts the rows of a table, each an array of structures, by key. A row is cut into chunks of 128 records; a
// block sorts a chunk by odd-even transposition, then neighbouring chunks are merged in odd and even phases
// until the row is in order. Records with equal keys keep their order.

constexpr unsigned kChunk = 128;

struct Record {
  unsigned key, payload[3];
};

// In every phase one thread of two compares its record with the next: lanes of the same parity in all warps.
// Those that find them out of order exchange all four words.
extern "C" __global__ void sort_chunks(Record* table, unsigned row_length) {
  __shared__ Record chunk[kChunk];
  const unsigned thread = threadIdx.x, begin = blockIdx.x * kChunk;
  const unsigned count = row_length - begin < kChunk ? row_length - begin : kChunk;
  Record* here = table + blockIdx.y * row_length + begin;
  if (thread < count) chunk[thread] = here[thread];
#pragma unroll 1
  for (unsigned phase = 0; phase < count; ++phase) {
    __syncthreads();
    if ((thread & 1) == (phase & 1) && thread + 1 < count) {
      if (chunk[thread].key > chunk[thread + 1].key) {
        const Record held = chunk[thread];
        chunk[thread] = chunk[thread + 1];
        chunk[thread + 1] = held;
      }
    }
  }
  __syncthreads();
  if (thread < count) here[thread] = chunk[thread];
}

// How many of the sorted records come before `key`; of those with an equal key, all or none.
static __device__ unsigned count_before(const Record* records, unsigned count, unsigned key, bool with_equal) {
  unsigned low = 0, high = count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    const unsigned other = records[middle].key;
    if (other < key || (with_equal && other == key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Merges chunk 2 b + first with the next, in place: every record finds its place by a search in the other
// chunk. The next chunk may be the row's last, and shorter.
extern "C" __global__ void merge_neighbours(Record* table, unsigned row_length, unsigned first) {
  __shared__ Record records[2 * kChunk];
  const unsigned begin = (2 * blockIdx.x + first) * kChunk;
  const unsigned count = row_length - begin < 2 * kChunk ? row_length - begin : 2 * kChunk;
  Record* here = table + blockIdx.y * row_length + begin;
  for (unsigned i = threadIdx.x; i < count; i += kChunk) records[i] = here[i];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += kChunk) {
    unsigned place;
    if (i < kChunk) {
      place = i + count_before(records + kChunk, count - kChunk, records[i].key, false);
    } else {
      place = i - kChunk + count_before(records, kChunk, records[i].key, true);
    }
    here[place] = records[i];
  }
}
