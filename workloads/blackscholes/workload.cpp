#include <cmath>

#include "workloads/support.h"

namespace heddle::workloads::blackscholes {

namespace {

constexpr uint32_t kBlock = 128;
constexpr float kRate = 0.02f, kVolatility = 0.3f;

struct Options {
  std::vector<float> price, strike, years;
};

Options random_options(uint32_t count) {
  Random random(1);
  Options options;
  for (uint32_t i = 0; i < count; ++i) {
    options.price.push_back(random.between(5.0f, 30.0f));
    options.strike.push_back(random.between(1.0f, 100.0f));
    options.years.push_back(random.between(0.25f, 10.0f));
  }
  return options;
}

// The kernel's own polynomial, as its error against the true distribution is not the simulator's.
double normal_below(double d) {
  const double k = 1 / (1 + 0.2316419 * std::abs(d));
  const double polynomial =
      k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const double above = 0.39894228040143 * std::exp(-0.5 * d * d) * polynomial;
  return d > 0 ? 1 - above : above;
}

struct Prices {
  std::vector<double> call, put;
};

Prices price_on_cpu(const Options& options) {
  Prices prices;
  for (size_t i = 0; i < options.price.size(); ++i) {
    const double s = options.price[i], x = options.strike[i], t = options.years[i];
    const double rate = kRate, volatility = kVolatility, spread = volatility * std::sqrt(t);
    const double d1 = (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread;
    const double below1 = normal_below(d1), below2 = normal_below(d1 - spread);
    const double discounted = x * std::exp(-rate * t);
    prices.call.push_back(s * below1 - discounted * below2);
    prices.put.push_back(discounted * (1 - below2) - s * (1 - below1));
  }
  return prices;
}

// A price is a difference of two terms, each a product of at most 100 and of factors up to 1 that are off by
// some 4 units of 2^-24: expf and logf are good to 2 units at best, and a few roundings follow them. The
// difference may be near 0, so the bound is absolute.
constexpr Tolerance kPrices{.absolute = 2 * 100 * 4 * 0x1p-24};

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t blocks = by_size(size, 12u, 180u, 720u);
  const uint32_t count = blocks * kBlock * by_size(size, 3u, 6u, 9u) - 77;
  const Options options = random_options(count);
  Buffer<float> price(device, options.price, "prices"), strike(device, options.strike, "strikes");
  Buffer<float> years(device, options.years, "years");
  Buffer<float> call(device, count, "calls"), put(device, count, "puts");
  device.launch("black_scholes", {.grid = {blocks}, .block = {kBlock}},
                Arguments(price.address(), strike.address(), years.address(), call.address(), put.address(), kRate,
                          kVolatility, count));
  const Prices expected = price_on_cpu(options);
  return all_of({compare("calls", expected.call, call.download(), kPrices),
                 compare("puts", expected.put, put.download(), kPrices)});
}

}  // namespace heddle::workloads::blackscholes
