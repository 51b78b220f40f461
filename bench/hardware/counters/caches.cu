// What the caches of a GPU pass on, for its counters (no clock tells it):
//   nvcc -arch=native -o caches caches.cu
//   ncu --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum,\
//       l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum,\
//       lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors_srcunit_tex_op_write.sum ./caches
// docs/validation.md says what an H200 gave.
#include <cstdio>

// The first `cores` blocks read the same data, each once.
__global__ void same_reads(const float4* data, float* out, int steps, int cores) {
  if (blockIdx.x >= cores) return;
  float sum = 0;
  for (int i = 0; i < steps; ++i) sum += __ldg(data + i * blockDim.x + threadIdx.x).x;
  if (sum == 1.2345f) out[0] = sum;
}

__device__ void wait(int cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// Each thread writes the eight words of a sector of its own, `cycles` apart.
__global__ void part_writes(int* data, int cycles) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int word = 0; word < 8; ++word) {
    data[thread * 8 + word] = word;
    wait(cycles);
  }
}

// The same in a row, with so many other lines between.
__global__ void writes_between(int* data, int* other, int lines) {
  for (int word = 0; word < 8; ++word) {
    data[threadIdx.x * 8 + word] = word;
    for (int i = 0; i < lines; ++i) other[(word * lines + i) * 32 + threadIdx.x] = word;
  }
}

__global__ void local_writes(int* out, int steps) {
  int own[64];
  for (int i = 0; i < 64; ++i) own[i] = i * steps;
  for (int step = 0; step < steps; ++step) own[(out[0] + step * 7) & 63] += step;
  out[1 + threadIdx.x] = own[steps & 63];
}

__global__ void read_what_was_written(int* data, int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  data[thread] = thread;
  __syncthreads();
  out[thread] = data[thread ^ 1];
}

int main() {
  const size_t bytes = 64 << 20;
  float4* read;
  int *written, *other;
  cudaMalloc(&read, bytes);
  cudaMalloc(&written, bytes);
  cudaMalloc(&other, bytes);
  for (const int cores : {1, 2, 4, 8, 16, 32, 66, 132})
    same_reads<<<132, 256>>>(read, reinterpret_cast<float*>(other), 32, cores);
  for (const int cycles : {0, 100, 1000}) part_writes<<<132, 32>>>(written, cycles);
  for (const int lines : {0, 1, 8}) writes_between<<<1, 32>>>(written, other, lines);
  local_writes<<<132, 128>>>(written, 100);
  read_what_was_written<<<132, 256>>>(written, other);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
