// Reductions over tiles and coalesced groups.
#pragma once

#include "../cooperative_groups.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

namespace cooperative_groups {

// By halves: the tree is the same for all members, so all have the same sum, of floats too.
template <unsigned Size, class Parent, class T, class Operation>
__device__ T reduce(const thread_block_tile<Size, Parent, false>& group, T value, Operation&& operation) {
#pragma unroll
  for (unsigned by = Size / 2; by > 0; by /= 2) value = operation(value, group.shfl_xor(value, by));
  return value;
}
template <unsigned Size, class Parent, class T, class Operation>
__device__ T reduce(const thread_block_tile<Size, Parent, true>& group, T value, Operation&& operation) {
  value = reduce(thread_block_tile<32>(), value, operation);
  return group.heddle_each(value, value, [&](const T& before, const T& of_warp, unsigned warp) {
    return warp == 0 ? of_warp : operation(before, of_warp);
  });
}
template <class T, class Operation>
__device__ T reduce(const coalesced_group& group, T value, Operation&& operation) {
  T result = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) result = operation(result, group.shfl(value, rank));
  return result;
}

template <class Group, class T, class Operation>
__device__ void reduce_update_async(const Group& group, T* to, T value, Operation&& operation) {
  const T result = reduce(group, value, operation);
  if (group.thread_rank() == 0) *to = operation(*to, result);
}
template <class Group, class T, class Operation>
__device__ void reduce_store_async(const Group& group, T* to, T value, Operation&& operation) {
  const T result = reduce(group, value, operation);
  if (group.thread_rank() == 0) *to = result;
}

}  // namespace cooperative_groups

#pragma clang attribute pop
