// Sorting in two stages (Sintorn, Assarsson: Fast parallel GPU-sorting using a hybrid algorithm, 2007): keys
// are split into buckets, then every bucket is merge-sorted in groups of four. A thread merges two lists by
// itself; the lists double and the threads halve with each pass.

constexpr int kBuckets = 1024;  // at most; a power of two
constexpr int kBins = 1024;
constexpr int kSplitThreads = 128, kSplitRounds = 4;  // a block splits 512 keys
constexpr float kLargest = 3.402823466e38f;  // fills a bucket's last group

struct alignas(16) Four {
  float a, b, c, d;
};

// How the keys, from 0 to 1, are spread: from this the host takes the pivots.
extern "C" __global__ void histogram(const float* keys, unsigned* bins, int n) {
  __shared__ unsigned count[kBins];
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) count[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&count[(int)(keys[i] * kBins)], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x)
    if (count[i] > 0) atomicAdd(&bins[i], count[i]);
}

static __device__ int find_bucket(const float* pivot, float key, int buckets) {
  int bucket = 0;
#pragma unroll 1
  for (int jump = buckets / 2; jump > 0; jump /= 2)
    if (key >= pivot[bucket + jump]) bucket += jump;
  return bucket;
}

// Stage one: the bucket of each key by binary search among the pivots, and its rank among the block's keys in
// that bucket. Threads whose keys fall into the same bucket are served one after the other, the lowest first,
// so that the ranks do not depend on who comes first; how many rounds that takes depends on data.
extern "C" __global__ void count_buckets(const float* keys, const float* pivots, int* bucket_of, int* rank_of,
                                         int* block_counts, int buckets, int n) {
  __shared__ float pivot[kBuckets];  // pivot[i] is the least key of bucket i; pivot[0] is never read
  __shared__ int counted[kBuckets], served[kBuckets];
  const int thread = threadIdx.x;
  for (int i = thread; i < buckets; i += kSplitThreads) {
    pivot[i] = pivots[i];
    counted[i] = 0;
    served[i] = kSplitThreads;
  }
  __syncthreads();
#pragma unroll 1
  for (int round = 0; round < kSplitRounds; ++round) {
    const int i = (blockIdx.x * kSplitRounds + round) * kSplitThreads + thread;
    bool unserved = i < n;
    const int bucket = unserved ? find_bucket(pivot, keys[i], buckets) : 0;
    if (unserved) bucket_of[i] = bucket;
    while (__syncthreads_or(unserved)) {
      if (unserved) atomicMin(&served[bucket], thread);
      __syncthreads();
      if (unserved && served[bucket] == thread) {
        rank_of[i] = counted[bucket]++;
        unserved = false;
      }
      __syncthreads();
      if (i < n) served[bucket] = kSplitThreads;
    }
  }
  for (int i = thread; i < buckets; i += kSplitThreads) block_counts[blockIdx.x * buckets + i] = counted[i];
}

// Turns the blocks' counts of a bucket into where each block's keys begin in it, and their sum.
extern "C" __global__ void offset_blocks(int* block_counts, int* counts, int buckets, int blocks) {
  const int bucket = blockIdx.x * blockDim.x + threadIdx.x;
  if (bucket >= buckets) return;
  int sum = 0;
#pragma unroll 1
  for (int block = 0; block < blocks; ++block) {
    const int count = block_counts[block * buckets + bucket];
    block_counts[block * buckets + bucket] = sum;
    sum += count;
  }
  counts[bucket] = sum;
}

// Where each bucket begins when all are filled up to groups of four, and where its keys go in the end: two
// prefix sums by a single block, whose active threads move up as the distance doubles.
extern "C" __global__ void place_buckets(const int* counts, int* first_group, int* first_key) {
  __shared__ int groups[2][kBuckets / 4], keys[2][kBuckets / 4];
  const int thread = threadIdx.x;
  int own_groups = 0, own_keys = 0;
  for (int i = 0; i < 4; ++i) {
    const int count = counts[4 * thread + i];
    own_groups += (count + 3) / 4;
    own_keys += count;
  }
  int from = 0;
  groups[from][thread] = own_groups;
  keys[from][thread] = own_keys;
  __syncthreads();
#pragma unroll 1
  for (int distance = 1; distance < kBuckets / 4; distance *= 2) {
    groups[1 - from][thread] = groups[from][thread];
    keys[1 - from][thread] = keys[from][thread];
    if (thread >= distance) {
      groups[1 - from][thread] += groups[from][thread - distance];
      keys[1 - from][thread] += keys[from][thread - distance];
    }
    from = 1 - from;
    __syncthreads();
  }
  int next_group = groups[from][thread] - own_groups, next_key = keys[from][thread] - own_keys;
  for (int i = 0; i < 4; ++i) {
    const int count = counts[4 * thread + i];
    first_group[4 * thread + i] = next_group;
    first_key[4 * thread + i] = next_key;
    next_group += (count + 3) / 4;
    next_key += count;
  }
}

extern "C" __global__ void fill_buckets(const float* keys, const int* bucket_of, const int* rank_of,
                                        const int* block_begins, const int* first_group, float* slots,
                                        int buckets, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int bucket = bucket_of[i], block = i / (kSplitThreads * kSplitRounds);
  slots[4 * first_group[bucket] + block_begins[block * buckets + bucket] + rank_of[i]] = keys[i];
}

// Fills the last group of each bucket.
extern "C" __global__ void pad_buckets(const int* counts, const int* first_group, float* slots, int buckets) {
  const int bucket = blockIdx.x * blockDim.x + threadIdx.x;
  if (bucket >= buckets) return;
  float* begin = slots + 4 * first_group[bucket];
#pragma unroll 1
  for (int i = counts[bucket]; i % 4 != 0; ++i) begin[i] = kLargest;
}

static __device__ void order(float& low, float& high) {
  const float lower = fminf(low, high), higher = fmaxf(low, high);
  low = lower;
  high = higher;
}

// Stage two begins with each group in order: five comparators.
extern "C" __global__ void sort_groups(Four* groups, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Four four = groups[i];
  order(four.a, four.b);
  order(four.c, four.d);
  order(four.a, four.c);
  order(four.b, four.d);
  order(four.b, four.c);
  groups[i] = four;
}

// Two sorted fours become the lowest four, returned, and the highest four, kept: bitonic merge.
static __device__ Four merge_fours(Four& kept, Four other) {
  Four low = kept;
  Four high = {other.d, other.c, other.b, other.a};
  order(low.a, high.a);
  order(low.b, high.b);
  order(low.c, high.c);
  order(low.d, high.d);
  order(low.a, low.c);
  order(low.b, low.d);
  order(low.a, low.b);
  order(low.c, low.d);
  order(high.a, high.c);
  order(high.b, high.d);
  order(high.a, high.b);
  order(high.c, high.d);
  kept = high;
  return low;
}

// Merges runs [left, middle) and [middle, end). The next group comes from the run whose next key is lower,
// until one is empty, then from the other: which, and how often, depends on the keys.
static __device__ void merge_runs(const Four* from, Four* to, int left, int middle, int end) {
  int right = middle, out = left;
  const int left_end = middle;
  Four kept = from[left++];
#pragma unroll 1
  while (left < left_end || right < end) {
    Four next;
    if (left >= left_end) {
      next = from[right++];
    } else if (right >= end) {
      next = from[left++];
    } else if (from[left].a < from[right].a) {
      next = from[left++];
    } else {
      next = from[right++];
    }
    to[out++] = merge_fours(kept, next);
  }
  to[out] = kept;
}

// A pass: thread t merges pair t % pairs of bucket t / pairs. Buckets are of different lengths: in a shorter
// one the last threads have no pair, or a run without partner.
extern "C" __global__ void merge_pass(const Four* from, Four* to, const int* counts, const int* first_group,
                                      int buckets, int run, int pairs) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int bucket = thread / pairs;
  if (bucket >= buckets) return;
  const int groups = (counts[bucket] + 3) / 4;
  const int left = (thread - bucket * pairs) * 2 * run;
  if (left >= groups) return;
  const int middle = left + run < groups ? left + run : groups;
  const int end = left + 2 * run < groups ? left + 2 * run : groups;
  const Four* bucket_from = from + first_group[bucket];
  Four* bucket_to = to + first_group[bucket];
  if (middle == end) {
#pragma unroll 1
    for (int i = left; i < end; ++i) bucket_to[i] = bucket_from[i];
  } else {
    merge_runs(bucket_from, bucket_to, left, middle, end);
  }
}

// Drops the padding: a block per bucket.
extern "C" __global__ void pack(const float* slots, const int* counts, const int* first_group,
                                const int* first_key, float* keys) {
  const int bucket = blockIdx.x;
#pragma unroll 1
  for (int i = threadIdx.x; i < counts[bucket]; i += blockDim.x)
    keys[first_key[bucket] + i] = slots[4 * first_group[bucket] + i];
}
