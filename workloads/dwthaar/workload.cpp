#include <bit>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::dwthaar {

namespace {

constexpr uint32_t kThreads = 256;
constexpr float kHalfRoot = 0.70710678118654752f;

std::vector<float> random_signal(uint32_t length) {
  Random random(1);
  std::vector<float> signal(length);
  for (float& sample : signal) sample = random.between(-1.0f, 1.0f);
  return signal;
}

// A sum and a product, one rounding each, as in the kernel: nothing to contract, so equal to the last bit.
std::vector<float> transform_on_cpu(std::vector<float> signal) {
  std::vector<float> coefficients(signal.size());
  for (size_t half = signal.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) {
      const float first = signal[2 * i], second = signal[2 * i + 1];
      coefficients[half + i] = (first - second) * kHalfRoot;
      signal[i] = (first + second) * kHalfRoot;
    }
  coefficients[0] = signal[0];
  return coefficients;
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t samples = by_size(size, 1u << 11, 1u << 17, 1u << 20);
  const std::vector<float> signal = random_signal(samples);
  Buffer<float> in(device, signal, "signal"), coefficients(device, samples, "coefficients");
  Buffer<float> out(device, ceil_div(samples, 2 * kThreads), "approximation");

  // 512 samples become one in each launch; the last has only as many threads as it needs.
  for (uint32_t length = samples; length > 1;) {
    const uint32_t threads = length < 2 * kThreads ? length / 2 : kThreads;
    const uint32_t blocks = length / (2 * threads);
    const int32_t levels = std::countr_zero(2 * threads);
    device.launch("haar_levels", {.grid = {blocks}, .block = {threads}},
                  Arguments(in.address(), coefficients.address(), out.address(), length, levels));
    length = blocks;
    std::swap(in, out);
  }
  std::vector<float> got = coefficients.download();
  got[0] = in.download()[0];
  return compare("coefficients", transform_on_cpu(signal), got);
}

}  // namespace heddle::workloads::dwthaar
