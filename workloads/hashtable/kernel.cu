// A hash table with chains. A bucket has a lock, which is taken as in the textbook: spin, then go on behind the loop.

struct Table {
  unsigned* locks;
  unsigned* heads;     // by bucket: a node and 1; 0: none
  unsigned* nexts;     // by node, the same
  unsigned* counts;    // by node: how often its key was inserted
  const unsigned* keys;  // by node
  unsigned buckets;
};

static __device__ __forceinline__ unsigned bucket_of(unsigned key, unsigned buckets) {
  return (key * 2654435761u >> 8) % buckets;
}

// Node i is for key i. A key that is there is counted, and its node stays unused.
extern "C" __global__ void insert_keys(Table table, unsigned count) {
  volatile unsigned* const heads = table.heads;
  volatile unsigned* const nexts = table.nexts;
  volatile unsigned* const counts = table.counts;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned key = table.keys[i];
    const unsigned bucket = bucket_of(key, table.buckets);
    while (atomicExch(table.locks + bucket, 1u) != 0) {
    }
    __threadfence();
    unsigned node = heads[bucket];
    while (node != 0 && table.keys[node - 1] != key) node = nexts[node - 1];
    if (node != 0) {
      counts[node - 1] += 1;
    } else {
      counts[i] = 1;
      nexts[i] = heads[bucket];
      heads[bucket] = i + 1;
    }
    __threadfence();
    atomicExch(table.locks + bucket, 0u);
  }
}

// How often key q was inserted.
extern "C" __global__ void look_up(Table table, unsigned* found, unsigned keys) {
  const unsigned key = blockIdx.x * blockDim.x + threadIdx.x;
  if (key >= keys) return;
  unsigned node = table.heads[bucket_of(key, table.buckets)];
  while (node != 0 && table.keys[node - 1] != key) node = table.nexts[node - 1];
  found[key] = node != 0 ? table.counts[node - 1] : 0;
}
