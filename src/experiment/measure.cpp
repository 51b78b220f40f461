#include "experiment/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

bool about_outcome(const std::string& field) { return field == "passed" || field == "refused"; }

std::optional<double> number_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  if (json.is_number()) return json.get<double>();
  if (!json.is_object()) return std::nullopt;
  double sum = 0;
  for (const auto& [name, value] : json.items())
    if (value.is_number()) sum += value.get<double>();
  return sum;
}

std::optional<double> summed(const Record& record, const std::vector<std::string>& fields) {
  double sum = 0;
  for (const std::string& field : fields) {
    const std::optional<double> value = field_of(record, field);
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum;
}

std::optional<double> largest(const Record& record, const std::vector<std::string>& fields) {
  std::optional<double> result;
  for (const std::string& field : fields) {
    const std::optional<double> value = field_of(record, field);
    if (!value) return std::nullopt;
    result = std::max(result.value_or(*value), *value);
  }
  return result;
}

// One run's statistic on one workload, or why there is none.
struct One {
  std::optional<double> value;
  std::string missing;
};

One one(const Part& part, const Records& records, const std::string& run, const std::string& workload) {
  const Record* record = records(run, workload);
  if (!record) return {std::nullopt, "not measured"};
  const bool outcome = part.value.fields.size() == 1 && about_outcome(part.value.fields[0]);
  if (!record->passed() && !outcome) return {std::nullopt, fmt::format("{} under {}", outcome_of(*record), run)};
  const std::optional<double> value = statistic_of(*record, part.value);
  return {value, value ? "" : fmt::format("nothing to count under {}", run)};
}

// The best of several runs, of those that ended right.
One best(const Part& part, const Records& records, const std::vector<std::string>& runs, const std::string& workload) {
  One result;
  for (const std::string& run : runs) {
    const One next = one(part, records, run, workload);
    if (!next.value) {
      if (!result.value) result.missing = next.missing;
    } else if (!result.value || *next.value > *result.value) {
      result = next;
    }
  }
  return result;
}

One ratio(const One& above, const One& below) {
  if (!above.value) return above;
  if (!below.value) return below;
  if (*below.value == 0 && *above.value == 0) return {std::nullopt, "none in either"};
  if (*below.value == 0) return {std::nullopt, "none to compare with"};
  return {*above.value / *below.value, ""};
}

bool wanted(const Part& part, const Records& records, const std::string& workload) {
  if (!part.only) return true;
  const Record* record = records(part.of.front(), workload);
  if (!record || !record->passed()) return true;  // said to be missing, rather than left out
  const std::optional<double> value = statistic_of(*record, part.only->statistic);
  return value && part.only->is.contains(*value);
}

std::vector<double> values_of(const std::vector<WorkloadValue>& workloads) {
  std::vector<double> values;
  for (const WorkloadValue& each : workloads)
    if (each.value) values.push_back(*each.value);
  return values;
}

// Both sides folded by themselves, each over the workloads it ran right.
std::optional<double> ratio_of_folds(const Part& part, const Records& records) {
  std::vector<double> above, below;
  for (const std::string& workload : part.on) {
    if (!wanted(part, records, workload)) continue;
    const One base = one(part, records, part.via, workload);
    const One first = ratio(best(part, records, part.of, workload), base);
    const One second = ratio(best(part, records, part.over, workload), base);
    if (first.value) above.push_back(*first.value);
    if (second.value) below.push_back(*second.value);
  }
  const std::optional<double> a = folded(part.fold, above, nullptr), b = folded(part.fold, below, nullptr);
  if (!a || !b || *b == 0) return std::nullopt;
  return *a / *b;
}

}  // namespace

std::string outcome_of(const Record& record) {
  switch (static_cast<ExitCode>(record.exit_code)) {
    case ExitCode::CheckFailed: return "FAILED";
    case ExitCode::Refused: return "refused";
    case ExitCode::Deadlock: return "deadlock";
    case ExitCode::Fault: return "fault";
    case ExitCode::BadLaunch: return "does not fit";
    case ExitCode::Interrupted: return "interrupted";
    case ExitCode::Ok:
    case ExitCode::Found:
    case ExitCode::Usage:
    case ExitCode::BadProgram:
    case ExitCode::Internal: break;
    case ExitCode::Host: return "not on this machine";
  }
  return "error";
}

std::optional<double> field_of(const Record& record, const std::string& path) {
  if (path == "passed") return record.passed() ? 1 : 0;
  if (path == "refused") return record.exit_code == static_cast<int>(ExitCode::Refused) ? 1 : 0;
  const Json* at = &record.total;
  for (std::string_view step : split(path, '.')) {
    const auto found = at->is_object() ? at->find(std::string(step)) : at->end();
    if (!at->is_object() || found == at->end()) return std::nullopt;
    at = &*found;
  }
  return number_of(*at);
}

std::optional<double> statistic_of(const Record& record, const Statistic& statistic) {
  const std::optional<double> value = summed(record, statistic.fields);
  if (!value || (statistic.per.empty() && statistic.per_largest.empty())) return value;
  const std::optional<double> per =
      statistic.per.empty() ? largest(record, statistic.per_largest) : summed(record, statistic.per);
  if (!per || *per == 0) return std::nullopt;
  return *value / *per;
}

std::optional<double> folded(Fold fold, const std::vector<double>& values, const Condition* is) {
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  switch (fold) {
    case Fold::Harmonic:
      for (double value : values) {
        if (value <= 0) return 0;
        sum += 1 / value;
      }
      return count / sum;
    case Fold::Arithmetic:
      for (double value : values) sum += value;
      return sum / count;
    case Fold::Max: return *most;
    case Fold::Min: return *least;
    case Fold::Spread: return *least == 0 ? std::optional<double>() : *most / *least;
    case Fold::Share:
      for (double value : values) sum += is->contains(value) ? 1 : 0;
      return sum / count;
    case Fold::Each: break;
  }
  return std::nullopt;
}

Measured measure_part(const Part& part, const Records& records) {
  Measured result;
  for (const std::string& workload : part.on) {
    if (!wanted(part, records, workload)) continue;
    One value = best(part, records, part.of, workload);
    if (part.ratio()) value = ratio(value, best(part, records, part.over, workload));
    result.workloads.push_back({workload, value.value, value.missing});
  }
  result.figure = part.via.empty() ? folded(part.fold, values_of(result.workloads), part.is ? &*part.is : nullptr)
                                   : ratio_of_folds(part, records);
  return result;
}

}  // namespace heddle
