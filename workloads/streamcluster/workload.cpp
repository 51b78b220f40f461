#include <algorithm>
#include <cmath>
#include <string>

#include "workloads/support.h"

namespace heddle::workloads::streamcluster {

namespace {

constexpr uint32_t kBlock = 512;

struct Problem {  // as in kernel.cu
  int32_t points, dimensions, candidate, centres;
};

// What one launch says about a candidate.
struct Evaluation {
  std::vector<float> savings, gains;  // a row of entries, one per centre, for each point; one per point
  std::vector<uint8_t> switches;
};

// Points scattered around two dozen places, and the clustering found so far.
class Clustering {
 public:
  Clustering(uint32_t points, uint32_t dimensions) : points_(points), dimensions_(dimensions), random_(1) {
    std::vector<float> places(size_t{24} * dimensions);
    for (float& value : places) value = random_.between(-1.0f, 1.0f);
    coordinates_.resize(size_t{points} * dimensions);
    for (uint32_t point = 0; point < points; ++point) {
      const float* place = &places[size_t{random_.below(24)} * dimensions];
      for (uint32_t i = 0; i < dimensions; ++i)
        coordinates_[size_t{i} * points + point] = place[i] + random_.between(-0.4f, 0.4f);
      weights_.push_back(static_cast<float>(random_.between(1, 4)));
    }
    for (uint32_t point = 0; point < points; ++point) costs_.push_back(distance(point, 0) * weights_[point]);
    centre_of_.resize(points);
  }

  const std::vector<float>& coordinates() const { return coordinates_; }
  const std::vector<float>& weights() const { return weights_; }
  const std::vector<float>& costs() const { return costs_; }
  const std::vector<int32_t>& centre_of() const { return centre_of_; }

  Problem next_problem() {
    return {static_cast<int32_t>(points_), static_cast<int32_t>(dimensions_),
            static_cast<int32_t>(random_.below(points_)), centres_};
  }

  // The same operations in the same order as the kernel's: equal to the last bit.
  Evaluation evaluate(const Problem& problem) const {
    Evaluation result{std::vector<float>(size_t{points_} * problem.centres), std::vector<float>(points_),
                      std::vector<uint8_t>(points_)};
    for (uint32_t point = 0; point < points_; ++point) {
      const float gain = std::fma(-distance(point, problem.candidate), weights_[point], costs_[point]);
      if (gain > 0) {
        result.switches[point] = 1;
        result.gains[point] = gain;
      } else {
        result.savings[size_t{point} * problem.centres + centre_of_[point]] += gain;
      }
    }
    return result;
  }

  // Opens the candidate if that pays, and closes the centres that no longer pay.
  void decide(const Problem& problem, const Evaluation& result, double opening) {
    double total = -opening;
    std::vector<double> if_closed(problem.centres, opening);
    for (uint32_t point = 0; point < points_; ++point) {
      total += result.gains[point];
      if_closed[centre_of_[point]] += result.savings[size_t{point} * problem.centres + centre_of_[point]];
    }
    for (double saved : if_closed) total += std::max(saved, 0.0);
    if (total > 0) open(problem, result, if_closed);
  }

 private:
  float distance(uint32_t point, uint32_t other) const {
    float sum = 0;
    for (uint32_t i = 0; i < dimensions_; ++i) {
      const float* row = &coordinates_[size_t{i} * points_];
      const float difference = row[point] - row[other];
      sum = std::fma(difference, difference, sum);
    }
    return sum;
  }

  void open(const Problem& problem, const Evaluation& result, const std::vector<double>& if_closed) {
    std::vector<int32_t> new_number(problem.centres);
    centres_ = 0;
    for (int32_t centre = 0; centre < problem.centres; ++centre)
      new_number[centre] = if_closed[centre] > 0 ? -1 : centres_++;
    for (uint32_t point = 0; point < points_; ++point) {
      const int32_t kept = new_number[centre_of_[point]];
      const bool moves = result.switches[point] != 0 || kept < 0;
      if (moves) costs_[point] = distance(point, problem.candidate) * weights_[point];
      centre_of_[point] = moves ? centres_ : kept;
    }
    ++centres_;
  }

  uint32_t points_, dimensions_;
  Random random_;
  int32_t centres_ = 1;
  std::vector<float> coordinates_, weights_, costs_;
  std::vector<int32_t> centre_of_;
};

// Sends the clustering, launches, fetches the answer.
class Evaluator {
 public:
  Evaluator(Device& device, const Clustering& start, uint32_t most_centres)
      : device_(device),
        coordinates_(device, start.coordinates(), "coordinates"),
        weights_(device, start.weights(), "weights"),
        costs_(device, start.costs().size(), "costs"),
        centre_of_(device, start.costs().size(), "centre of point"),
        savings_(device, start.costs().size() * most_centres, "savings"),
        gains_(device, start.costs().size(), "gains"),
        switches_(device, start.costs().size(), "switches") {}

  Evaluation evaluate(const Clustering& now, const Problem& problem) {
    const uint32_t points = static_cast<uint32_t>(problem.points);
    costs_.upload(now.costs());
    centre_of_.upload(now.centre_of());
    savings_.upload(std::vector<float>(size_t{points} * problem.centres));
    gains_.upload(std::vector<float>(points));
    switches_.upload(std::vector<uint8_t>(points));
    const LaunchShape launch{.grid = {ceil_div(points, kBlock)},
                             .block = {kBlock},
                             .dynamic_shared = static_cast<uint32_t>(problem.dimensions * sizeof(float))};
    device_.launch("evaluate_candidate", launch,
                   Arguments(coordinates_.address(), weights_.address(), costs_.address(), centre_of_.address(),
                             savings_.address(), gains_.address(), switches_.address(), problem));
    std::vector<float> savings = savings_.download();
    savings.resize(size_t{points} * problem.centres);
    return {savings, gains_.download(), switches_.download()};
  }

 private:
  Device& device_;
  Buffer<float> coordinates_, weights_, costs_;
  Buffer<int32_t> centre_of_;
  Buffer<float> savings_, gains_;
  Buffer<uint8_t> switches_;
};

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t points = by_size(size, 1100u, 9000u, 65'536u), dimensions = by_size(size, 8u, 32u, 256u);
  const uint32_t candidates = by_size(size, 4u, 10u, 6u);
  // An opening costs as much as serving a point in a hundred from a random place.
  const double opening = 0.01 * points * dimensions;
  Clustering clustering(points, dimensions);
  Evaluator evaluator(device, clustering, candidates + 1);
  for (uint32_t i = 0; i < candidates; ++i) {
    const Problem problem = clustering.next_problem();
    const Evaluation got = evaluator.evaluate(clustering, problem), expected = clustering.evaluate(problem);
    const Check check =
        all_of({compare("savings", expected.savings, got.savings), compare("gains", expected.gains, got.gains),
                compare("switches", expected.switches, got.switches)});
    if (!check.passed) return {false, "candidate " + std::to_string(i) + ": " + check.detail};
    clustering.decide(problem, got, opening);
  }
  return {true, std::to_string(candidates) + " candidates, all gains, switches and savings equal; " +
                    std::to_string(clustering.next_problem().centres) + " centres"};
}

}  // namespace heddle::workloads::streamcluster
