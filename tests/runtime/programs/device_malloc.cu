// Memory that threads allocate for themselves, in one kernel, and free in another.
#include "check.h"

struct Item {
  int value;
  Item* next;
};

// Every thread makes a list of its own.
__global__ void build(Item** heads, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Item* head = nullptr;
  for (int k = 0; k < length; ++k) {
    Item* item = (Item*)malloc(sizeof(Item));
    if (!item) return;
    item->value = i * k;
    item->next = head;
    head = item;
  }
  heads[i] = head;
}

__global__ void sum_and_free(Item** heads, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (Item* item = heads[i]; item;) {
    sum += item->value;
    Item* next = item->next;
    free(item);
    item = next;
  }
  sums[i] = sum;
}

int main() {
  const int n = 64, length = 10;
  Item** heads;
  int *sums, host[n];
  CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));
  CUDA(cudaMalloc(&heads, n * sizeof(Item*)));
  CUDA(cudaMalloc(&sums, sizeof host));
  build<<<2, n / 2>>>(heads, length);
  sum_and_free<<<1, n>>>(heads, sums);
  CUDA(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(host[i] == i * length * (length - 1) / 2);
  return passed();
}
