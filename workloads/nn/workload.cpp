#include <cmath>
#include <string>

#include "workloads/support.h"

namespace heddle::workloads::nn {

namespace {

constexpr uint32_t kThreads = 16;

// A layer of square maps; a full layer is maps of one neuron over windows as large as what comes before.
struct Layer {
  const char* kernel;
  uint32_t maps, side;            // of the outputs
  uint32_t from_maps, from_side;  // of the inputs
  uint32_t window, step;
  uint32_t neurons() const { return maps * side * side; }
  uint32_t inputs() const { return from_maps * from_side * from_side; }
  uint32_t weights_per_map() const { return 1 + from_maps * window * window; }
};

constexpr Layer kLayers[] = {{"first_layer", 6, 13, 1, 29, 5, 2},
                             {"second_layer", 50, 5, 6, 13, 5, 2},
                             {"third_layer", 100, 1, 50, 5, 5, 0},
                             {"fourth_layer", 10, 1, 100, 1, 1, 0}};

std::vector<float> random_values(Random& random, size_t count, float limit) {
  std::vector<float> values(count);
  for (float& value : values) value = random.between(-limit, limit);
  return values;
}

// Small enough for its many inputs that a neuron does not saturate.
float weight_limit(const Layer& layer) { return 1.5f / std::sqrt(static_cast<float>(layer.weights_per_map())); }

// In the kernel's order with the kernel's fma: equal to the last bit.
float sum_on_cpu(const Layer& layer, const float* inputs, const float* weights, uint32_t x, uint32_t y) {
  float sum = weights[0];
  const float* weight = weights + 1;
  for (uint32_t map = 0; map < layer.from_maps; ++map)
    for (uint32_t row = 0; row < layer.window; ++row)
      for (uint32_t column = 0; column < layer.window; ++column) {
        const uint32_t at = (map * layer.from_side + layer.step * y + row) * layer.from_side + layer.step * x + column;
        sum = std::fma(inputs[at], *weight++, sum);
      }
  return sum;
}

std::vector<double> layer_on_cpu(const Layer& layer, const std::vector<float>& inputs,
                                 const std::vector<float>& weights, uint32_t images) {
  std::vector<double> outputs;
  for (uint32_t image = 0; image < images; ++image)
    for (uint32_t neuron = 0; neuron < layer.neurons(); ++neuron) {
      const uint32_t map = neuron / (layer.side * layer.side), place = neuron % (layer.side * layer.side);
      const double sum =
          sum_on_cpu(layer, &inputs[size_t{image} * layer.inputs()], &weights[size_t{map} * layer.weights_per_map()],
                     place % layer.side, place / layer.side);
      outputs.push_back(1.7159 * std::tanh(2 * sum / 3));
    }
  return outputs;
}

// Each layer is checked on the inputs it got, and the sums are exact: what is left is the activation. The
// exponential's argument, below 8, is rounded twice, which makes 2^-20 of its value, and ex2.approx adds 2^-22;
// the quotient, at most 2, has slope 1/2 in that and 2^-22 of itself more; all that times 1.7159.
constexpr Tolerance kActivation{.absolute = 1.7159 * (0.5 * (0x1p-20 + 0x1p-22) + 2 * 0x1p-22 + 0x1p-23)};

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t images = by_size(size, 1u, 10u, 60u);
  Random random(1);
  std::vector<float> values = random_values(random, size_t{images} * kLayers[0].inputs(), 1.0f);
  Buffer<float> inputs(device, values, "images");
  Check all;
  for (const Layer& layer : kLayers) {
    const std::vector<float> weights =
        random_values(random, size_t{layer.maps} * layer.weights_per_map(), weight_limit(layer));
    const Buffer<float> device_weights(device, weights, std::string(layer.kernel) + " weights");
    const Buffer<float> outputs(device, size_t{images} * layer.neurons(), std::string(layer.kernel) + " outputs");
    device.launch(layer.kernel, {.grid = {ceil_div(layer.neurons(), kThreads), images}, .block = {kThreads}},
                  Arguments(inputs.address(), device_weights.address(), outputs.address()));
    const std::vector<double> expected = layer_on_cpu(layer, values, weights, images);
    values = outputs.download();
    inputs = outputs;
    all = all_of({all, compare(layer.kernel, expected, values, kActivation)});
  }
  return all;
}

}  // namespace heddle::workloads::nn
