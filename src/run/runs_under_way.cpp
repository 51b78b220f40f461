#include "run/runs_under_way.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kMostNames = 2;

double since(std::chrono::steady_clock::time_point moment) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count();
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void RunsUnderWay::start(size_t done, unsigned jobs) {
  const std::lock_guard lock(mutex_);
  done_ = all_ = done;
  jobs_ = jobs;
}

void RunsUnderWay::expect(const std::string& kind) {
  const std::lock_guard lock(mutex_);
  ++all_;
  ++waiting_[kind];
}

void RunsUnderWay::took(const std::string& kind, double seconds) {
  const std::lock_guard lock(mutex_);
  auto& [all, count] = spent_[kind];
  all += seconds;
  ++count;
}

void RunsUnderWay::begins(size_t run, std::string name, const std::string& kind) {
  const std::lock_guard lock(mutex_);
  --waiting_[kind];
  running_[run] = {std::move(name), kind, std::chrono::steady_clock::now()};
}

void RunsUnderWay::ends(size_t run, bool counts) {
  const std::lock_guard lock(mutex_);
  const Running ended = running_.at(run);
  running_.erase(run);
  if (!counts) return;
  auto& [seconds, count] = spent_[ended.kind];
  seconds += since(ended.since);
  ++count;
  ++done_;
}

double RunsUnderWay::usual(const std::string& kind) const {
  if (const auto known = spent_.find(kind); known != spent_.end()) return known->second.first / known->second.second;
  double seconds = 0;
  unsigned count = 0;
  for (const auto& [each, spent] : spent_) {
    seconds += spent.first;
    count += spent.second;
  }
  return seconds / count;
}

double RunsUnderWay::seconds_left() const {
  if (spent_.empty()) return -1;
  double left = 0;
  for (const auto& [kind, count] : waiting_)
    if (count > 0) left += count * usual(kind);
  for (const auto& [run, running] : running_) left += std::max(0.0, usual(running.kind) - since(running.since));
  return left / jobs_;
}

std::string RunsUnderWay::text() const {
  const std::lock_guard lock(mutex_);
  std::string names;
  size_t shown = 0;
  for (const auto& [run, running] : running_)
    if (!running.name.empty() && shown++ < kMostNames)
      names += fmt::format("{}{}", names.empty() ? "now " : ", ", running.name);
  if (shown > kMostNames) names += fmt::format(" and {} more", shown - kMostNames);
  if (!names.empty()) names += "; ";
  const double left = seconds_left();
  return fmt::format("{} of {} runs done, {}{}", done_, all_, names,
                     left < 0 ? "no estimate yet" : fmt::format("about {} left", duration_text(left)));
}

}  // namespace heddle
