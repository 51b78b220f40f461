#include <cmath>

#include "workloads/support.h"

namespace heddle::workloads::backprop {

namespace {

constexpr uint32_t kTile = 16;  // hidden units, and inputs per block
constexpr float kRate = 0.3f, kMomentum = 0.3f;

struct Layer {
  std::vector<float> inputs, weights, changes, biases;
};

std::vector<float> random_values(Random& random, uint32_t count, float low, float high) {
  std::vector<float> values(count);
  for (float& value : values) value = random.between(low, high);
  return values;
}

Layer random_layer(uint32_t inputs) {
  Random random(1);
  return {random_values(random, inputs, 0, 1), random_values(random, inputs * kTile, -0.5f, 0.5f),
          random_values(random, inputs * kTile, -0.1f, 0.1f), random_values(random, kTile, -0.5f, 0.5f)};
}

std::vector<double> forward_on_cpu(const Layer& layer) {
  std::vector<double> sums(layer.inputs.size());
  for (size_t row = 0; row < layer.inputs.size(); ++row)
    for (size_t unit = 0; unit < kTile; ++unit)
      sums[row / kTile * kTile + unit] += double{layer.weights[row * kTile + unit]} * layer.inputs[row];
  return sums;
}

// What the host does between the two kernels: activation and error of each hidden unit. x / (1 + |x|) stands
// for the sigmoid, as the library's exp is not the same on every platform.
std::vector<float> deltas_of(const Layer& layer, const std::vector<float>& block_sums) {
  std::vector<float> deltas(kTile);
  for (size_t unit = 0; unit < kTile; ++unit) {
    double sum = layer.biases[unit];
    for (size_t i = unit; i < block_sums.size(); i += kTile) sum += block_sums[i];
    const double softness = 1 + std::abs(sum), target = unit % 2 == 0 ? 0.5 : -0.5;
    deltas[unit] = static_cast<float>((target - sum / softness) / softness);
  }
  return deltas;
}

struct Adjusted {
  std::vector<double> weights, changes, biases;
};

Adjusted adjust_on_cpu(const Layer& layer, const std::vector<float>& deltas) {
  Adjusted adjusted;
  for (size_t i = 0; i < layer.weights.size(); ++i) {
    const double change =
        double{kRate} * deltas[i % kTile] * layer.inputs[i / kTile] + double{kMomentum} * layer.changes[i];
    adjusted.changes.push_back(change);
    adjusted.weights.push_back(layer.weights[i] + change);
  }
  for (size_t unit = 0; unit < kTile; ++unit)
    adjusted.biases.push_back(layer.biases[unit] + double{kRate} * deltas[unit]);
  return adjusted;
}

// A block sum adds 16 products of at most 1/2: together at most 8, each rounded five times (product and four
// levels of the tree), by 2^-24 of its size at most.
constexpr Tolerance kSums{.absolute = 5 * 8 * 0x1p-24};
// Everything adjusted stays below 1 and is rounded at most five times, fewer where fma is used.
constexpr Tolerance kWeights{.absolute = 5 * 0x1p-24};

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t blocks = by_size(size, 30u, 1000u, 4096u);
  const Layer layer = random_layer(blocks * kTile);
  Buffer<float> inputs(device, layer.inputs, "inputs"), weights(device, layer.weights, "weights");
  Buffer<float> changes(device, layer.changes, "last changes"), biases(device, layer.biases, "biases");
  Buffer<float> block_sums(device, size_t{blocks} * kTile, "block sums");
  const LaunchShape launch{.grid = {1, blocks}, .block = {kTile, kTile}};

  device.launch("layer_forward", launch, Arguments(inputs.address(), weights.address(), block_sums.address()));
  const std::vector<float> sums = block_sums.download();
  Buffer<float> deltas(device, deltas_of(layer, sums), "deltas");
  device.launch("adjust_weights", launch,
                Arguments(inputs.address(), deltas.address(), weights.address(), changes.address(), biases.address(),
                          kRate, kMomentum));

  const Adjusted adjusted = adjust_on_cpu(layer, deltas.download());
  return all_of({compare("block sums", forward_on_cpu(layer), sums, kSums),
                 compare("weights", adjusted.weights, weights.download(), kWeights),
                 compare("changes", adjusted.changes, changes.download(), kWeights),
                 compare("biases", adjusted.biases, biases.download(), kWeights)});
}

}  // namespace heddle::workloads::backprop
