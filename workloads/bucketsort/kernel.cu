// Bucket sort of integers: count the keys of each bucket, sum up the counts to where the buckets begin, move
// the keys there, and sort the buckets, one thread each. Keys are not spread evenly, so neither is the work.

constexpr int kThreads = 256;

extern "C" __global__ void count_keys(const unsigned* keys, int* counts, int shift, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&counts[keys[i] >> shift], 1);
}

// Exclusive prefix sum by one block, 256 counts at a time; `cursors` gets a copy for the next kernel to move.
extern "C" __global__ void sum_counts(const int* counts, int* begins, int* cursors, int buckets) {
  __shared__ int sums[2][kThreads];
  __shared__ int carry;
  const int thread = threadIdx.x;
  if (thread == 0) carry = 0;
#pragma unroll 1
  for (int first = 0; first < buckets; first += kThreads) {
    const int bucket = first + thread;
    const int count = bucket < buckets ? counts[bucket] : 0;
    int from = 0;
    sums[0][thread] = count;
    __syncthreads();
#pragma unroll 1
    for (int distance = 1; distance < kThreads; distance *= 2) {
      int sum = sums[from][thread];
      if (thread >= distance) sum += sums[from][thread - distance];
      from = 1 - from;
      sums[from][thread] = sum;
      __syncthreads();
    }
    const int sum = sums[from][thread], begin = carry + sum - count;
    if (bucket < buckets) {
      begins[bucket] = begin;
      cursors[bucket] = begin;
    }
    __syncthreads();  // everyone has the old carry, and is done with the sums
    if (thread == kThreads - 1) carry = begin + count;
    __syncthreads();
  }
  if (thread == 0) begins[buckets] = carry;
}

// The order within a bucket is left to chance; sorting takes it away.
extern "C" __global__ void move_keys(const unsigned* keys, int* cursors, unsigned* moved, int shift, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  moved[atomicAdd(&cursors[key >> shift], 1)] = key;
}

// Odd-even transposition: as many rounds as there are keys in the bucket. Its course depends on how many those
// are, but not on the order they have come in, so that every run of the program executes the same.
extern "C" __global__ void sort_buckets(const int* begins, unsigned* keys, int buckets) {
  const int bucket = blockIdx.x * kThreads + threadIdx.x;
  if (bucket >= buckets) return;
  const int begin = begins[bucket], end = begins[bucket + 1];
#pragma unroll 1
  for (int round = 0; round < end - begin; ++round) {
#pragma unroll 1
    for (int left = begin + round % 2; left + 1 < end; left += 2) {
      const unsigned a = keys[left], b = keys[left + 1];
      keys[left] = min(a, b);
      keys[left + 1] = max(a, b);
    }
  }
}
