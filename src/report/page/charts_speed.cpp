// Speed, and what becomes of the cycles.
#include <fmt/format.h>

#include <map>

#include "report/breakdown.h"
#include "report/page/charts.h"

namespace heddle {
namespace {

using Json = ReportData::Json;
using Value = std::optional<double>;

constexpr size_t kMostBars = 60;  // of one chart; more become a heat chart

bool crowded(const RunGroup& group) { return group.workloads.size() * group.mechanisms.size() > kMostBars; }

std::string workloads_text(size_t number) { return fmt::format("of {}", number); }

// A bar per workload and mechanism; in front the means, each over the workloads that it and the first mechanism got
// right.
template <class ValueOf, class MeanOf>
void fill_bars(Chart& chart, const RunGroup& group, ValueOf&& value_of, MeanOf&& mean_of) {
  chart.series = mechanism_series(group);
  chart.groups = "workload";
  if (crowded(group)) chart.kind = Chart::Kind::Heat;
  chart.yardstick = chart.from == 1;
  for (size_t m = 0; m < group.mechanisms.size() && group.workloads.size() > 1; ++m) {
    std::vector<double> values;
    for (size_t w = 0; w < group.workloads.size(); ++w)
      if (const Value value = value_of(w, m); value && group.passed(w, 0)) values.push_back(*value);
    const bool all = values.size() == group.workloads.size();
    chart.data.push_back({"mean", "", m, 0, mean_of(values), all ? "" : workloads_text(values.size())});
  }
  for (size_t w = 0; w < group.workloads.size(); ++w)
    for (size_t m = 0; m < group.mechanisms.size(); ++m) {
      const Value value = value_of(w, m);
      chart.data.push_back({group.workloads[w], "", m, 0, value, value ? "" : group.outcome(w, m)});
    }
}

// Issue slots by active threads, in the classes of the breakdown.
std::vector<std::pair<std::string, double>> slot_classes(const Json& total, unsigned warp_size) {
  std::vector<std::pair<std::string, double>> classes;
  const unsigned size = class_size(warp_size);
  for (unsigned low = 1; low <= warp_size; low += size) {
    double slots = 0;
    for (unsigned active = low; active < low + size && active <= total["active_threads"].size(); ++active)
      slots += total["active_threads"][active - 1].get<double>();
    classes.emplace_back(class_name(low, warp_size), slots);
  }
  return classes;
}

// Of a run that has none: none.
std::vector<std::pair<std::string, double>> parts_of(const RunGroup& group, size_t workload, size_t mechanism) {
  std::vector<std::pair<std::string, double>> parts;
  const Json* run = group.with(workload, mechanism, group.timed ? "breakdown" : "active_threads");
  if (!run) return parts;
  const Json& total = (*run)["total"];
  if (!group.timed) return slot_classes(total, (*run)["config"]["warp_size"].get<unsigned>());
  for (const auto& [name, cycles] : total["breakdown"].items())
    if (name != "W0_Phantom" || cycles != 0) parts.emplace_back(name, cycles.get<double>());
  return parts;
}

std::string class_colour(const std::string& name, size_t place) {
  if (name == "Stall") return "stall";
  if (name == "W0_Mem") return "mem";
  if (name == "W0_Idle") return "idle";
  if (name == "W0_Phantom") return "phantom";
  return fmt::format("w{}", place % 8 + 1);
}

size_t series_of(Chart& chart, const std::string& name, size_t place) {
  for (size_t i = 0; i < chart.series.size(); ++i)
    if (chart.series[i].name == name) return i;
  chart.series.push_back({name, class_colour(name, place)});
  return chart.series.size() - 1;
}

double whole_of(const RunGroup& group, size_t workload, size_t mechanism) {
  double sum = 0;
  for (const auto& [name, amount] : parts_of(group, workload, mechanism)) sum += amount;
  return sum;
}

Chart empty_breakdown(const RunGroup& group) {
  Chart chart;
  chart.kind = Chart::Kind::Stack;
  const std::string first = group.mechanisms[0], what = group.timed ? "cycles of all cores" : "issue slots";
  chart.title = fmt::format("Where the {} go under each mechanism", what);
  chart.caption = fmt::format(
      "Length: {}, over those of {}. W1-4 … W29-32: an instruction was issued for that many active threads.", what,
      first);
  if (group.timed)
    chart.caption +=
        " Stall: a warp was ready and the pipeline below did not take it. W0_Mem: nothing was ready, and some warp "
        "waited for memory. W0_Idle: nothing was ready, and nobody waited for memory.";
  chart.values = fmt::format("{} / those of {}", what, first);
  chart.groups = "workload";
  chart.command = group.command();
  return chart;
}

}  // namespace

Chart ipc_chart(const RunGroup& group) {
  Chart chart;
  chart.id = "ipc";
  if (!group.timed || group.mechanisms.size() < 2) return chart;
  chart.title = fmt::format("Speed of each mechanism against {}", group.mechanisms[0]);
  chart.caption = fmt::format(
      "Instructions per cycle over those of {}, workload by workload. {} The mean is the harmonic mean of the "
      "workloads "
      "whose result was right under both.",
      group.mechanisms[0],
      crowded(group) ? "Blue is faster, orange slower." : "Bars to the right are faster, to the left slower.");
  chart.values = fmt::format("IPC / IPC of {}", group.mechanisms[0]);
  chart.from = 1;
  chart.command = group.command();
  fill_bars(
      chart, group, [&](size_t w, size_t m) { return group.against_first(w, m, "ipc"); }, harmonic_mean);
  return chart;
}

Chart efficiency_chart(const RunGroup& group) {
  Chart chart;
  chart.id = "efficiency";
  chart.unit = Chart::Unit::Share;
  chart.title = "SIMD efficiency: how many lanes were active";
  chart.caption = "Active threads over all issue slots / (warp size × issue slots). The mean is arithmetic.";
  chart.values = "active lanes, % of those issued";
  chart.command = group.command();
  fill_bars(
      chart, group, [&](size_t w, size_t m) { return group.number(w, m, "simd_efficiency"); }, mean);
  return chart;
}

Chart idle_chart(const RunGroup& group) {
  Chart chart;
  chart.id = "idle";
  chart.unit = Chart::Unit::Share;
  if (!group.timed) return chart;
  chart.title = "Idle cycles: nothing was ready to issue";
  chart.caption = "W0_Mem + W0_Idle, of the cycles of all cores. The mean is arithmetic.";
  chart.values = "idle, % of the cycles of all cores";
  chart.command = group.command();
  fill_bars(
      chart, group, [&](size_t w, size_t m) { return group.idle(w, m); }, mean);
  return chart;
}

Chart breakdown_chart(const RunGroup& group) {
  Chart chart = empty_breakdown(group);
  chart.id = "breakdown";
  chart.folded = crowded(group);
  if (chart.folded) chart.title += ", workload by workload";
  for (size_t w = 0; w < group.workloads.size(); ++w)
    for (size_t m = 0; m < group.mechanisms.size(); ++m) {
      const double whole = whole_of(group, w, 0);
      if (whole == 0 || whole_of(group, w, m) == 0) continue;
      size_t place = 0;
      for (const auto& [name, amount] : parts_of(group, w, m))
        chart.data.push_back({group.workloads[w], group.mechanisms[m], series_of(chart, name, place++), 0,
                              amount / whole, fmt::format("{:.0f} {}", amount, group.timed ? "cycles" : "slots")});
    }
  return chart;
}

Chart mean_breakdown_chart(const RunGroup& group) {
  Chart chart = empty_breakdown(group);
  chart.id = "breakdown-mean";
  if (!crowded(group)) return chart;
  std::vector<size_t> common;
  for (size_t w = 0; w < group.workloads.size(); ++w) {
    size_t m = 0;
    while (m < group.mechanisms.size() && whole_of(group, w, m) > 0) ++m;
    if (m == group.mechanisms.size()) common.push_back(w);
  }
  chart.caption += fmt::format(" Arithmetic mean of the {} workloads that all of them got right.", common.size());
  for (size_t m = 0; m < group.mechanisms.size(); ++m) {
    std::map<size_t, double> sums;
    for (const size_t w : common) {
      size_t place = 0;
      for (const auto& [name, amount] : parts_of(group, w, m))
        sums[series_of(chart, name, place++)] += amount / whole_of(group, w, 0);
    }
    for (const auto& [series, sum] : sums)
      chart.data.push_back({"mean", group.mechanisms[m], series, 0, sum / static_cast<double>(common.size()), ""});
  }
  return chart;
}

Chart traffic_chart(const RunGroup& group) {
  Chart chart;
  chart.id = "traffic";
  if (!group.timed || !group.has("traffic")) return chart;
  chart.title = fmt::format("Memory traffic of each mechanism against {}", group.mechanisms[0]);
  chart.caption = fmt::format(
      "Bytes between the cores and memory in both directions, headers included, over those of {}. Threads that were "
      "regrouped touch more lines, or fewer. The mean is arithmetic.",
      group.mechanisms[0]);
  chart.values = fmt::format("bytes / bytes of {}", group.mechanisms[0]);
  chart.from = 1;
  chart.command = group.command();
  const auto bytes = [&](size_t w, size_t m) -> Value {
    const Value there = group.number(w, m, "traffic/request_bytes"), back = group.number(w, m, "traffic/reply_bytes");
    return there && back ? Value(*there + *back) : Value();
  };
  fill_bars(
      chart, group,
      [&](size_t w, size_t m) -> Value {
        const Value own = bytes(w, m), first = bytes(w, 0);
        return own && first && *first > 0 ? Value(*own / *first) : Value();
      },
      mean);
  return chart;
}

Chart stall_chart(const RunGroup& group) {
  Chart chart;
  chart.id = "stalls";
  if (!group.timed || !group.has("memory_stall_cycles")) return chart;
  chart.title = "Memory stalls: cycles in which the memory stage was blocked";
  chart.unit = Chart::Unit::Share;
  chart.caption =
      "Cycles in which the memory stage of a core held an instruction for longer than a warp instruction takes, of the "
      "cycles of all cores. The mean is arithmetic.";
  chart.values = "stalled, % of the cycles of all cores";
  chart.command = group.command();
  fill_bars(
      chart, group,
      [&](size_t w, size_t m) -> Value {
        const Value stalls = group.number(w, m, "memory_stall_cycles");
        const double all = whole_of(group, w, m);
        return stalls && all > 0 ? Value(*stalls / all) : Value();
      },
      mean);
  return chart;
}

}  // namespace heddle
