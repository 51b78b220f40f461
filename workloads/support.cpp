#include "workloads/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::workloads {

uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t Random::below(uint32_t bound) { return static_cast<uint32_t>(((next() >> 32) * bound) >> 32); }

int32_t Random::between(int32_t low, int32_t high) {
  return low + static_cast<int32_t>(below(static_cast<uint32_t>(high - low) + 1));
}

float Random::unit() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

float Random::between(float low, float high) { return std::fma(high - low, unit(), low); }

namespace {

// Walks both arrays; `same` says whether an element is as it should be, `how` is the word for a pass.
template <class Expected, class Got, class Same>
Check compare_each(std::string_view what, const std::vector<Expected>& expected, const std::vector<Got>& got,
                   std::string_view how, Same same) {
  if (expected.size() != got.size())
    return {false, fmt::format("{}: expected {} values, got {}", what, expected.size(), got.size())};
  size_t differences = 0, first = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (same(expected[i], got[i])) continue;
    if (differences++ == 0) first = i;
  }
  if (differences == 0) return {true, fmt::format("{}: {} values {}", what, expected.size(), how)};
  return {false, fmt::format("{}: {} of {} values differ, first at index {}: expected {}, got {}", what, differences,
                             expected.size(), first, expected[first], got[first])};
}

template <class T>
Check compare_exact(std::string_view what, const std::vector<T>& expected, const std::vector<T>& got) {
  return compare_each(what, expected, got, "equal", [](T a, T b) { return a == b; });
}

}  // namespace

Check compare(std::string_view what, const std::vector<uint8_t>& expected, const std::vector<uint8_t>& got) {
  return compare_exact(what, expected, got);
}

Check compare(std::string_view what, const std::vector<int32_t>& expected, const std::vector<int32_t>& got) {
  return compare_exact(what, expected, got);
}

Check compare(std::string_view what, const std::vector<uint32_t>& expected, const std::vector<uint32_t>& got) {
  return compare_exact(what, expected, got);
}

Check compare(std::string_view what, const std::vector<float>& expected, const std::vector<float>& got) {
  return compare_exact(what, expected, got);
}

Check compare(std::string_view what, const std::vector<double>& expected, const std::vector<float>& got,
              Tolerance tolerance) {
  double worst = 0;  // in units of what is allowed
  Check check = compare_each(what, expected, got, "close", [&](double a, float b) {
    double error = std::abs(b - a) / (tolerance.absolute + tolerance.relative * std::abs(a));
    worst = std::max(worst, error);
    return error <= 1;  // false for not-a-number
  });
  check.detail += fmt::format(" (worst error {:.2f} of the tolerance)", worst);
  return check;
}

Check all_of(std::initializer_list<Check> checks) {
  Check all;
  for (const Check& check : checks) all.passed &= check.passed;
  for (const Check& check : checks) {
    if (check.passed != all.passed) continue;
    if (!all.detail.empty()) all.detail += "; ";
    all.detail += check.detail;
  }
  return all;
}

}  // namespace heddle::workloads
