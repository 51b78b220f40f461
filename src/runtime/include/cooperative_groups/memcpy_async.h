// Copies by a whole group. They are done when they return; waiting for them is the group's barrier.
#pragma once

#include "../cooperative_groups.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

namespace cooperative_groups {

template <class Group, class T>
__device__ void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size()) to[i] = from[i];
}
template <class Group>
__device__ void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
  memcpy_async(group, (char*)to, (const char*)from, bytes);
}
template <class Group>
__device__ void wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group>
__device__ void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#pragma clang attribute pop
