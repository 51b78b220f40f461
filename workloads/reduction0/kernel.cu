// Sum of 256 values per block with interleaved addresses: at step s the threads whose number is a multiple of
// 2s are active, scattered over all warps, so that every warp diverges until few warps are left. The modulo
// of a variable is part of what is measured.

extern "C" __global__ void reduce_interleaved(const int* values, int* sums, unsigned count) {
  __shared__ int partial[256];
  const unsigned tid = threadIdx.x;
  const unsigned index = blockIdx.x * blockDim.x + tid;
  partial[tid] = index < count ? values[index] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = partial[0];
}
