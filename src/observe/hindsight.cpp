#include "observe/hindsight.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

constexpr size_t kSteps = 20'000;  // of one search

using Gaps = std::vector<int>;  // by path and lane

struct Candidate {  // a warp that might pass on
  size_t arrival;
  std::vector<size_t> lacks;  // gaps it would take
  bool passed;
};

// The largest choice of candidates that fits into the gaps, those that passed counting a little more.
class Search {
 public:
  Search(std::vector<Candidate> candidates, Gaps gaps) : candidates_(std::move(candidates)), gaps_(std::move(gaps)) {
    const auto order = [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.lacks.size(), a.lacks, !a.passed) < std::tuple(b.lacks.size(), b.lacks, !b.passed);
    };
    std::sort(candidates_.begin(), candidates_.end(), order);
    takers_.assign(candidates_.size() + 1, Gaps(gaps_.size()));
    passed_.assign(candidates_.size() + 1, 0);
    for (size_t i = candidates_.size(); i-- > 0;) {
      takers_[i] = takers_[i + 1];
      for (size_t gap : candidates_[i].lacks) ++takers_[i][gap];
      passed_[i] = passed_[i + 1] + (candidates_[i].passed ? 1 : 0);
    }
    chosen_.resize(candidates_.size());
    best_ = chosen_;
  }
  // Calls f(arrival) for each of them. False: it may not be the largest.
  template <class F>
  bool run(F&& f) {
    look(0);
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (best_[i]) f(candidates_[i].arrival);
    return steps_ < kSteps;
  }

 private:
  static constexpr int kOne = 1024;  // a warp more is worth more than any agreement

  // The most that candidates i … can add: a gap with more takers than room leaves some of them out.
  int bound(size_t i) const {
    int left_out = 0;
    for (size_t gap = 0; gap < gaps_.size(); ++gap) left_out = std::max(left_out, takers_[i][gap] - gaps_[gap]);
    const int most = static_cast<int>(candidates_.size() - i) - left_out;
    return most * kOne + std::min(most, passed_[i]);
  }
  bool fits(const Candidate& candidate) const {
    return std::all_of(candidate.lacks.begin(), candidate.lacks.end(), [&](size_t gap) { return gaps_[gap] > 0; });
  }
  void look(size_t i) {
    if (++steps_ >= kSteps || value_ + bound(i) <= best_value_) return;
    if (i == candidates_.size()) {
      best_value_ = value_;
      best_ = chosen_;
      return;
    }
    const Candidate& candidate = candidates_[i];
    const int worth = kOne + (candidate.passed ? 1 : 0);
    if (fits(candidate)) {
      for (size_t gap : candidate.lacks) --gaps_[gap];
      chosen_[i] = true;
      value_ += worth;
      look(i + 1);
      value_ -= worth;
      chosen_[i] = false;
      for (size_t gap : candidate.lacks) ++gaps_[gap];
    }
    size_t next = i + 1;  // the like of one that is left out are left out too
    while (next < candidates_.size() && candidates_[next].lacks == candidate.lacks &&
           candidates_[next].passed == candidate.passed)
      ++next;
    look(next);
  }

  std::vector<Candidate> candidates_;
  Gaps gaps_;                 // what is left of them
  std::vector<Gaps> takers_;  // by candidate: how many of it and those behind it take each gap
  std::vector<int> passed_;   // likewise, how many passed
  std::vector<bool> chosen_, best_;
  int value_ = 0, best_value_ = -1;
  size_t steps_ = 0;
};

std::vector<Pc> paths_of(std::span<const BranchArrival> arrivals) {
  std::vector<Pc> paths;
  for (const BranchArrival& arrival : arrivals)
    for (const BranchArrival::Part& part : arrival.parts)
      if (std::find(paths.begin(), paths.end(), part.path) == paths.end()) paths.push_back(part.path);
  return paths;
}

size_t index_of(const std::vector<Pc>& paths, Pc path) {
  return static_cast<size_t>(std::find(paths.begin(), paths.end(), path) - paths.begin()) * kRow;
}

// By path and lane: how many threads fewer there are than in the fullest lane of the path. A lane that no thread of
// the path has counts too: it is as empty for every warp.
Gaps gaps_of(std::span<const BranchArrival> arrivals, const std::vector<Pc>& paths) {
  Gaps gaps(paths.size() * kRow);
  for (const BranchArrival& arrival : arrivals)
    for (const BranchArrival::Part& part : arrival.parts)
      for_each_lane(part.lanes, [&](unsigned lane) { ++gaps[index_of(paths, part.path) + lane]; });
  for (size_t first = 0; first < gaps.size(); first += kRow) {
    const int fullest = *std::max_element(gaps.begin() + static_cast<ptrdiff_t>(first),
                                          gaps.begin() + static_cast<ptrdiff_t>(first + kRow));
    for (size_t i = first; i < first + kRow; ++i) gaps[i] = fullest - gaps[i];
  }
  return gaps;
}

Candidate candidate_of(const BranchArrival& arrival, size_t index, const std::vector<Pc>& paths) {
  Candidate candidate{index, {}, !arrival.waited};
  candidate.lacks.reserve(arrival.parts.size() * kRow);
  for (const BranchArrival::Part& part : arrival.parts) {
    const size_t first = index_of(paths, part.path);
    for_each_lane(~part.lanes, [&](unsigned lane) { candidate.lacks.push_back(first + lane); });
  }
  return candidate;
}

}  // namespace

BranchArrival arrival_of(const Host& host, BlockId block, const Outcome& outcome, Pc meets, bool waited) {
  BranchArrival arrival{{}, waited, outcome.targets.size() > 1};
  for (const Target& target : outcome.targets) {
    if (target.pc == meets) continue;
    LaneMask lanes;
    for_each_lane(target.who, [&](unsigned k) { lanes.add(host.home_lane(block, outcome.group.thread(k))); });
    arrival.parts.push_back({target.pc, lanes});
  }
  return arrival;
}

BestWaiting best_waiting(std::span<const BranchArrival> arrivals) {
  if (arrivals.size() == 1) return {{false}};  // nobody else would come
  const std::vector<Pc> paths = paths_of(arrivals);
  const Gaps gaps = gaps_of(arrivals, paths);
  BestWaiting best{std::vector<bool>(arrivals.size(), false)};
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < arrivals.size(); ++i) {
    Candidate candidate = candidate_of(arrivals[i], i, paths);
    const bool hopeless =
        std::any_of(candidate.lacks.begin(), candidate.lacks.end(), [&](size_t gap) { return gaps[gap] == 0; });
    best.waits[i] = hopeless || !candidate.lacks.empty();
    if (!hopeless && !candidate.lacks.empty()) candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) return best;
  best.proven = Search(std::move(candidates), gaps).run([&](size_t arrival) { best.waits[arrival] = false; });
  return best;
}

void DecisionScores::branch(std::span<const BranchArrival> arrivals) {
  const BestWaiting best = best_waiting(arrivals);
  for (size_t i = 0; i < arrivals.size(); ++i) {
    if (arrivals[i].waited)
      ++(best.waits[i] ? stats_.stall_stall : stats_.stall_bypass);
    else
      ++(best.waits[i] ? stats_.bypass_stall : stats_.bypass_bypass);
  }
  if (!best.proven) stats_.open += arrivals.size();
  if (std::none_of(arrivals.begin(), arrivals.end(), [](const BranchArrival& each) { return each.diverged; })) return;
  for (size_t i = 0; i < arrivals.size(); ++i) stats_.right_where_parted += arrivals[i].waited == best.waits[i] ? 1 : 0;
  stats_.where_parted += arrivals.size();
}

}  // namespace heddle
