#include "experiment/verdict.h"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

// By the paper's effect.
Verdict judge_ratio(double value, double paper) {
  const double ours = value - 1, theirs = paper - 1;
  if (std::abs(theirs) < kResolution) return std::abs(ours) <= 2 * kResolution ? Verdict::Holds : Verdict::Fails;
  if (std::abs(ours) < kResolution) return Verdict::Indistinct;
  if ((ours > 0) != (theirs > 0)) return Verdict::Fails;
  const double share = ours / theirs;
  return share >= 0.5 && share <= 2 ? Verdict::Holds : Verdict::Direction;
}

Verdict judge_value(const Part& part, double value, double paper) {
  const double distance = std::abs(value - paper), yardstick = std::abs(paper);
  constexpr double kRounding = 1e-9;
  if (distance <= part.within * yardstick + kRounding) return Verdict::Holds;
  return distance <= part.near * yardstick + kRounding ? Verdict::Direction : Verdict::Fails;
}

Verdict judge_condition(const Part& part, double value) {
  const Condition& holds = *part.holds;
  if (holds.contains(value)) return Verdict::Holds;
  if (part.ratio() && part.fold != Fold::Share && !holds.contains(1)) {
    if (std::abs(value - 1) < kResolution) return Verdict::Indistinct;
    const bool above = holds.low >= 1;
    if (!part.direction) return (value > 1) == above ? Verdict::Direction : Verdict::Fails;
  }
  return part.direction && part.direction->contains(value) ? Verdict::Direction : Verdict::Fails;
}

bool all_there(const Part& part, const Records& records) {
  for (const std::string& run : part.runs())
    for (const std::string& workload : part.on)
      if (!records(run, workload)) return false;
  return true;
}

// A mean over some of its workloads is no figure to be judged, nor to be shown.
PartResult judge_part(const Part& part, const Records& records) {
  PartResult result{&part, measure_part(part, records), {}, Verdict::Unmeasured};
  if (!all_there(part, records)) {
    result.measured.figure.reset();
    result.verdicts.assign(part.fold == Fold::Each ? result.measured.workloads.size() : 1, Verdict::Unmeasured);
    return result;
  }
  if (part.fold == Fold::Each) {
    for (const WorkloadValue& each : result.measured.workloads)
      result.verdicts.push_back(each.value && part.judged ? judge(part, *each.value, each.workload)
                                                          : Verdict::Unmeasured);
  } else {
    result.verdicts.push_back(result.measured.figure && part.judged ? judge(part, *result.measured.figure)
                                                                    : Verdict::Unmeasured);
  }
  result.verdict = combined(result.verdicts);
  return result;
}

// None where a figure is missing.
Verdict judge_order_of(const ClaimResult& result, const std::vector<std::string>& names) {
  std::vector<double> values;
  for (const std::string& name : names)
    for (const PartResult& part : result.parts)
      if (part.part->name == name && part.measured.figure) values.push_back(*part.measured.figure);
  return values.size() == names.size() ? judge_order(values) : Verdict::Unmeasured;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds: return "holds";
    case Verdict::Direction: return "holds in direction";
    case Verdict::Fails: return "does not hold";
    case Verdict::Indistinct: return "not distinguishable here";
    case Verdict::Unmeasured: return "not measured";
  }
  return "";
}

Verdict judge(const Part& part, double value, const std::string& workload) {
  if (part.holds) return judge_condition(part, value);
  auto paper = part.paper.find(workload);
  if (paper == part.paper.end()) paper = part.paper.find("");
  if (paper == part.paper.end()) return Verdict::Unmeasured;
  return part.ratio() && part.fold != Fold::Share ? judge_ratio(value, paper->second)
                                                  : judge_value(part, value, paper->second);
}

Verdict judge_order(const std::vector<double>& values) {
  unsigned right = 0, wrong = 0;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = i + 1; j < values.size(); ++j) {
      const double difference = values[i] - values[j];
      const double scale = std::max(std::abs(values[i]), std::abs(values[j]));
      if (std::abs(difference) <= kResolution * scale) continue;
      ++(difference > 0 ? right : wrong);
    }
  if (right + wrong == 0) return Verdict::Indistinct;
  if (wrong == 0) return Verdict::Holds;
  return right >= 2 * wrong ? Verdict::Direction : Verdict::Fails;
}

Verdict combined(const std::vector<Verdict>& verdicts) {
  unsigned holds = 0, direction = 0, fails = 0, indistinct = 0;
  for (Verdict verdict : verdicts) {
    holds += verdict == Verdict::Holds;
    direction += verdict == Verdict::Direction;
    fails += verdict == Verdict::Fails;
    indistinct += verdict == Verdict::Indistinct;
  }
  if (holds + direction + fails == 0) return indistinct > 0 ? Verdict::Indistinct : Verdict::Unmeasured;
  if (direction + fails + indistinct == 0) return Verdict::Holds;
  return holds + direction >= 2 * fails ? Verdict::Direction : Verdict::Fails;
}

ClaimResult judge_claim(const Claim& claim, const Records& records) {
  ClaimResult result{&claim, {}, {}, Verdict::Unmeasured};
  for (const Part& part : claim.parts) result.parts.push_back(judge_part(part, records));
  const bool complete =
      std::all_of(claim.parts.begin(), claim.parts.end(), [&](const Part& part) { return all_there(part, records); });
  std::vector<Verdict> all;
  for (const PartResult& part : result.parts)
    if (part.part->judged) all.push_back(part.verdict);
  for (const std::vector<std::string>& order : claim.orders) {
    result.orders.push_back(judge_order_of(result, order));
    all.push_back(result.orders.back());
  }
  if (complete) result.verdict = combined(all);
  return result;
}

}  // namespace heddle
