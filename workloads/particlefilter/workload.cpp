#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::particlefilter {

namespace {

constexpr uint32_t kThreads = 128;
constexpr int kRadius = 4;  // as in kernel.cu
constexpr int32_t kStartX = 6;

struct Frame {  // as in kernel.cu
  int32_t width, height, particles;
};

// A bright disc that moves by (1, -2) a frame, all in noise; near the left rim, so that some particles look
// over it.
std::vector<uint8_t> image_of(const Frame& frame, int32_t number) {
  Random random(1 + number);
  std::vector<uint8_t> image;
  const int32_t centre_x = kStartX + number, centre_y = frame.height / 2 - 2 * number;
  for (int32_t y = 0; y < frame.height; ++y)
    for (int32_t x = 0; x < frame.width; ++x) {
      const int32_t dx = x - centre_x, dy = y - centre_y;
      const bool bright = dx * dx + dy * dy <= (kRadius + 2) * (kRadius + 2);
      image.push_back(static_cast<uint8_t>((bright ? 228 : 100) + random.between(-25, 25)));
    }
  return image;
}

struct Particles {
  std::vector<float> x, y;
  std::vector<uint32_t> seeds;
};

// All at the place where the disc was before the first frame, each with a generator of its own.
Particles start(const Frame& frame) {
  Random random(100);
  const auto count = static_cast<size_t>(frame.particles);
  Particles particles{std::vector<float>(count, static_cast<float>(kStartX - 1)),
                      std::vector<float>(count, static_cast<float>(frame.height / 2 + 2)),
                      {}};
  for (size_t i = 0; i < count; ++i) particles.seeds.push_back(1 + random.below(2147483646));
  return particles;
}

double uniform(uint32_t& seed) {
  seed = static_cast<uint32_t>(uint64_t{seed} * 16807 % 2147483647);
  return static_cast<float>(seed) * 0x1p-31;
}

double normal(uint32_t& seed) {
  const double u = uniform(seed), v = uniform(seed);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

double weight_of(const std::vector<uint8_t>& image, const Frame& frame, float x, float y) {
  const auto centre_x = static_cast<int32_t>(std::floor(x + 0.5f));
  const auto centre_y = static_cast<int32_t>(std::floor(y + 0.5f));
  int32_t sum = 0, pixels = 0;
  for (int32_t py = std::max(centre_y - kRadius, 0); py <= std::min(centre_y + kRadius, frame.height - 1); ++py)
    for (int32_t px = std::max(centre_x - kRadius, 0); px <= std::min(centre_x + kRadius, frame.width - 1); ++px) {
      const int32_t dx = px - centre_x, dy = py - centre_y, value = image[size_t(py) * frame.width + px];
      if (dx * dx + dy * dy > kRadius * kRadius) continue;
      sum += (value - 100) * (value - 100) - (value - 228) * (value - 228);
      ++pixels;
    }
  return std::exp(pixels > 0 ? sum / (5000.0 * pixels) : -10.0);
}

// A normal number is below 6.6, the root of -2 log 2^-31; it is off by that times the error of cos.approx
// (2^-20.5), of its argument (2 * 6.3 * 2^-24) and of logf and the root (2^-22): 1.2e-5, and twice that moves the
// particle. A place below 256 is rounded twice, by 2^-17 each time.
constexpr Tolerance kPlaces{.absolute = 2 * 1.2e-5 + 2 * 0x1p-17};
// The exponent is at most 10 and rounded twice, by 2^-24 of itself each time; ex2.approx adds 2^-22.
constexpr Tolerance kWeights{.relative = 2 * 10 * 0x1p-24 + 0x1p-22};

// What was on the device after a frame.
struct Result {
  Particles moved;
  std::vector<float> weights, total, cumulative, next_x, next_y;
  std::vector<int32_t> chosen;
};

class Filter {
 public:
  Filter(Device& device, const Frame& frame, const Particles& first)
      : device_(device),
        frame_(frame),
        blocks_(ceil_div(frame.particles, kThreads)),
        x_(device, first.x, "x"),
        y_(device, first.y, "y"),
        next_x_(device, first.x.size(), "next x"),
        next_y_(device, first.x.size(), "next y"),
        seeds_(device, first.seeds, "seeds"),
        chosen_(device, first.x.size(), "chosen"),
        weights_(device, first.x.size(), "weights"),
        cumulative_(device, first.x.size(), "cumulative weights"),
        block_sums_(device, blocks_, "block sums"),
        block_ends_(device, blocks_, "block ends"),
        total_(device, 1, "total") {}

  Result step(const std::vector<uint8_t>& image, float offset) {
    const Buffer<uint8_t> device_image(device_, image, "image");
    const uint32_t particles = static_cast<uint32_t>(frame_.particles);
    const LaunchShape launch{.grid = {blocks_}, .block = {kThreads}};
    device_.launch("weigh", launch,
                   Arguments(device_image.address(), x_.address(), y_.address(), seeds_.address(), weights_.address(),
                             block_sums_.address(), frame_));
    device_.launch("sum_blocks", {.grid = {1}, .block = {kThreads}},
                   Arguments(block_sums_.address(), total_.address(), blocks_));
    device_.launch(
        "scan_weights", launch,
        Arguments(weights_.address(), total_.address(), cumulative_.address(), block_ends_.address(), particles));
    device_.launch("add_block_ends", launch, Arguments(block_ends_.address(), cumulative_.address(), particles));
    device_.launch("resample", launch,
                   Arguments(cumulative_.address(), x_.address(), y_.address(), next_x_.address(), next_y_.address(),
                             chosen_.address(), offset, particles));
    Result result{{x_.download(), y_.download(), seeds_.download()},
                  weights_.download(),
                  total_.download(),
                  cumulative_.download(),
                  next_x_.download(),
                  next_y_.download(),
                  chosen_.download()};
    std::swap(x_, next_x_);
    std::swap(y_, next_y_);
    return result;
  }

 private:
  Device& device_;
  Frame frame_;
  uint32_t blocks_;
  Buffer<float> x_, y_, next_x_, next_y_;
  Buffer<uint32_t> seeds_;
  Buffer<int32_t> chosen_;
  Buffer<float> weights_, cumulative_, block_sums_, block_ends_, total_;
};

// Each stage is checked on what the one before left on the device, so that rounding cannot tip a later choice.
Check check_move(const Frame& frame, const std::vector<uint8_t>& image, const Particles& before, const Result& got) {
  std::vector<double> x, y, weights;
  std::vector<uint32_t> seeds = before.seeds;
  for (size_t i = 0; i < before.x.size(); ++i) {
    x.push_back(before.x[i] + 1 + 2 * normal(seeds[i]));
    y.push_back(before.y[i] - 2 + 2 * normal(seeds[i]));
    weights.push_back(weight_of(image, frame, got.moved.x[i], got.moved.y[i]));
  }
  return all_of({compare("x", x, got.moved.x, kPlaces), compare("y", y, got.moved.y, kPlaces),
                 compare("seeds", seeds, got.moved.seeds), compare("weights", weights, got.weights, kWeights)});
}

// The total passes through two trees of seven levels and a strided sum; a cumulative weight through a quotient,
// seven levels of a scan and a sum over the blocks before. All terms are positive, so each addition costs
// 2^-24 of the result at most.
Check check_sums(const Result& got) {
  const double blocks = ceil_div(static_cast<uint32_t>(got.weights.size()), kThreads);
  std::vector<double> cumulative;
  double sum = 0;
  for (float weight : got.weights) cumulative.push_back((sum += weight) / got.total[0]);
  return all_of({compare("total", {sum}, got.total, {.relative = (14 + blocks / kThreads + 1) * 0x1p-24}),
                 compare("cumulative weights", cumulative, got.cumulative, {.relative = (9 + blocks) * 0x1p-24})});
}

Check check_choice(const Result& got, float offset) {
  const size_t count = got.cumulative.size();
  // Rounding may make the sums fall by a bit from one block to the next; their running maximum does not fall, and
  // reaches a number where the first of them does.
  std::vector<float> highest(count);
  std::partial_sum(got.cumulative.begin(), got.cumulative.end(), highest.begin(),
                   [](float a, float b) { return std::max(a, b); });
  std::vector<int32_t> chosen;
  std::vector<float> next_x, next_y;
  for (size_t i = 0; i < count; ++i) {
    const float wanted = (static_cast<float>(i) + offset) / static_cast<float>(count);
    const auto found = std::ranges::lower_bound(highest, wanted) - highest.begin();
    chosen.push_back(std::min(static_cast<int32_t>(found), static_cast<int32_t>(count) - 1));
    next_x.push_back(got.moved.x[chosen.back()]);
    next_y.push_back(got.moved.y[chosen.back()]);
  }
  return all_of({compare("chosen", chosen, got.chosen), compare("next x", next_x, got.next_x),
                 compare("next y", next_y, got.next_y)});
}

}  // namespace

Check run(Device& device, Size size) {
  const Frame frame{128, 128, by_size(size, 200, 1500, 7600)};
  const int32_t frames = by_size(size, 2, 4, 2);
  Random random(3);
  Particles particles = start(frame);
  Filter filter(device, frame, particles);
  Check check;
  for (int32_t number = 0; number < frames; ++number) {
    const std::vector<uint8_t> image = image_of(frame, number);
    const float offset = random.unit();
    Result got = filter.step(image, offset);
    check = all_of({check_move(frame, image, particles, got), check_sums(got), check_choice(got, offset)});
    if (!check.passed) return {false, "frame " + std::to_string(number) + ": " + check.detail};
    particles = {std::move(got.next_x), std::move(got.next_y), std::move(got.moved.seeds)};
  }
  return {true, std::to_string(frames) + " frames, the last: " + check.detail};
}

}  // namespace heddle::workloads::particlefilter
