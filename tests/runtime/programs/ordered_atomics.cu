// Atomic operations by the names that say an order and a scope, which CUDA has since version 12.8.
#include "check.h"

constexpr int kThreads = 256;

struct Results {
  int sum, difference, least, most, exchanged, loaded, stored, won;
  unsigned bits, cleared, toggled;
};

#if __CUDACC_VER_MAJOR__ >= 13
constexpr bool kKnown = true;

__global__ void update(Results* r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&r->sum, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(&r->difference, i, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_fetch_min(&r->least, -i, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_max(&r->most, i, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_fetch_or(&r->bits, 1u << i % 32, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_and(&r->cleared, ~(1u << i % 16), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_xor(&r->toggled, i == 3 ? 5u : 0u, __NV_ATOMIC_RELAXED);
  int expected = 0;
  if (__nv_atomic_compare_exchange_n(&r->won, &expected, i + 1, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED))
    __nv_atomic_store_n(&r->stored, __nv_atomic_exchange_n(&r->exchanged, 7, __NV_ATOMIC_RELAXED), __NV_ATOMIC_RELEASE);
  else if (expected == __nv_atomic_load_n(&r->won, __NV_ATOMIC_ACQUIRE))
    __nv_atomic_fetch_add(&r->loaded, 1, __NV_ATOMIC_RELAXED);
}
#else
constexpr bool kKnown = false;
__global__ void update(Results*) {}
#endif

int main() {
  Results* r;
  CUDA(cudaMallocManaged(&r, sizeof *r));
  *r = {};
  r->exchanged = 5;
  r->cleared = 0xffffffffu;
  update<<<4, kThreads / 4>>>(r);
  CUDA(cudaDeviceSynchronize());
  if (!kKnown) return passed();
  const int sum = kThreads * (kThreads - 1) / 2;
  EXPECT(r->sum == sum && r->difference == -sum && r->least == 1 - kThreads && r->most == kThreads - 1);
  EXPECT(r->bits == 0xffffffffu && r->cleared == 0xffff0000u && r->toggled == 5);
  EXPECT(r->won >= 1 && r->won <= kThreads && r->stored == 5 && r->exchanged == 7 && r->loaded == kThreads - 1);
  CUDA(cudaFree(r));
  return passed();
}
