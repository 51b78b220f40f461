// Cooperative groups: the grid, the block, tiles of a warp, and the threads of a warp that are together. Reductions and
// scans over them are in cooperative_groups/.
#pragma once

#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

namespace cooperative_groups {

// Any group: that of some lanes of this warp, or, with no lanes named, the block.
class thread_group {
 public:
  __device__ unsigned thread_rank() const { return lanes_ ? __popc(lanes_ & __lanemask_lt()) : block_rank(); }
  __device__ unsigned size() const { return lanes_ ? __popc(lanes_) : block_size(); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ void sync() const {
    if (lanes_)
      __syncwarp(lanes_);
    else
      __syncthreads();
  }
  __device__ unsigned heddle_lanes() const { return lanes_; }

 protected:
  explicit __device__ thread_group(unsigned lanes) : lanes_(lanes) {}
  static __device__ unsigned block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __device__ unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
  template <class Group>
  friend __device__ thread_group tiled_partition(const Group& group, unsigned size);

 private:
  unsigned lanes_;
};

class thread_block : public thread_group {
 public:
  __device__ thread_block() : thread_group(0) {}
  explicit __device__ thread_block(uint4* memory) : thread_group(0), memory_(memory) {}
  __device__ uint4* heddle_memory() const { return memory_; }
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned thread_rank() { return block_rank(); }
  static __device__ unsigned size() { return block_size(); }
  static __device__ unsigned num_threads() { return block_size(); }
  static __device__ dim3 group_index() { return blockIdx; }
  static __device__ dim3 thread_index() { return threadIdx; }
  static __device__ dim3 group_dim() { return blockDim; }
  static __device__ dim3 dim_threads() { return blockDim; }

 private:
  uint4* memory_ = nullptr;  // for tiles of several warps
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
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long block_rank() const {
    return (blockIdx.z * gridDim.y + blockIdx.y) * (unsigned long long)gridDim.x + blockIdx.x;
  }
  __device__ unsigned long long thread_rank() const {
    return block_rank() * thread_block().size() + thread_block().thread_rank();
  }
  __device__ unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __device__ dim3 group_dim() const { return gridDim; }
  __device__ dim3 dim_blocks() const { return gridDim; }
  __device__ dim3 block_index() const { return blockIdx; }
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

// A value from another lane, whatever its type: word by word.
template <class T, class Shuffle>
__device__ T heddle_shuffled(const T& value, const Shuffle& shuffle) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned words[kWords] = {};
  __builtin_memcpy(words, &value, sizeof value);
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = shuffle(words[i]);
  T result = value;
  __builtin_memcpy(&result, words, sizeof result);
  return result;
}

// What tiles and coalesced groups share: members are known by their ranks, from the lowest lane on.
class heddle_lane_group : public thread_group {
 public:
  template <class T>
  __device__ T shfl(T value, unsigned rank) const {
    const int lane = lane_of(rank % size());
    return heddle_shuffled(value, [&](unsigned word) { return __shfl_sync(heddle_lanes(), word, lane); });
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned by) const {
    return thread_rank() + by < size() ? shfl(value, thread_rank() + by) : shfl(value, thread_rank());
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned by) const {
    return shfl(value, thread_rank() >= by ? thread_rank() - by : thread_rank());
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned by) const {
    return shfl(value, (thread_rank() ^ by) < size() ? thread_rank() ^ by : thread_rank());
  }
  __device__ int any(int predicate) const { return __any_sync(heddle_lanes(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(heddle_lanes(), predicate); }
  __device__ unsigned ballot(int predicate) const { return ranks_of(__ballot_sync(heddle_lanes(), predicate)); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return ranks_of(__match_any_sync(heddle_lanes(), value));
  }
  template <class T>
  __device__ unsigned match_all(T value, int& all) const {
    return ranks_of(__match_all_sync(heddle_lanes(), value, &all));
  }

 protected:
  explicit __device__ heddle_lane_group(unsigned lanes) : thread_group(lanes) {}

 private:
  __device__ int lane_of(unsigned rank) const {
    const unsigned lanes = heddle_lanes(), first = __ffs((int)lanes) - 1;
    const unsigned run = lanes >> first;
    return (run & (run + 1)) == 0 ? (int)(first + rank) : (int)__fns(lanes, 0, (int)rank + 1);
  }
  __device__ unsigned ranks_of(unsigned lanes) const {
    const unsigned members = heddle_lanes(), first = __ffs((int)members) - 1, run = members >> first;
    if ((run & (run + 1)) == 0) return lanes >> first;
    unsigned ranks = 0, rank = 0;
    for (unsigned left = members; left; left &= left - 1, ++rank)
      ranks |= (lanes >> (__ffs((int)left) - 1) & 1) << rank;
    return ranks;
  }
};

template <unsigned Size, class Parent = void, bool OfWarps = (Size > 32)>
class thread_block_tile : public heddle_lane_group {
 public:
  static_assert((Size & (Size - 1)) == 0, "the size of a tile is a power of two");
  __device__ thread_block_tile() : heddle_lane_group(members()) {}
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}
  static __device__ unsigned thread_rank() { return block_rank() % Size; }
  static __device__ constexpr unsigned size() { return Size; }
  static __device__ constexpr unsigned num_threads() { return Size; }
  static __device__ unsigned meta_group_rank() { return block_rank() / Size; }
  static __device__ unsigned meta_group_size() { return (block_size() + Size - 1) / Size; }

  // By one instruction each.
  template <class T>
  __device__ T shfl(T value, unsigned rank) const {
    return heddle_shuffled(value, [&](unsigned word) { return __shfl_sync(heddle_lanes(), word, rank, Size); });
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned by) const {
    return heddle_shuffled(value, [&](unsigned word) { return __shfl_down_sync(heddle_lanes(), word, by, Size); });
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned by) const {
    return heddle_shuffled(value, [&](unsigned word) { return __shfl_up_sync(heddle_lanes(), word, by, Size); });
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned by) const {
    return heddle_shuffled(value, [&](unsigned word) { return __shfl_xor_sync(heddle_lanes(), word, by, Size); });
  }

 private:
  static __device__ unsigned members() {
    const unsigned lane = block_rank() % warpSize;
    return (Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1) << (lane / Size * Size);
  }
};

class coalesced_group : public heddle_lane_group {
 public:
  explicit __device__ coalesced_group(unsigned lanes, unsigned meta_rank = 0, unsigned meta_size = 1)
      : heddle_lane_group(lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}
  template <unsigned Size, class Parent>
  __device__ coalesced_group(const thread_block_tile<Size, Parent>& tile)
      : coalesced_group(tile.heddle_lanes(), tile.meta_group_rank(), tile.meta_group_size()) {}
  __device__ unsigned meta_group_rank() const { return meta_rank_; }
  __device__ unsigned meta_group_size() const { return meta_size_; }

 private:
  unsigned meta_rank_, meta_size_;
};

__device__ inline grid_group this_grid() { return {}; }
__device__ inline thread_block this_thread_block() { return {}; }
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  if constexpr (Size > 32)
    return thread_block_tile<Size, Parent>(parent);
  else
    return {};
}
template <class Group>
__device__ thread_group tiled_partition(const Group& group, unsigned size) {
  const unsigned lane = thread_group::block_rank() % warpSize;
  const unsigned run = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (lane / size * size);
  return thread_group(group.heddle_lanes() ? run & group.heddle_lanes() : run);
}
// Those of a group that have the same label, or the same answer.
template <class Group, class Label>
__device__ coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.heddle_lanes(), label));
}
template <class Group>
__device__ coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned yes = __ballot_sync(group.heddle_lanes(), predicate);
  return coalesced_group(predicate ? yes : group.heddle_lanes() & ~yes, predicate, 2);
}

template <class Group>
__device__ void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__device__ auto group_size(const Group& group) {
  return group.size();
}

// ---- operations for reductions and scans

#define HEDDLE_GROUP_OPERATION(name, value)                                          \
  template <class T = void>                                                          \
  struct name {                                                                      \
    __host__ __device__ T operator()(const T& a, const T& b) const { return value; } \
  };                                                                                 \
  template <>                                                                        \
  struct name<void> {                                                                \
    template <class T>                                                               \
    __host__ __device__ T operator()(const T& a, const T& b) const {                 \
      return value;                                                                  \
    }                                                                                \
  };
HEDDLE_GROUP_OPERATION(plus, a + b)
HEDDLE_GROUP_OPERATION(less, b < a ? b : a)
HEDDLE_GROUP_OPERATION(greater, a < b ? b : a)
HEDDLE_GROUP_OPERATION(bit_and, a& b)
HEDDLE_GROUP_OPERATION(bit_or, a | b)
HEDDLE_GROUP_OPERATION(bit_xor, a ^ b)
#undef HEDDLE_GROUP_OPERATION

}  // namespace cooperative_groups

#pragma clang attribute pop

#include "cooperative_groups/heddle_wide_tiles.h"
