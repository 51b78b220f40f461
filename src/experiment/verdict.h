// Does a figure say what the paper says? Direction and rank first, magnitude second.
//
// A ratio that is not judged by conditions of its own has the paper's effect (its distance from 1) as yardstick: the
// same sign is the direction, and it holds if the effect is half to twice the paper's. Below kResolution the compared
// runs do not differ. A figure that is no ratio holds within a tenth of the paper's and is near it within a quarter,
// unless the experiment says otherwise. Of several figures, two thirds must at least have the direction. While a run
// of a claim is missing it has no verdict.
#pragma once

#include <string_view>
#include <vector>

#include "experiment/measure.h"

namespace heddle {

enum class Verdict : uint8_t {
  Holds,
  Direction,   // holds in direction
  Fails,       // does not hold
  Indistinct,  // the compared runs do not differ
  Unmeasured
};
std::string_view name_of(Verdict verdict);

constexpr double kResolution = 0.005;  // ratios nearer to 1 are no difference

// One figure; `workload` picks the paper's value with Fold::Each.
Verdict judge(const Part& part, double value, const std::string& workload = "");
// The figures of an order, the largest first. Pairs that do not differ speak for neither side.
Verdict judge_order(const std::vector<double>& values);
Verdict combined(const std::vector<Verdict>& verdicts);

struct PartResult {
  const Part* part = nullptr;
  Measured measured;
  std::vector<Verdict> verdicts;  // Each: one per workload; else one
  Verdict verdict = Verdict::Unmeasured;
};

struct ClaimResult {
  const Claim* claim = nullptr;
  std::vector<PartResult> parts;
  std::vector<Verdict> orders;
  Verdict verdict = Verdict::Unmeasured;
};

ClaimResult judge_claim(const Claim& claim, const Records& records);

}  // namespace heddle
