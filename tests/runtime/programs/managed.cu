// Managed memory: one pointer for host and device, also inside structures.
#include "check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void double_list(Node* node) {
  for (; node; node = node->next) node->value *= 2;
}

__global__ void fill(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i * i;
}

int main() {
  const int n = 3000;
  int* data;
  CUDA(cudaMallocManaged(&data, n * sizeof(int)));
  fill<<<(n + 255) / 256, 256>>>(data, n);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) EXPECT(data[i] == i * i);

  // A list that the host builds and the device walks.
  Node* head = nullptr;
  for (int i = 0; i < 10; ++i) {
    Node* node;
    CUDA(cudaMallocManaged(&node, sizeof(Node)));
    *node = {i, head};
    head = node;
  }
  double_list<<<1, 1>>>(head);
  CUDA(cudaDeviceSynchronize());
  int sum = 0;
  for (Node* node = head; node; node = node->next) sum += node->value;
  EXPECT(sum == 90);

  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, data));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  EXPECT(attributes.hostPointer == data && attributes.devicePointer == data);
  int copy[4];
  CUDA(cudaMemcpy(copy, data + 5, sizeof copy, cudaMemcpyDefault));
  EXPECT(copy[0] == 25 && copy[3] == 64);
  CUDA(cudaMemset(data, 0, 4 * sizeof(int)));
  CUDA(cudaDeviceSynchronize());
  EXPECT(data[3] == 0 && data[4] == 16);
  CUDA(cudaFree(data));
  return passed();
}
