#include "validation/validation_text.h"

#include <fmt/format.h>

#include <cmath>

namespace heddle {
namespace {

constexpr double kMicroGoal = 0.05;

constexpr Measure kShown[] = {{"cycles", "cycles", "cycles of kernels"},
                              {"instructions", "instructions", "machine instructions"},
                              {"thread_instructions", "threads", "thread instructions"},
                              {"l1_sectors", "L1 sectors", "L1 sectors"},
                              {"l2_sectors", "L2 sectors", "L2 sectors"}};

}  // namespace

std::span<const Measure> shown_measures() { return kShown; }

std::string error_text(const Beside& value) { return fmt::format("{:+.1f} %", 100 * value.error()); }

std::string error_cell(const ValidatedKernel& row, std::string_view measure) {
  const Beside* value = row.find(measure);
  return value && value->hardware > 0 ? error_text(*value) : "";
}

std::string near_sentence(const std::vector<ValidatedMicro>& rows) {
  size_t near = 0;
  for (const ValidatedMicro& row : rows) near += row.failure.empty() && std::abs(row.value.error()) <= kMicroGoal;
  return fmt::format("{} of {} within {:.0f} %", near, rows.size(), 100 * kMicroGoal);
}

std::vector<Agreeing> agreements_of(const Validation& validation) {
  std::vector<Agreeing> all;
  const auto add = [&](std::string_view name, std::string_view what, const std::vector<Beside>& values) {
    if (!values.empty()) all.push_back({std::string(name), std::string(what), agreement_of(values)});
  };
  for (const Measure& measure : kShown) {
    add(measure.name, measure.what, validation.all_of(measure.name));
    if (measure.name == "cycles") add("workload_cycles", "cycles of workloads", validation.workload_cycles());
  }
  return all;
}

std::string sentence_of(const Agreement& agreement) {
  return fmt::format("mean absolute error {:.1f} % over {}, Spearman {:.3f}, the worst off by {:.2f} x",
                     100 * agreement.mean_error, agreement.count, agreement.spearman, agreement.times_off);
}

}  // namespace heddle
