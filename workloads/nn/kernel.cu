// A neural net that reads handwritten digits, forward only (Simard, Steinkraus, Platt: Best practices for
// convolutional neural networks, 2003): two convolutional layers and two full ones, a kernel each. A thread
// computes one neuron. Blocks have 16 threads, half a warp, blockIdx.y is the image.

constexpr int kThreads = 16;
constexpr int kWindow = 5, kWeights = kWindow * kWindow;
constexpr int kImage = 29;                            // pixels a side
constexpr int kMaps1 = 6, kSide1 = 13;                // windows move by two pixels
constexpr int kMaps2 = 50, kSide2 = 5;
constexpr int kNeurons1 = kMaps1 * kSide1 * kSide1;   // 1014
constexpr int kNeurons2 = kMaps2 * kSide2 * kSide2;   // 1250
constexpr int kNeurons3 = 100, kNeurons4 = 10;

// 1.7159 tanh(2x/3), by the exponential.
static __device__ float squash(float x) {
  const float e = __expf(x * (4.0f / 3.0f));
  return 1.7159f * (1.0f - __fdividef(2.0f, e + 1.0f));
}

static __device__ int neuron_of_thread() { return blockIdx.x * kThreads + threadIdx.x; }

// The sum over a window of one map; maps are square.
static __device__ float window_sum(const float* map, int side, int x, int y, const float* weights, float sum) {
#pragma unroll 1
  for (int row = 0; row < kWindow; ++row)
    for (int column = 0; column < kWindow; ++column)
      sum = fmaf(map[(2 * y + row) * side + 2 * x + column], weights[row * kWindow + column], sum);
  return sum;
}

// Weights of a map: its bias, then 25 for each map before.
extern "C" __global__ void first_layer(const float* images, const float* weights, float* outputs) {
  const int neuron = neuron_of_thread();
  if (neuron >= kNeurons1) return;
  const int map = neuron / (kSide1 * kSide1), place = neuron % (kSide1 * kSide1);
  const float* own = weights + map * (1 + kWeights);
  const float* image = images + blockIdx.y * kImage * kImage;
  const float sum = window_sum(image, kImage, place % kSide1, place / kSide1, own + 1, own[0]);
  outputs[blockIdx.y * kNeurons1 + neuron] = squash(sum);
}

extern "C" __global__ void second_layer(const float* inputs, const float* weights, float* outputs) {
  const int neuron = neuron_of_thread();
  if (neuron >= kNeurons2) return;
  const int map = neuron / (kSide2 * kSide2), place = neuron % (kSide2 * kSide2);
  const float* own = weights + map * (1 + kMaps1 * kWeights);
  const float* maps = inputs + blockIdx.y * kNeurons1;
  float sum = own[0];
#pragma unroll 1
  for (int from = 0; from < kMaps1; ++from)
    sum = window_sum(maps + from * kSide1 * kSide1, kSide1, place % kSide2, place / kSide2,
                     own + 1 + from * kWeights, sum);
  outputs[blockIdx.y * kNeurons2 + neuron] = squash(sum);
}

// A neuron's bias and weights lie together, so neighbouring threads read far apart.
static __device__ void full_layer(const float* inputs, int input_count, const float* weights, float* outputs,
                                  int neurons) {
  const int neuron = neuron_of_thread();
  if (neuron >= neurons) return;
  const float* own = weights + neuron * (1 + input_count);
  const float* input = inputs + blockIdx.y * input_count;
  float sum = own[0];
#pragma unroll 2
  for (int i = 0; i < input_count; ++i) sum = fmaf(input[i], own[1 + i], sum);
  outputs[blockIdx.y * neurons + neuron] = squash(sum);
}

extern "C" __global__ void third_layer(const float* inputs, const float* weights, float* outputs) {
  full_layer(inputs, kNeurons2, weights, outputs, kNeurons3);
}

extern "C" __global__ void fourth_layer(const float* inputs, const float* weights, float* outputs) {
  full_layer(inputs, kNeurons3, weights, outputs, kNeurons4);
}
