// Who runs together, and in what order: kernels that write it down. `answers.txt` has what an H200 said
// (tools/probes/record.cu), `probes.ptx` what nvcc makes of this file:
//   nvcc -ptx -arch=compute_75 -o probes.ptx probes.cu
// Each mark logs its number, the active mask and the clock. What a thread does is decided by its figures in a and b.
struct Entry {
  unsigned mark_plus_one, mask;
  unsigned long long clock;
};

struct Log {
  Entry* at;
  __device__ void operator()(int mark) {
    unsigned mask;
    unsigned long long clock;
    asm volatile("activemask.b32 %0;" : "=r"(mask)::"memory");
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
    volatile Entry* entry = at;
    entry->mark_plus_one = mark + 1;
    entry->mask = mask;
    entry->clock = clock;
    at += 32;
  }
};

__device__ volatile int flag;
__device__ int lock_word;
__device__ int chain[4096];
__device__ volatile float result[64];

// A few instructions that no compiler predicates or moves.
__device__ __forceinline__ float work(float x, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(1.0001f));
  return x;
}

__device__ __forceinline__ int chase(int at, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) asm volatile("ld.global.cv.s32 %0, [%1];" : "=r"(at) : "l"(chain + (at & 4095)));
  return at;
}

#define PROBE(name)                                                                                   \
  extern "C" __global__ void name(Entry* log, const int* a, const int* b, int n) {                    \
    const int lane = threadIdx.x & 31, v = a[lane], w = b[lane];                                      \
    Log mark{log + lane};                                                                             \
    float x = lane + w;                                                                               \
    mark(0);
#define END                 \
  mark(5);                  \
  result[lane] = x;         \
  }

PROBE(if_else)
  if (v) { mark(1); x = work(x, n); mark(2); } else { mark(3); x = work(x * 2, n); mark(4); }
END

PROBE(if_only)
  if (v) { mark(1); x = work(x, n); mark(2); }
END

PROBE(nested)
  if (v & 1) {
    mark(1);
    if (v & 2) { mark(11); x = work(x, n); mark(12); } else { mark(13); x = work(x * 3, n); mark(14); }
    mark(2);
  } else {
    mark(3);
    if (v & 2) { mark(31); x = work(x, n); mark(32); } else { mark(33); x = work(x * 3, n); mark(34); }
    mark(4);
  }
END

PROBE(if_after_if)
  if (v & 1) { mark(1); x = work(x, n); mark(2); }
  mark(3);
  if (v & 2) { mark(4); x = work(x * 2, n); mark(6); }
END

PROBE(loop)
#pragma unroll 1
  for (int i = 0; i < v; ++i) { mark(100 + i); x = work(x, n); }
END

PROBE(break_continue)
#pragma unroll 1
  for (int i = 0;; ++i) {
    mark(100 + i);
    if (i == v) { mark(2); x = work(x, n); mark(3); break; }
    x = work(x * 2, n);
    if (i == w) { mark(4); x = work(x + 1, n); continue; }
    mark(200 + i);
    x = work(x + 3, n);
  }
END

PROBE(loop_in_loop)
#pragma unroll 1
  for (int i = 0; i < v; ++i) {
    mark(100 + i);
#pragma unroll 1
    for (int k = 0; k < w; ++k) { mark(200 + k); x = work(x, n); if (k == v) break; }
    mark(300 + i);
  }
END

PROBE(rare_exit)
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    mark(100 + i);
    if ((v >> i) & 1) {
      mark(200 + i);
      x = work(x * 2, n);
      if (w == i) { mark(300 + i); x = work(x * 7, n); mark(310 + i); break; }
      x = work(x * 3, n);
    } else {
      mark(400 + i);
      x = work(x * 5, n);
    }
    mark(500 + i);
    x = work(x, n);
  }
END

PROBE(early_return)
  if (v == 1) { mark(1); result[lane] = work(x, n); mark(2); return; }
  mark(3);
  x = work(x, n);
  if (v == 2) { mark(4); x = work(x * 2, n); mark(6); } else { mark(7); x = work(x * 3, n); mark(8); }
END

PROBE(return_in_loop)
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    mark(100 + i);
    if (v == i) { mark(300 + i); result[lane] = work(x * 7, n); mark(310 + i); return; }
    mark(500 + i);
    x = work(x, n);
  }
END

PROBE(cases)
  switch (v) {
    case 0: mark(10); x = work(x, n); mark(20); break;
    case 1: mark(11); x = work(x * 2, n); mark(21); break;
    case 2: mark(12); x = work(x * 3, n); mark(22); break;
    case 3: mark(13); x = work(x * 4, n); mark(23); break;
    case 4: mark(14); x = work(x * 5, n); mark(24); break;
    case 5: mark(15); x = work(x * 6, n); mark(25); break;
    case 6: mark(16); x = work(x * 7, n); mark(26); break;
    case 7: mark(17); x = work(x * 8, n); mark(27); break;
    default: mark(18); x = work(x * 9, n); mark(28);
  }
END

PROBE(falls_through)
  switch (v) {
    case 3: mark(13); x = work(x * 4, n);
    case 2: mark(12); x = work(x * 3, n);
    case 1: mark(11); x = work(x * 2, n); break;
    default: mark(18); x = work(x * 9, n);
  }
END

PROBE(short_circuit)
  if (v & 1) goto X;
  x = work(x, n);
  mark(10);
  if (v & 2) goto X;
  x = work(x * 2, n);
  mark(11);
  goto Z;
X:
  mark(1);
  x = work(x * 4, n);
  mark(2);
Z:
END

PROBE(shared_tail)
  if (v & 1) goto X;
  x = work(x, n);
  mark(10);
  if (v & 2) goto X;
  x = work(x * 2, n);
  mark(11);
  if (v & 4) goto Y;
  x = work(x * 3, n);
  mark(12);
  goto Z;
X:
  mark(1);
  x = work(x * 4, n);
  mark(2);
  if (w & 1) goto Z;
Y:
  mark(3);
  x = work(x * 5, n);
  mark(4);
Z:
END

#define FUNCTION(k)                                                      \
  __device__ __noinline__ float f##k(float x, int n, Log& mark) {        \
    Log own = mark;                                                      \
    own(10 + k);                                                         \
    x = work(x * (k + 2), n);                                            \
    own(20 + k);                                                         \
    mark = own;                                                          \
    return x;                                                            \
  }
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
using Function = float (*)(float, int, Log&);
__device__ Function functions[4] = {f0, f1, f2, f3};

PROBE(pointers)
  x = functions[v & 3](x, n, mark);
END

PROBE(pointers_in_if)
  if (v < 4) { mark(1); x = functions[v](x, n, mark); mark(2); } else { mark(3); x = work(x * 5, n); mark(4); }
END

PROBE(two_calls)
  if (v) { x = f0(x, n, mark); mark(3); } else { mark(1); x = f0(x * 2, n, mark); mark(4); }
END

__device__ __noinline__ float returns_early(float x, int v, int n, Log& mark) {
  mark(10);
  if (v) { mark(11); return work(x, n) * 2; }
  x = work(x * 3, n);
  mark(12);
  x = work(x * 3, n);
  mark(13);
  return x;
}

PROBE(call_returns_early)
  x = returns_early(x, v, n, mark);
END

__device__ __noinline__ float deeper(float x, int depth, int n, Log& mark) {
  mark(100 + depth);
  if (depth > 0) {
    x = deeper(x * 1.5f, depth - 1, n, mark) * 1.1f;
    mark(200 + depth);
  }
  x = work(x, n);
  mark(300 + depth);
  return x;
}

PROBE(recursion)
  x = deeper(x, v, n, mark);
END

PROBE(loads)
  int at = lane * 123;
  if (v) { mark(1); at = chase(at, n); mark(2 + (at < 0)); at = chase(at, n); mark(2 + (at < 0)); }
  else { mark(3); at = chase(at + 777, n); mark(4 + (at < 0)); at = chase(at, n); mark(4 + (at < 0)); }
  x += at;
END

PROBE(sync_warp)
  if (v) { mark(1); x = work(x, n); __syncwarp(); mark(2); x = work(x, n); __syncwarp(); mark(7); }
  else { mark(3); x = work(x * 2, n); __syncwarp(); mark(4); x = work(x, n); __syncwarp(); mark(8); }
END

PROBE(shuffle)
  if (v) { mark(1); x = work(x, n); mark(2); x += __shfl_xor_sync(0xffffffff, x, 1); mark(7); }
  else { mark(3); x = work(x * 2, n); mark(4); x += __shfl_xor_sync(0xffffffff, x, 1); mark(8); }
END

PROBE(barrier_in_both)
  if (v) { mark(1); x = work(x, n); asm volatile("barrier.sync 0;" ::: "memory"); mark(2); x = work(x, n); mark(7); }
  else { mark(3); x = work(x * 2, n); asm volatile("barrier.sync 0;" ::: "memory"); mark(4); x = work(x, n); mark(8); }
END

PROBE(return_before_barrier)
  if (v) { mark(1); result[lane] = work(x, n); mark(2); return; }
  mark(3);
  x = work(x, n);
  __syncthreads();
  mark(4);
  x = work(x, n);
END

// One part of the warp waits for a flag that the other sets.
PROBE(producer_consumer)
  if (v) { mark(1); while (flag == 0); mark(2); } else { mark(3); flag = 1; __threadfence(); mark(4); }
END

PROBE(consumer_first)
  if (v) { mark(3); flag = 1; __threadfence(); mark(4); } else { mark(1); while (flag == 0); mark(2); }
END

PROBE(sleeping_consumer)
  if (v) { mark(1); while (flag == 0) __nanosleep(20); mark(2); } else { mark(3); flag = 1; __threadfence(); mark(4); }
END

// The textbook deadlock: the winner needs the losers' join.
PROBE(spin_lock)
  if (v) {
    while (atomicCAS(&lock_word, 0, 1) != 0);
    mark(1);
    __threadfence();
    result[40] = result[40] + 1;
    __threadfence();
    atomicExch(&lock_word, 0);
    mark(2);
  }
END

PROBE(try_lock)
  bool done = !v;
  while (!done) {
    if (atomicCAS(&lock_word, 0, 1) == 0) {
      mark(1);
      result[40] = result[40] + 1;
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
  }
END

// Groups that all wait in vain for some trips: who goes after a yield?
PROBE(two_spin)
  int k = 0;
  if (v) { mark(1); while (flag == 0 && k < n) { ++k; mark(100 + k); } mark(2); }
  else { mark(3); while (flag == 0 && k < n) { ++k; mark(200 + k); } mark(4); }
END

PROBE(three_spin)
  int k = 0;
  if (v == 0) { mark(1); while (flag == 0 && k < n) { ++k; mark(100 + k); } mark(2); }
  else if (v == 1) { mark(3); while (flag == 0 && k < n) { ++k; mark(200 + k); } mark(4); }
  else { mark(6); while (flag == 0 && k < n) { ++k; mark(300 + k); } mark(7); }
END

// A path that yields beside one that does not, and beside one that parts and joins.
PROBE(one_spins)
  int k = 0;
  if (v) { mark(1); while (flag == 0 && k < n) { ++k; mark(100 + k); } mark(2); }
  else { mark(3); x = work(x, 20); mark(31); x = work(x * 2, 20); mark(4); }
END

PROBE(spin_beside_join)
  int k = 0;
  if (v == 0) { mark(1); while (flag == 0 && k < n) { ++k; mark(100 + k); } mark(2); }
  else {
    mark(3);
    if (v == 1) { mark(31); x = work(x, 10); mark(32); } else { mark(33); x = work(x * 2, 10); mark(34); }
    mark(35);
    x = work(x * 3, 10);
    mark(4);
  }
END

// A branch that all take alike leads into an arm of one that parts.
PROBE(enters_arm)
  if (n <= 20) {
    mark(6);
    if (v) goto joined;
  }
  mark(1);
  x = work(x, 1 + w);
  mark(2);
joined:
  mark(3);
  x = work(x, 2);
END

PROBE(enters_arm_in_loop)
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    if (n <= 20) {
      asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
      if (v > i) continue;
    }
    mark(10 + i);
    x = work(x, 1 + w);
    mark(20 + i);
  }
  mark(3);
END

PROBE(enters_arm_twice)
  if (n > 30) goto arm;
  mark(6);
  if (n > 20) goto other;
  mark(7);
  if (v) goto joined;
arm:
  mark(1);
  x = work(x, 1 + w);
  mark(2);
  if (v == 2) goto joined;
other:
  mark(4);
  x = work(x, 2 + w);
joined:
  mark(3);
  x = work(x, 2);
END
