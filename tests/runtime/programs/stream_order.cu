// Priorities, queries, and streams that wait for each other through events.
#include "check.h"

__global__ void append(int* list, int* count, int value) { list[(*count)++] = value; }

int main() {
  int least = -99, greatest = -99;
  CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(least >= greatest && least <= 0);
  cudaStream_t low, high;
  CUDA(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
  CUDA(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest));
  int priority = 99;
  CUDA(cudaStreamGetPriority(high, &priority));
  EXPECT(priority == greatest);

  const int rounds = 10;
  int *list, *count, host[2 * rounds], counted = 0;
  CUDA(cudaMalloc(&list, sizeof host));
  CUDA(cudaMalloc(&count, sizeof(int)));
  CUDA(cudaMemset(count, 0, sizeof(int)));
  CUDA(cudaDeviceSynchronize());
  cudaEvent_t from_low, from_high;
  CUDA(cudaEventCreateWithFlags(&from_low, cudaEventDisableTiming));
  CUDA(cudaEventCreateWithFlags(&from_high, cudaEventDisableTiming));
  for (int round = 0; round < rounds; ++round) {
    append<<<1, 1, 0, low>>>(list, count, 2 * round);
    CUDA(cudaEventRecord(from_low, low));
    CUDA(cudaStreamWaitEvent(high, from_low, 0));
    append<<<1, 1, 0, high>>>(list, count, 2 * round + 1);
    CUDA(cudaEventRecord(from_high, high));
    CUDA(cudaStreamWaitEvent(low, from_high, 0));
  }
  CUDA(cudaEventSynchronize(from_high));
  CUDA(cudaEventQuery(from_high));
  CUDA(cudaStreamSynchronize(low));
  CUDA(cudaStreamQuery(high));
  CUDA(cudaMemcpy(&counted, count, sizeof counted, cudaMemcpyDeviceToHost));
  CUDA(cudaMemcpy(host, list, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(counted == 2 * rounds);
  for (int i = 0; i < 2 * rounds; ++i) EXPECT(host[i] == i);
  CUDA(cudaEventDestroy(from_low));
  CUDA(cudaStreamDestroy(low));
  CUDA(cudaStreamDestroy(high));
  return passed();
}
