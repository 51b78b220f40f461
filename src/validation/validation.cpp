#include "validation/validation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle {
namespace {

// 1 for the least; equal values share the mean of their places.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (size_t i = first; i < end; ++i) ranks[order[i]] = static_cast<double>(first + end + 1) / 2;
    first = end;
  }
  return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n,
               mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa == 0 || bb == 0 ? 0 : ab / std::sqrt(aa * bb);
}

}  // namespace

const Beside* ValidatedKernel::find(std::string_view measure) const {
  const auto found = values.find(measure);
  return found == values.end() ? nullptr : &found->second;
}

Agreement agreement_of(const std::vector<Beside>& values) {
  Agreement agreement;
  agreement.count = values.size();
  if (values.empty()) return agreement;
  std::vector<double> hardware, simulated;
  for (const Beside& value : values) {
    agreement.mean_error += std::abs(value.error()) / static_cast<double>(values.size());
    agreement.times_off = std::max(agreement.times_off, value.times_off());
    hardware.push_back(value.hardware);
    simulated.push_back(value.simulated);
  }
  agreement.spearman = correlation(ranks_of(hardware), ranks_of(simulated));
  return agreement;
}

std::vector<Beside> Validation::all_of(std::string_view measure) const {
  std::vector<Beside> all;
  for (const ValidatedKernel& row : kernels)
    if (const Beside* value = row.find(measure); value && value->hardware > 0 && row.failure.empty())
      all.push_back(*value);
  return all;
}

std::vector<Beside> Validation::workload_cycles() const {
  std::vector<Beside> all;
  const std::string* last = nullptr;
  for (const ValidatedKernel& row : kernels) {
    const Beside* cycles = row.find("cycles");
    if (!cycles || !row.failure.empty()) continue;
    if (!last || *last != row.workload) all.emplace_back();
    last = &row.workload;
    all.back().hardware += cycles->hardware;
    all.back().simulated += cycles->simulated;
  }
  return all;
}

}  // namespace heddle
