// One layer of a neural net with 16 hidden units: thread (tx, ty) of block b stands for the weight from input
// 16 b + ty to hidden unit tx.

constexpr int kTile = 16;

// Each block's contribution to the weighted sums of the hidden units. One lane in sixteen loads, and the tree
// over ty halves the active rows, two of which make a warp.
extern "C" __global__ void layer_forward(const float* inputs, const float* weights, float* block_sums) {
  __shared__ float input[kTile];
  __shared__ float products[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  if (tx == 0) input[ty] = inputs[row];
  __syncthreads();
  products[ty][tx] = weights[row * kTile + tx] * input[ty];
  __syncthreads();
  for (int power = 2; power <= kTile; power *= 2) {
    if (ty % power == 0) products[ty][tx] += products[ty + power / 2][tx];
    __syncthreads();
  }
  if (tx == 0) block_sums[blockIdx.y * kTile + ty] = products[0][ty];
}

// Gradient descent with momentum; the first row of the grid also moves the biases.
extern "C" __global__ void adjust_weights(const float* inputs, const float* deltas, float* weights,
                                          float* changes, float* biases, float rate, float momentum) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int index = row * kTile + tx;
  const float change = rate * deltas[tx] * inputs[row] + momentum * changes[index];
  weights[index] += change;
  changes[index] = change;
  if (ty == 0 && blockIdx.y == 0) biases[tx] += rate * deltas[tx];
}
