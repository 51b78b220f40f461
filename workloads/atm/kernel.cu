// Transfers between bank accounts, a thread each: both accounts are locked, the lower number first, so that nobody waits
// in a circle. Two ways to take the locks.

struct Transfer {
  unsigned from, to;
  int amount;
};

// What only who holds both locks may do. The balances are volatile, so that each is read and written here.
static __device__ __forceinline__ void move_money(volatile int* balances, const Transfer& transfer) {
  __threadfence();
  balances[transfer.from] -= transfer.amount;
  balances[transfer.to] += transfer.amount;
  __threadfence();
}

// All or nothing: who does not get both locks gives back what it has and tries again, and all is done inside the loop.
extern "C" __global__ void transfer_trying(const Transfer* transfers, int* balances, unsigned* locks, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Transfer own = transfers[i];
  unsigned* const first = locks + min(own.from, own.to);
  unsigned* const second = locks + max(own.from, own.to);
  bool done = false;
  while (!done) {
    if (atomicCAS(first, 0u, 1u) != 0) continue;
    if (atomicCAS(second, 0u, 1u) == 0) {
      move_money(balances, own);
      atomicExch(second, 0u);
      done = true;
    }
    atomicExch(first, 0u);
  }
}

// As in the textbook: wait for one lock, then for the other, and go on behind the loops.
extern "C" __global__ void transfer_waiting(const Transfer* transfers, int* balances, unsigned* locks, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Transfer own = transfers[i];
  unsigned* const first = locks + min(own.from, own.to);
  unsigned* const second = locks + max(own.from, own.to);
  while (atomicCAS(first, 0u, 1u) != 0) {
  }
  while (atomicCAS(second, 0u, 1u) != 0) {
  }
  move_money(balances, own);
  atomicExch(second, 0u);
  atomicExch(first, 0u);
}
