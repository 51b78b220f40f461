// Curves over one key of the machine, found among runs that differ in nothing else.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "report/page/charts.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

// What the papers call it.
struct Known {
  std::string_view key, name;
  bool zero_is_no_limit;
};
constexpr Known kKnown[] = {{"capt_entries", "CAPT size (rows of the prediction table)", true},
                            {"warp_size", "warp size (threads)", false},
                            {"fetch_group", "fetch group (warps)", false},
                            {"large_warp_size", "large warp size (threads)", false}};

const Known* known(const std::string& key) {
  const auto* found =
      std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& each) { return each.key == key; });
  return found == std::end(kKnown) ? nullptr : found;
}

double place_on_axis(const std::string& key, double value) {
  const Known* row = known(key);
  return row && row->zero_is_no_limit && value == 0 ? std::numeric_limits<double>::infinity() : value;
}

// Numeric keys that have several values among these runs.
std::set<std::string> varying_keys(const ReportData& results) {
  std::map<std::string, std::set<double>> values;
  for (const Json& run : results.runs)
    for (const auto& [key, value] : run["config"].items())
      if (value.is_number()) values[key].insert(value.get<double>());
  std::set<std::string> keys;
  for (const auto& [key, of_key] : values)
    if (of_key.size() > 1) keys.insert(key);
  return keys;
}

constexpr size_t kFewestPoints = 3;  // of a curve

using Points = std::map<double, std::map<std::string, double>>;  // by value of the key: workload → figure

struct Sweep {
  std::string words, title;  // the machine
  bool timed = false;
  std::map<std::string, Points> mechanisms;
};

std::vector<Sweep> sweeps_over(const std::string& key, const ReportData& results) {
  std::map<std::string, Sweep> sweeps;
  for (const Json& run : results.runs) {
    if (run["exit_code"] != 0 || !run["config"].contains(key) || !run["config"][key].is_number()) continue;
    const std::string words = machine_words(run, key);
    Sweep& sweep = sweeps[words];
    sweep.words = words;
    if (sweep.title.empty()) sweep.title = machine_title(run, key);
    sweep.timed = run["fidelity"] == "cycle";
    const double figure = run["total"].value(sweep.timed ? "ipc" : "simd_efficiency", 0.0);
    if (figure <= 0) continue;
    const double x = place_on_axis(key, run["config"][key].get<double>());
    sweep.mechanisms[run["mechanism"]][x][run["program"]] = figure;
  }
  std::vector<Sweep> result;
  for (auto& [words, sweep] : sweeps) {
    std::erase_if(sweep.mechanisms, [](const auto& each) { return each.second.size() < kFewestPoints; });
    if (!sweep.mechanisms.empty()) result.push_back(std::move(sweep));
  }
  return result;
}

// Workloads that all points of all curves have.
std::set<std::string> common_workloads(const Sweep& sweep) {
  std::optional<std::set<std::string>> common;
  for (const auto& [mechanism, points] : sweep.mechanisms)
    for (const auto& [x, figures] : points) {
      std::set<std::string> here;
      for (const auto& [workload, figure] : figures)
        if (!common || common->contains(workload)) here.insert(workload);
      common = here;
    }
  return common.value_or(std::set<std::string>{});
}

Sweep points_with(size_t workloads, Sweep sweep) {
  for (auto& [mechanism, points] : sweep.mechanisms)
    std::erase_if(points, [&](const auto& point) { return point.second.size() < workloads; });
  std::erase_if(sweep.mechanisms, [](const auto& each) { return each.second.size() < kFewestPoints; });
  return sweep;
}

// Where some points were measured with few workloads: the others, so that the curve stands for more workloads.
Sweep without_poor_points(const Sweep& sweep) {
  std::set<size_t> sizes;
  for (const auto& [mechanism, points] : sweep.mechanisms)
    for (const auto& [x, figures] : points) sizes.insert(figures.size());
  Sweep best = sweep;
  for (const size_t size : sizes)
    if (Sweep rest = points_with(size, sweep); common_workloads(rest).size() > common_workloads(best).size())
      best = std::move(rest);
  return best;
}

Chart chart_of(const std::string& key, const Sweep& sweep, const std::set<std::string>& workloads) {
  const std::string name = known(key) ? std::string(known(key)->name) : key;
  Chart chart;
  chart.kind = Chart::Kind::Lines;
  chart.unit = sweep.timed ? Chart::Unit::Ratio : Chart::Unit::Share;
  chart.id = "curve-" + key;
  chart.title = fmt::format("{} by {}", sweep.timed ? "Instructions per cycle" : "SIMD efficiency", name);
  chart.caption = fmt::format("{} mean of {}: {}. The axis need not begin at 0. Machine: {}.",
                              sweep.timed ? "Harmonic" : "Arithmetic",
                              workloads.size() == 1 ? "one workload" : fmt::format("{} workloads", workloads.size()),
                              fmt::join(workloads, ", "), sweep.title);
  chart.values = sweep.timed ? "IPC (thread instructions per cycle)" : "active lanes, % of those issued";
  chart.groups = name;
  for (const auto& [mechanism, points] : sweep.mechanisms) {
    chart.series.push_back({mechanism, mechanism_colour(mechanism)});
    for (const auto& [x, figures] : points) {
      std::vector<double> numbers;
      for (const auto& [workload, figure] : figures)
        if (workloads.contains(workload)) numbers.push_back(figure);
      chart.data.push_back(
          {"", "", chart.series.size() - 1, x, sweep.timed ? harmonic_mean(numbers) : mean(numbers), ""});
    }
  }
  std::stable_sort(chart.data.begin(), chart.data.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  std::vector<std::string> names;
  for (const Chart::Series& series : chart.series) names.push_back(series.name);
  std::string command;
  double last = -1;
  for (const Chart::Datum& datum : chart.data) {
    if (datum.x == last) continue;
    last = datum.x;
    command += fmt::format("{}{:g}", command.empty() ? "" : " ", std::isinf(last) ? 0 : last);
  }
  chart.command =
      fmt::format("for n in {}; do heddle compare {} --mechanisms {} {} --set {}=$n --json results/{}-$n.json; done",
                  command, fmt::join(workloads, " "), fmt::join(names, ","), sweep.words, key, key);
  return chart;
}

}  // namespace

std::vector<Chart> sweep_charts(const ReportData& results) {
  std::vector<Chart> charts;
  for (const std::string& key : varying_keys(results)) {
    size_t number = 0;
    const auto add = [&](const Sweep& sweep, const std::set<std::string>& workloads) {
      if (workloads.empty()) return;
      charts.push_back(chart_of(key, sweep, workloads));
      if (number++ > 0) charts.back().id += fmt::format("-{}", number);
    };
    for (const Sweep& sweep : sweeps_over(key, results)) {
      const std::set<std::string> all = common_workloads(sweep);
      add(sweep, all);
      const Sweep rest = without_poor_points(sweep);
      if (const std::set<std::string> more = common_workloads(rest); more.size() > all.size()) add(rest, more);
    }
  }
  return charts;
}

}  // namespace heddle
