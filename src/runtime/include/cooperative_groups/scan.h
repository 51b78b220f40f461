// Scans over tiles and coalesced groups: what the members before have together, with this one or without.
#pragma once

#include "../cooperative_groups.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

namespace cooperative_groups {

template <class Group, class T, class Operation>
__device__ T inclusive_scan(const Group& group, T value, Operation&& operation) {
  for (unsigned by = 1; by < group.size(); by *= 2) {
    const T before = group.shfl_up(value, by);
    if (group.thread_rank() >= by) value = operation(before, value);
  }
  return value;
}
// Of several warps: with what those before have.
template <unsigned Size, class Parent, class T, class Operation>
__device__ T inclusive_scan(const thread_block_tile<Size, Parent, true>& group, T value, Operation&& operation) {
  const thread_block_tile<32> warp;
  const unsigned own = group.thread_rank() / 32;
  value = inclusive_scan(warp, value, operation);
  const T total = warp.shfl(value, 31);
  const T before = group.heddle_each(total, total, [&](const T& sum, const T& next, unsigned number) {
    return number >= own ? sum : number == 0 ? next : operation(sum, next);
  });
  return own == 0 ? value : operation(before, value);
}
template <class Group, class T>
__device__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

// The value of the member before.
template <class Group, class T>
__device__ T heddle_before(const Group& group, const T& value) {
  return group.shfl_up(value, 1);
}
template <unsigned Size, class Parent, class T>
__device__ T heddle_before(const thread_block_tile<Size, Parent, true>& group, const T& value) {
  const thread_block_tile<32> warp;
  const unsigned own = group.thread_rank() / 32;
  const T last = warp.shfl(value, 31), near = warp.shfl_up(value, 1);
  const T far = group.heddle_each(
      last, last, [&](const T& found, const T& next, unsigned number) { return number + 1 == own ? next : found; });
  return warp.thread_rank() == 0 ? far : near;
}

template <class Group, class T, class Operation>
__device__ T exclusive_scan(const Group& group, T value, Operation&& operation) {
  const T before = heddle_before(group, inclusive_scan(group, value, operation));
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
__device__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#pragma clang attribute pop
