// Cooperative groups as far as programs built by clang have them: the grid, the block, and tiles of a warp.
#pragma once

#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

namespace cooperative_groups {

class thread_block {
 public:
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
};

// The barrier of a cooperative grid: a word of the workspace whose address a cooperative launch hands over in %envreg1
// and %envreg2. Every block adds one; the first block adds so much that the top bit turns when all have come. That is
// the word and the count nvcc's programs use, so that kernels of both compilers keep to one workspace.
class grid_group {
 public:
  __device__ bool is_valid() const { return workspace() != nullptr; }
  __device__ unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block().size();
  }
  __device__ unsigned long long thread_rank() const {
    const unsigned long long block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return block * thread_block().size() + thread_block().thread_rank();
  }
  __device__ void sync() const {
    if (!is_valid()) __trap();
    __syncthreads();
    if (thread_block().thread_rank() == 0) wait_for_blocks();
    __syncthreads();
  }

 private:
  static __device__ unsigned* workspace() {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned*)((unsigned long long)high << 32 | low);
  }
  static __device__ void wait_for_blocks() {
    unsigned* const arrived = workspace() + 1;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    const bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
    __threadfence();
    const unsigned before = atomicAdd(arrived, first ? 0x80000000u - (blocks - 1) : 1u);
    while (((*(volatile unsigned*)arrived ^ before) & 0x80000000u) == 0) {
    }
    __threadfence();
  }
};

template <unsigned Size>
class thread_block_tile {
 public:
  __device__ unsigned thread_rank() const { return thread_block().thread_rank() % Size; }
  __device__ unsigned size() const { return Size; }
  __device__ void sync() const { __syncwarp(members()); }
  template <class T>
  __device__ T shfl_down(T value, unsigned by) const {
    return __shfl_down_sync(members(), value, by, Size);
  }
  template <class T>
  __device__ T shfl(T value, unsigned from) const {
    return __shfl_sync(members(), value, from, Size);
  }

 private:
  static __device__ unsigned members() {
    const unsigned lane = thread_block().thread_rank() % warpSize;
    return (Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1) << (lane / Size * Size);
  }
};

__device__ inline grid_group this_grid() { return {}; }
__device__ inline thread_block this_thread_block() { return {}; }
template <unsigned Size>
__device__ thread_block_tile<Size> tiled_partition(const thread_block&) {
  return {};
}
template <class Group>
__device__ void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#pragma clang attribute pop
