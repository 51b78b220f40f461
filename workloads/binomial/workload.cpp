#include <algorithm>
#include <cmath>

#include "workloads/support.h"

namespace heddle::workloads::binomial {

namespace {

constexpr uint32_t kThreads = 128;

struct Option {  // as in kernel.cu
  float price, strike;
  float log_up;
  float up_weight, down_weight;
};

// By the series, for small x: the library's exp is not the same on every platform.
double small_exp(double x) {
  double sum = 1;
  for (int term = 12; term > 0; --term) sum = std::fma(sum, x / term, 1.0);
  return sum;
}

// The tree of Cox, Ross and Rubinstein (1979).
std::vector<Option> random_options(uint32_t count, uint32_t steps) {
  Random random(1);
  constexpr double rate = 0.06, volatility = 0.1;
  std::vector<Option> options;
  for (uint32_t i = 0; i < count; ++i) {
    const float price = random.between(20.0f, 30.0f), strike = random.between(10.0f, 45.0f);
    const double step = double{random.between(1.0f, 5.0f)} / steps;
    const double log_up = volatility * std::sqrt(step), up = small_exp(log_up), down = 1 / up;
    const double growth = small_exp(rate * step), probability = (growth - down) / (up - down);
    options.push_back({price, strike, static_cast<float>(log_up), static_cast<float>(probability / growth),
                       static_cast<float>((1 - probability) / growth)});
  }
  return options;
}

double value_on_cpu(const Option& option, uint32_t steps) {
  std::vector<double> line(steps + 1);
  for (uint32_t ups = 0; ups <= steps; ++ups) {
    const double price = option.price * std::exp(option.log_up * (2.0 * ups - steps));
    line[ups] = std::max(price - option.strike, 0.0);
  }
  for (uint32_t left = steps; left > 0; --left)
    for (uint32_t node = 0; node < left; ++node)
      line[node] = option.up_weight * line[node + 1] + option.down_weight * line[node];
  return line[0];
}

// The values of the tree are never negative, so that a step back, of two roundings, adds at most two units of
// 2^-24 to their relative error. What is wrong at expiry is averaged with weights that sum up to less than 1,
// to no more than the same share of the mean price there, discounted, which is the price today, at most 30.
// expf's argument is below 0.1 * sqrt(5 * 512) < 6 and so off by up to 6 units, and one for its own rounding;
// expf is good to 2 units, product and difference to one each.
Tolerance tolerance_of(uint32_t steps) { return {.absolute = 30 * 11 * 0x1p-24, .relative = 2 * steps * 0x1p-24}; }

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t count = by_size(size, 3u, 18u, 150u), steps = by_size(size, 160u, 384u, 512u);
  const std::vector<Option> options = random_options(count, steps);
  Buffer<Option> device_options(device, options, "options");
  Buffer<float> lines(device, size_t{count} * (steps + 1), "lines of nodes"), values(device, count, "values");
  device.launch("binomial_call", {.grid = {count}, .block = {kThreads}},
                Arguments(device_options.address(), lines.address(), values.address(), steps));
  std::vector<double> expected;
  for (const Option& option : options) expected.push_back(value_on_cpu(option, steps));
  return compare("values", expected, values.download(), tolerance_of(steps));
}

}  // namespace heddle::workloads::binomial
