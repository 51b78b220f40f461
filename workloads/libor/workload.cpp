#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "workloads/support.h"

namespace heddle::workloads::libor {

namespace {

constexpr int kRates = 40, kSteps = 20, kOptions = 12, kLater = kRates - kSteps;  // as in kernel.cu
constexpr float kPeriod = 0.25f;
constexpr uint32_t kBlock = 64;

struct Swaption {
  int32_t length;
  float strike;
};

struct Market {
  std::vector<float> initial, volatility;
  std::vector<Swaption> swaptions;
};

// A rising curve, volatilities between 10 and 25 %, and three strikes around the money for four lengths.
Market random_market() {
  Random random(1);
  Market market;
  for (int i = 0; i < kRates; ++i) {
    market.initial.push_back(0.045f + 0.0004f * static_cast<float>(i));
    market.volatility.push_back(random.between(0.1f, 0.25f));
  }
  for (int option = 0; option < kOptions; ++option)
    market.swaptions.push_back({5 * (1 + option / 3), 0.05f + 0.005f * static_cast<float>(option % 3)});
  return market;
}

// Sums of twelve uniform numbers: close to normal, and the same on every platform.
std::vector<float> random_normals(uint32_t count) {
  Random random(2);
  std::vector<float> normals(count);
  for (float& normal : normals) {
    normal = -6.0f;
    for (int i = 0; i < 12; ++i) normal += random.unit();
  }
  return normals;
}

using Row = std::array<double, kRates>;  // one entry per initial rate

struct Path {
  double value = 0;
  double nearest_to_strike = 1;  // the least |value| of a swap
  Row gradient{};
};

void add_scaled(Row& to, double factor, const Row& from) {
  for (int by = 0; by < kRates; ++by) to[by] += factor * from[by];
}

void scale(Row& row, double factor) {
  for (double& value : row) value *= factor;
}

// A path's rates, each with its derivatives by all initial rates: forward, where the kernel goes backward.
struct Curve {
  Row rates;
  std::array<Row, kRates> slopes{};

  explicit Curve(const Market& market) {
    for (int i = 0; i < kRates; ++i) {
      rates[i] = market.initial[i];
      slopes[i][i] = 1;
    }
  }
  void move(const Market& market, int step, double normal) {
    double drift = 0;
    Row drift_slope{};
    for (int i = step + 1; i < kRates; ++i) {
      const double sigma = market.volatility[i - step - 1], scaled = kPeriod * sigma, growth = 1 + kPeriod * rates[i];
      drift += scaled * rates[i] / growth;
      add_scaled(drift_slope, scaled / (growth * growth), slopes[i]);
      const double factor = std::exp(scaled * drift + sigma * (std::sqrt(kPeriod) * normal - 0.5 * scaled));
      add_scaled(slopes[i], rates[i] * scaled, drift_slope);
      scale(slopes[i], factor);
      rates[i] *= factor;
    }
  }
};

// The price of a bond and its derivatives, one period at a time.
struct Bond {
  double price = 1;
  Row slope{};
  void extend(double rate, const Row& rate_slope) {
    const double growth = 1 + kPeriod * rate;
    add_scaled(slope, -price * kPeriod / growth, rate_slope);
    scale(slope, 1 / growth);
    price /= growth;
  }
};

Path value_of(const Market& market, const Curve& curve) {
  Path path;
  Bond bond;
  double annuity = 0, payoff = 0;
  Row annuity_slope{};
  for (int i = 0; i < kLater; ++i) {
    bond.extend(curve.rates[kSteps + i], curve.slopes[kSteps + i]);
    annuity += kPeriod * bond.price;
    add_scaled(annuity_slope, kPeriod, bond.slope);
    for (const Swaption& swaption : market.swaptions) {
      if (swaption.length != i + 1) continue;
      const double swap = bond.price + swaption.strike * annuity - 1;
      path.nearest_to_strike = std::min(path.nearest_to_strike, std::abs(swap));
      if (swap >= 0) continue;
      payoff -= 100 * swap;
      add_scaled(path.gradient, -100, bond.slope);
      add_scaled(path.gradient, -100 * swaption.strike, annuity_slope);
    }
  }
  Bond outer;
  for (int i = 0; i < kSteps; ++i) outer.extend(curve.rates[i], curve.slopes[i]);
  path.value = payoff * outer.price;
  scale(path.gradient, outer.price);
  add_scaled(path.gradient, payoff, outer.slope);
  return path;
}

// A step of a rate takes ex2.approx (2^-22), the rounding of its argument, below 2 (2^-23), and a product
// (2^-24): below 2^-21, and 2^-16.6 = 1e-5 after 20 steps. A bond divides 20 times more by 1 + rate * period
// (div.approx 2^-22, fma 2^-24), 6e-6 together; so a swap, of about 1, is off by 2e-5, and twelve of them times
// 100 by 0.024.
constexpr double kSwapError = 2e-5;
constexpr Tolerance kValues{.absolute = 100 * kOptions * kSwapError};
// Derivatives carry the same relative errors, on the way back as well: 2 * 2e-5 of terms that sum to some
// hundreds and may cancel.
constexpr Tolerance kGradients{.absolute = 0.02, .relative = 4e-5};

// The payoff has a kink at the strike: a path that ends within the rounding of one has two right derivatives
// and is left out of their comparison. That must stay rare.
Check check(const Market& market, const std::vector<float>& normals, uint32_t paths, const std::vector<float>& values,
            const std::vector<float>& values_again, const std::vector<float>& gradients) {
  std::vector<double> expected(paths), expected_gradients(gradients.size());
  uint32_t at_kink = 0;
  for (uint32_t path = 0; path < paths; ++path) {
    Curve curve(market);
    for (int step = 0; step < kSteps; ++step) curve.move(market, step, normals[size_t(step) * paths + path]);
    const Path reference = value_of(market, curve);
    const bool kink = reference.nearest_to_strike < kSwapError;
    at_kink += kink;
    expected[path] = reference.value;
    for (int i = 0; i < kRates; ++i) {
      const size_t at = size_t(i) * paths + path;
      expected_gradients[at] = kink ? gradients[at] : reference.gradient[i];
    }
  }
  const Check rare{at_kink <= 1 + paths / 100, std::to_string(at_kink) + " paths at a kink"};
  return all_of({compare("values", expected, values, kValues),
                 compare("values with gradient", expected, values_again, kValues),
                 compare("gradients", expected_gradients, gradients, kGradients), rare});
}

}  // namespace

// The threads stride over the paths: three times in `small`, once elsewhere. No size is a multiple of the block.
Check run(Device& device, Size size) {
  const uint32_t blocks = by_size(size, 1u, 7u, 64u), paths = by_size(size, 40u, 1000u, 4096u);
  const Market market = random_market();
  const std::vector<float> random = random_normals(paths * kSteps);
  device.write(device.symbol("volatility"), market.volatility.data(), kRates * sizeof(float));
  device.write(device.symbol("swaptions"), market.swaptions.data(), kOptions * sizeof(Swaption));
  device.write(device.symbol("period"), &kPeriod, sizeof kPeriod);
  const Buffer<float> initial(device, market.initial, "initial rates"), normals(device, random, "normals");
  const Buffer<float> values(device, paths, "values"), values_again(device, paths, "values with gradient");
  const Buffer<float> gradients(device, size_t{paths} * kRates, "gradients");

  const LaunchShape launch{.grid = {blocks}, .block = {kBlock}};
  device.launch("value_paths", launch, Arguments(initial.address(), normals.address(), values.address(), paths));
  device.launch("value_and_gradient", launch,
                Arguments(initial.address(), normals.address(), values_again.address(), gradients.address(), paths));
  return check(market, random, paths, values.download(), values_again.download(), gradients.download());
}

}  // namespace heddle::workloads::libor
