#include "experiment/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "run/runner.h"

namespace heddle {
namespace {

constexpr size_t kMostValues = 1000;      // of an axis
constexpr size_t kMostRuns = 100 * 1000;  // to look after so many takes a minute

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t unit = 1;
  if (text.ends_with('k')) unit = 1024;
  if (text.ends_with('m')) unit = 1024 * 1024;
  if (unit > 1) text.remove_suffix(1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (__builtin_mul_overflow(number, unit, &number)) return std::nullopt;
  return number;
}

// The number behind it in a range; none if there is none that fits.
std::optional<int64_t> next_of(int64_t value, bool doubles, int64_t by) {
  const bool over = doubles ? __builtin_mul_overflow(value, by, &value) : __builtin_add_overflow(value, by, &value);
  return over ? std::nullopt : std::optional(value);
}

// "16k..128k*2", "2..8+2", "2..8": those numbers.
std::vector<std::string> range_of(std::string_view text, std::string_view axis) {
  const size_t dots = text.find("..");
  std::string_view last = text.substr(dots + 2), step = "+1";
  if (const size_t sign = last.find_first_of("*+"); sign != std::string_view::npos) {
    step = last.substr(sign);
    last = last.substr(0, sign);
  }
  const std::optional<int64_t> from = whole_number(text.substr(0, dots)), to = whole_number(last),
                               by = whole_number(step.substr(1));
  const bool doubles = step.starts_with('*');
  if (!from || !to || !by || *by < (doubles ? 2 : 1) || (doubles && *from < 1) || *from > *to)
    throw Error(ExitCode::Usage,
                fmt::format("--vary {}: '{}' is no range; FROM..TO, FROM..TO+STEP or FROM..TO*FACTOR", axis, text));
  std::vector<std::string> values;
  for (std::optional<int64_t> value = from; value && *value <= *to; value = next_of(*value, doubles, *by)) {
    if (values.size() == kMostValues)
      throw Error(ExitCode::Usage, fmt::format("--vary {}: '{}' has more than {} values", axis, text, kMostValues));
    values.push_back(fmt::to_string(*value));
  }
  return values;
}

std::string* name_in(RunSpec& spec, std::string_view axis) {
  if (axis == "mechanism") return &spec.mechanism;
  if (axis == "lanes") return &spec.lanes;
  if (axis == "schedule") return &spec.schedule;
  if (axis == "preset") return &spec.preset;
  if (axis == "size") return &spec.size;
  if (axis == "compiler") return &spec.compiler;
  return nullptr;
}

// What is named twice counts once.
void drop_repeated(std::vector<std::string>& names) {
  std::set<std::string> seen;
  std::erase_if(names, [&](const std::string& name) { return !seen.insert(name).second; });
}

void assign(RunSpec& spec, const std::string& axis, const std::string& value) {
  if (std::string* const name = name_in(spec, axis))
    *name = value;
  else
    spec.settings.push_back(fmt::format("{}={}", axis, value));
}

}  // namespace

Axis axis_of(std::string_view text) {
  const size_t sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0)
    throw Error(ExitCode::Usage, fmt::format("--vary {}: KEY=VALUES is needed", text));
  Axis axis{std::string(text.substr(0, sign)), {}};
  for (std::string_view value : split(text.substr(sign + 1), ',')) {
    if (value.find("..") != std::string_view::npos && axis.name != "preset")
      for (std::string& each : range_of(value, axis.name)) axis.values.push_back(std::move(each));
    else if (const std::optional<int64_t> number = whole_number(value))
      axis.values.push_back(fmt::to_string(*number));
    else
      axis.values.emplace_back(value);
  }
  if (axis.values.empty()) throw Error(ExitCode::Usage, fmt::format("--vary {}: no value", text));
  return axis;
}

Sweep::Sweep(RunSpec base, std::vector<std::string> workloads, std::vector<Axis> axes)
    : base_(std::move(base)), workloads_(std::move(workloads)), axes_(std::move(axes)) {
  drop_repeated(workloads_);
  for (Axis& axis : axes_) drop_repeated(axis.values);
  check_values();
  check_size();
  make_points();
  check_settings();
}

// One value at a time: what is wrong by itself is a mistake, what goes wrong together is a point that cannot be.
void Sweep::check_values() const {
  for (size_t i = 0; i < axes_.size(); ++i) {
    const Axis& axis = axes_[i];
    if (axis.values.empty()) throw Error(ExitCode::Usage, fmt::format("'{}' varies, and has no value", axis.name));
    for (const std::string& setting : base_.settings)
      if (key_of(setting) == axis.name) throw Error(ExitCode::Usage, fmt::format("'{}' is set, and varies", axis.name));
    for (size_t j = 0; j < i; ++j)
      if (axes_[j].name == axis.name)
        throw Error(ExitCode::Usage, fmt::format("'{}' varies twice; one --vary takes all its values", axis.name));
    if (base_.kind != RunSpec::Kind::Workload && (axis.name == "size" || axis.name == "compiler"))
      throw Error(ExitCode::Usage, fmt::format("--vary {}: a CUDA program has none", axis.name));
    for (const std::string& value : axis.values) {
      RunSpec spec = base_;
      if (!name_in(spec, axis.name)) config_of(spec).set(fmt::format("{}={}", axis.name, value));
      assign(spec, axis.name, value);
      for (const std::string& workload : workloads_) {
        spec.program = workload;
        check_names(spec);
      }
    }
  }
}

void Sweep::check_size() const {
  size_t runs = workloads_.size();
  for (const Axis& axis : axes_) runs = std::min(runs, kMostRuns + 1) * axis.values.size();
  if (runs > kMostRuns)
    throw Error(ExitCode::Usage, fmt::format("the product has more than {} runs: several sweeps, please", kMostRuns));
}

void Sweep::make_points() {
  points_.push_back({{}, base_, "", {}});
  for (const Axis& axis : axes_) {
    std::vector<Point> more;
    for (const Point& point : points_)
      for (const std::string& value : axis.values) {
        more.push_back(point);
        more.back().values.push_back(value);
        assign(more.back().spec, axis.name, value);
      }
    points_ = std::move(more);
  }
  for (Point& point : points_) try {
      config_of(point.spec);
    } catch (const Error& error) {
      point.contradiction = error.what();
    }
}

// A key counts if it does at some point.
void Sweep::check_settings() const {
  std::vector<RunParts> parts;
  const Point* possible = nullptr;
  for (const Point& point : points_) {
    if (!point.contradiction.empty()) continue;
    parts.push_back(parts_of(point.spec));
    if (!possible) possible = &point;
  }
  if (!possible)
    throw Error(ExitCode::Usage, fmt::format("no point of this sweep can be: {}", points_[0].contradiction));
  check_read(possible->spec.settings, config_of(possible->spec), parts);
}

std::string Sweep::name(size_t point) const {
  std::string text;
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (axes_[i].values.size() == 1 && axes_.size() > 1) continue;
    const std::string& value = points_[point].values[i];
    text += (text.empty() ? "" : ", ") + (axes_[i].name == "mechanism" ? value : axes_[i].name + "=" + value);
  }
  return text.empty() ? "the only one" : text;
}

void Sweep::need(Batch& batch) {
  for (Point& point : points_) {
    if (!point.contradiction.empty()) continue;
    for (const std::string& workload : workloads_) {
      RunSpec spec = point.spec;
      spec.program = workload;
      point.runs.push_back(batch.need(std::move(spec)));
    }
  }
}

const Batch::Run* Sweep::run(const Batch& batch, size_t point, size_t workload) const {
  const std::vector<size_t>& runs = points_[point].runs;
  return runs.empty() ? nullptr : &batch.runs()[runs[workload]];
}

}  // namespace heddle
