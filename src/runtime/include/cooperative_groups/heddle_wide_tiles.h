// Tiles of several warps. For cooperative_groups.h, which has the others.
#pragma once

#include "../cooperative_groups.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

namespace cooperative_groups {

// Words that tiles of several warps meet in, one for each warp of a block.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  uint4 heddle_words[(MaxBlockSize + 31) / 32];
};

// A tile of several warps. Its barrier is one of the block's sixteen, of which __syncthreads has the first.
template <unsigned Size, class Parent>
class thread_block_tile<Size, Parent, true> {
 public:
  static_assert(Size <= 512 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two, up to 512");
  template <class Block>
  explicit __device__ thread_block_tile(const Block& block) : words_(block.heddle_memory()) {
    if (!words_ || meta_group_rank() > 14) __trap();
  }
  static __device__ unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static __device__ constexpr unsigned size() { return Size; }
  static __device__ constexpr unsigned num_threads() { return Size; }
  static __device__ unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static __device__ unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  static __device__ void sync() {
    asm volatile("bar.sync %0, %1;" : : "r"(1 + meta_group_rank()), "n"(Size) : "memory");
  }
  __device__ int any(int predicate) const {
    return heddle_each(__any_sync(0xffffffffu, predicate), 0, [](int all, int warp, unsigned) { return all | warp; });
  }
  __device__ int all(int predicate) const {
    return heddle_each(__all_sync(0xffffffffu, predicate), 1, [](int all, int warp, unsigned) { return all & warp; });
  }

  // What each warp has to say, taken together by all threads, warp by warp: `with` also gets the number of the warp.
  template <class T, class With>
  __device__ T heddle_each(const T& of_warp, T result, const With& with) const {
    static_assert(sizeof(T) <= sizeof(uint4), "of up to 16 bytes");
    const unsigned first = meta_group_rank() * (Size / 32);
    if (thread_rank() % 32 == 0) __builtin_memcpy(words_ + first + thread_rank() / 32, &of_warp, sizeof of_warp);
    sync();
    for (unsigned warp = 0; warp < Size / 32; ++warp) {
      T value;
      __builtin_memcpy(&value, words_ + first + warp, sizeof value);
      result = with(result, value, warp);
    }
    sync();
    return result;
  }

 private:
  uint4* words_;
};

template <unsigned MaxBlockSize>
__device__ inline thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory) {
  return thread_block(memory.heddle_words);
}

}  // namespace cooperative_groups

#pragma clang attribute pop
