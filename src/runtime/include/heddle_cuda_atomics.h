// Atomics of kernels beside those of cuda_minimal.h: of 64 bits, of doubles; and the forms for a block and for the
// whole system, which are those for the GPU here.
#pragma once

HEDDLE_INLINE double atomicAdd(double* p, double v) {
  double old;
  asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(old) : "l"((unsigned long long)p), "d"(v) : "memory");
  return old;
}
HEDDLE_INLINE unsigned atomicDec(unsigned* p, unsigned limit) { return __nvvm_atom_dec_gen_ui(p, limit); }
HEDDLE_INLINE int atomicAnd(int* p, int v) { return __nvvm_atom_and_gen_i(p, v); }
HEDDLE_INLINE int atomicXor(int* p, int v) { return __nvvm_atom_xor_gen_i(p, v); }
HEDDLE_INLINE float atomicExch(float* p, float v) { return __int_as_float(atomicExch((int*)p, __float_as_int(v))); }
HEDDLE_INLINE unsigned long long atomicCAS(unsigned long long* p, unsigned long long expected, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_cas_gen_ll((long long*)p, (long long)expected, (long long)v);
}
HEDDLE_INLINE unsigned short atomicCAS(unsigned short* p, unsigned short expected, unsigned short v) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"((unsigned long long)p), "h"(expected), "h"(v)
               : "memory");
  return old;
}

#define HEDDLE_ATOMIC_64(name, type, builtin) \
  HEDDLE_INLINE type name(type* p, type v) { return (type)builtin; }
HEDDLE_ATOMIC_64(atomicExch, unsigned long long, __nvvm_atom_xchg_gen_ll((long long*)p, (long long)v))
HEDDLE_ATOMIC_64(atomicAnd, unsigned long long, __nvvm_atom_and_gen_ll((long long*)p, (long long)v))
HEDDLE_ATOMIC_64(atomicOr, unsigned long long, __nvvm_atom_or_gen_ll((long long*)p, (long long)v))
HEDDLE_ATOMIC_64(atomicXor, unsigned long long, __nvvm_atom_xor_gen_ll((long long*)p, (long long)v))
HEDDLE_ATOMIC_64(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull(p, v))
HEDDLE_ATOMIC_64(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull(p, v))
HEDDLE_ATOMIC_64(atomicMin, long long, __nvvm_atom_min_gen_ll(p, v))
HEDDLE_ATOMIC_64(atomicMax, long long, __nvvm_atom_max_gen_ll(p, v))
#undef HEDDLE_ATOMIC_64

#define HEDDLE_ATOMIC_WIDER(name)               \
  template <class T, class V>                   \
  HEDDLE_INLINE auto name##_block(T* p, V v) {  \
    return name(p, (T)v);                       \
  }                                             \
  template <class T, class V>                   \
  HEDDLE_INLINE auto name##_system(T* p, V v) { \
    return name(p, (T)v);                       \
  }
HEDDLE_ATOMIC_WIDER(atomicAdd)
HEDDLE_ATOMIC_WIDER(atomicSub)
HEDDLE_ATOMIC_WIDER(atomicExch)
HEDDLE_ATOMIC_WIDER(atomicMin)
HEDDLE_ATOMIC_WIDER(atomicMax)
HEDDLE_ATOMIC_WIDER(atomicInc)
HEDDLE_ATOMIC_WIDER(atomicDec)
HEDDLE_ATOMIC_WIDER(atomicAnd)
HEDDLE_ATOMIC_WIDER(atomicOr)
HEDDLE_ATOMIC_WIDER(atomicXor)
#undef HEDDLE_ATOMIC_WIDER
template <class T, class E, class V>
HEDDLE_INLINE T atomicCAS_block(T* p, E expected, V v) {
  return atomicCAS(p, (T)expected, (T)v);
}
template <class T, class E, class V>
HEDDLE_INLINE T atomicCAS_system(T* p, E expected, V v) {
  return atomicCAS(p, (T)expected, (T)v);
}

// The same by the names that say an order and a scope, which are those of C++: all here are as strong as can be.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};
template <class T>
HEDDLE_INLINE T __nv_atomic_load_n(const T* p, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  return *(const volatile T*)p;
}
template <class T, class V>
HEDDLE_INLINE void __nv_atomic_store_n(T* p, V v, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  *(volatile T*)p = (T)v;
}
#define HEDDLE_ATOMIC_ORDERED(name, function)                                          \
  template <class T, class V>                                                          \
  HEDDLE_INLINE T __nv_atomic_##name(T* p, V v, int, int = __NV_THREAD_SCOPE_SYSTEM) { \
    return function(p, (T)v);                                                          \
  }
HEDDLE_ATOMIC_ORDERED(exchange_n, atomicExch)
HEDDLE_ATOMIC_ORDERED(fetch_add, atomicAdd)
HEDDLE_ATOMIC_ORDERED(fetch_sub, atomicSub)
HEDDLE_ATOMIC_ORDERED(fetch_and, atomicAnd)
HEDDLE_ATOMIC_ORDERED(fetch_or, atomicOr)
HEDDLE_ATOMIC_ORDERED(fetch_xor, atomicXor)
HEDDLE_ATOMIC_ORDERED(fetch_min, atomicMin)
HEDDLE_ATOMIC_ORDERED(fetch_max, atomicMax)
#undef HEDDLE_ATOMIC_ORDERED
template <class T, class V>
HEDDLE_INLINE bool __nv_atomic_compare_exchange_n(T* p, T* expected, V v, bool, int, int,
                                                  int = __NV_THREAD_SCOPE_SYSTEM) {
  const T before = atomicCAS(p, *expected, (T)v), wanted = *expected;
  *expected = before;
  return before == wanted;
}
