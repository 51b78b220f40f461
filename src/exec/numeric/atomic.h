#pragma once

// The value an atomic operation leaves in memory, from the old value and its operands. add, min, max,
// and, or, xor of integers are the plain operations.

#include "exec/numeric/float32.h"
#include "exec/numeric/float64.h"
#include "exec/numeric/half.h"

namespace heddle::numeric {

constexpr uint32_t atomic_inc(uint32_t old, uint32_t limit) { return old >= limit ? 0 : old + 1; }
constexpr uint32_t atomic_dec(uint32_t old, uint32_t limit) { return old == 0 || old > limit ? limit : old - 1; }
template <class T>
constexpr T atomic_cas(T old, T expected, T desired) {
  return old == expected ? desired : old;
}

// f32 additions flush subnormals in global memory, where the adder sits in the cache, and not in
// shared memory. The other types never flush (.noftz).
inline float atomic_add_global(float old, float x) { return add_ftz(old, x); }
inline float atomic_add_shared(float old, float x) { return add(old, x); }
// In shared memory it is a loop around the addition, with the operands the other way round: only the
// choice between two NaNs shows it.
inline double atomic_add_global(double old, double x) { return add(old, x); }
inline double atomic_add_shared(double old, double x) { return add(x, old); }
inline F16 atomic_add(F16 old, F16 x) { return add(old, x); }
inline Bf16 atomic_add(Bf16 old, Bf16 x) { return add(old, x); }

}  // namespace heddle::numeric
