// Bitonic sort of 256 keys per block in shared memory. Both conditions depend on the thread's number alone:
// `ixj > tid` idles half of the threads, first whole warps, then every other lane; the direction is
// `(tid & k) == 0`. Whether a pair is swapped depends on the keys.

extern "C" __global__ void bitonic_sort(unsigned* keys) {
  __shared__ unsigned shared[256];
  const unsigned tid = threadIdx.x;
  unsigned* own = keys + blockIdx.x * 256;
  shared[tid] = own[tid];
  __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      const unsigned ixj = tid ^ j;
      if (ixj > tid) {
        const unsigned a = shared[tid], b = shared[ixj];
        if ((tid & k) == 0) {
          if (a > b) {
            shared[tid] = b;
            shared[ixj] = a;
          }
        } else {
          if (a < b) {
            shared[tid] = b;
            shared[ixj] = a;
          }
        }
      }
      __syncthreads();
    }
  }
  own[tid] = shared[tid];
}
