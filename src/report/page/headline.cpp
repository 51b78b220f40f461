// The table a reader sees first: every mechanism in a line, and who wins where.
#include <fmt/format.h>

#include <algorithm>

#include "report/page/escape.h"
#include "report/page/sections.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = ReportData::Json;
using Value = std::optional<double>;

constexpr double kDivergent = 0.76;    // SIMD efficiency below which a workload is divergent: heddle list workloads
constexpr double kResolution = 0.005;  // IPCs that are nearer do not differ, as in heddle reproduce

// Which workloads a mean is over.
enum class Class : uint8_t { All, Divergent, Coherent };

bool of_class(const RunGroup& group, size_t workload, Class which) {
  if (which == Class::All) return true;
  const Value efficiency = group.number(workload, 0, "simd_efficiency");
  return efficiency && (*efficiency < kDivergent) == (which == Class::Divergent);
}

template <class ValueOf>
std::vector<double> over_workloads(const RunGroup& group, size_t mechanism, Class which, ValueOf&& value_of) {
  std::vector<double> values;
  for (size_t w = 0; w < group.workloads.size(); ++w)
    if (group.passed(w, mechanism) && group.passed(w, 0) && of_class(group, w, which))
      if (const Value value = value_of(w)) values.push_back(*value);
  return values;
}

std::string ratio_text(const Value& value) { return value ? fmt::format("{:.3f}", *value) : "–"; }
std::string share_text(const Value& value) { return value ? percent(*value) : "–"; }

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::string cell(const std::string& text) { return fmt::format("<td>{}</td>", escaped(text)); }

std::string speed_cells(const RunGroup& group, size_t m) {
  std::string text;
  const auto ratio = [&](size_t w) { return group.against_first(w, m, "ipc"); };
  for (const Class which : {Class::Divergent, Class::Coherent, Class::All})
    text += cell(ratio_text(harmonic_mean(over_workloads(group, m, which, ratio))));
  return text;
}

// The mechanism with the highest IPC; of those within the resolution, the first.
std::optional<size_t> winner(const RunGroup& group, size_t workload) {
  double best = 0;
  for (size_t m = 0; m < group.mechanisms.size(); ++m)
    best = std::max(best, group.number(workload, m, "ipc").value_or(0));
  for (size_t m = 0; m < group.mechanisms.size(); ++m)
    if (const Value ipc = group.number(workload, m, "ipc"); ipc && *ipc >= best * (1 - kResolution)) return m;
  return std::nullopt;
}

size_t wins(const RunGroup& group, size_t mechanism) {
  size_t won = 0;
  for (size_t w = 0; w < group.workloads.size(); ++w) won += winner(group, w) == mechanism;
  return won;
}

std::string row_of(const RunGroup& group, size_t m) {
  const auto number = [&](const char* field) { return [&, field](size_t w) { return group.number(w, m, field); }; };
  std::string text = fmt::format("<tr><th scope=row><span class=\"key {}\"></span>{}</th>",
                                 mechanism_colour(group.mechanisms[m]), escaped(group.mechanisms[m]));
  if (group.timed) text += speed_cells(group, m);
  text += cell(share_text(mean(over_workloads(group, m, Class::All, number("simd_efficiency")))));
  if (group.timed) {
    text += cell(share_text(mean(over_workloads(group, m, Class::All, [&](size_t w) { return group.idle(w, m); }))));
    text += cell(std::to_string(wins(group, m)));
  }
  text += cell(fmt::format("{:.0f}", largest(over_workloads(group, m, Class::All, number("state_bits_per_warp")))));
  const size_t counted = over_workloads(group, m, Class::All, number("issue_slots")).size();
  return text + cell(fmt::format("{} of {}", counted, group.workloads.size())) + "</tr>\n";
}

}  // namespace

std::string headline_html(const RunGroup& group) {
  std::string text =
      "<div class=scroll tabindex=0 role=region aria-label=\"mechanisms in one line each\"><table class=headline>\n";
  if (group.timed)
    text += fmt::format(
        "<thead><tr><th scope=col>mechanism</th><th scope=col>IPC / {} divergent</th><th scope=col>coherent</th><th "
        "scope=col>all</th><th scope=col>SIMD eff.</th><th scope=col>idle</th><th scope=col>fastest on</th><th "
        "scope=col>state, bits per warp</th><th scope=col>counted</th></tr></thead><tbody>\n",
        escaped(group.mechanisms[0]));
  else
    text +=
        "<thead><tr><th scope=col>mechanism</th><th scope=col>SIMD eff.</th><th scope=col>state, bits per warp</th><th "
        "scope=col>counted</th></tr></thead><tbody>\n";
  for (size_t m = 0; m < group.mechanisms.size(); ++m) text += row_of(group, m);
  text += "</tbody></table></div>\n<p class=soft>";
  if (group.timed)
    text += fmt::format(
        "IPC over that of {0}: harmonic means; divergent: workloads whose SIMD efficiency under {0} is below 76 %. "
        "Fastest on: of those within 0.5 % of the highest IPC, the first. ",
        escaped(group.mechanisms[0]));
  return text +
         "Efficiency and idle: arithmetic means. State: the most that any workload needed. Counted: workloads whose "
         "result was right under it and under the first mechanism.</p>\n";
}

std::string failures_html(const RunGroup& group) {
  std::string text;
  for (size_t w = 0; w < group.workloads.size(); ++w)
    for (size_t m = 0; m < group.mechanisms.size(); ++m)
      if (!group.at(w, m).empty() && !group.passed(w, m))
        text += fmt::format("<li><b>{} under {}</b>: {}. {}</li>\n", escaped(group.workloads[w]),
                            escaped(group.mechanisms[m]), escaped(group.outcome(w, m)), escaped(group.why(w, m)));
  if (text.empty()) return text;
  return "<details class=failures><summary>Runs that do not count</summary><ul>\n" + text + "</ul></details>\n";
}

}  // namespace heddle
