// Shared by the two translation units of several_units.
#pragma once

// Templates that both units instantiate, with the same type: each unit has a kernel of its own for it.
template <class T, int Factor>
__global__ void multiply(T* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= Factor;
}

void multiply_in_second(float* device, int n);
void add_in_second(float* device, int n, float term);
