// 256-bin histogram of bytes. Each block counts its share into bins in shared memory with atomics, then one
// block per bin adds up what the blocks counted.

extern "C" __global__ void count_bytes(const unsigned* words, unsigned* block_bins, unsigned count) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const unsigned word = words[i];
    atomicAdd(&bins[word & 255], 1u);
    atomicAdd(&bins[word >> 8 & 255], 1u);
    atomicAdd(&bins[word >> 16 & 255], 1u);
    atomicAdd(&bins[word >> 24], 1u);
  }
  __syncthreads();
  block_bins[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void merge_bins(const unsigned* block_bins, unsigned* bins, unsigned blocks) {
  __shared__ unsigned sums[256];
  const unsigned bin = blockIdx.x, tid = threadIdx.x;
  unsigned sum = 0;
  for (unsigned block = tid; block < blocks; block += blockDim.x) sum += block_bins[block * 256 + bin];
  sums[tid] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (tid < half) sums[tid] += sums[tid + half];
    __syncthreads();
  }
  if (tid == 0) bins[bin] = sums[0];
}
