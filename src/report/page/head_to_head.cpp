// All mechanisms on one machine, as heddle reproduce has laid them side by side.
#include <fmt/format.h>

#include <algorithm>

#include "report/page/escape.h"
#include "report/page/sections.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = ReportData::Json;
using Value = std::optional<double>;

Value number_of(const Json& json, const char* field) {
  return json.contains(field) && json[field].is_number() ? Value(json[field].get<double>()) : Value();
}

const Json& mechanisms_of(const Json& experiment) { return experiment.at("head_to_head").at("mechanisms"); }
const Json& workloads_of(const Json& experiment) { return experiment.at("head_to_head").at("workloads"); }

std::string name_of(const Json& mechanism) { return mechanism.at("name").get<std::string>(); }

std::string first_of(const Json& experiment) {
  const Json& mechanisms = mechanisms_of(experiment);
  return mechanisms.empty() ? "" : name_of(mechanisms.front());
}

// Workloads of a class that `counts`.
template <class Counts>
size_t count(const Json& experiment, const char* of_class, Counts&& counts) {
  const Json& list = workloads_of(experiment);
  return static_cast<size_t>(std::count_if(
      list.begin(), list.end(), [&](const Json& each) { return each.value("class", "") == of_class && counts(each); }));
}

std::string wins_text(const Json& experiment, const std::string& mechanism) {
  const auto won = [&](const Json& each) { return each.at("winner").is_string() && each["winner"] == mechanism; };
  return fmt::format("{} + {}", count(experiment, "divergent", won), count(experiment, "coherent", won));
}

enum class As : uint8_t { Change, Share, Times, Count };

std::string text_of(double value, As as) {
  switch (as) {
    case As::Change: return fmt::format("{:+.1f} %", 100 * (value - 1));
    case As::Share: return percent(value);
    case As::Times: return fmt::format("{:.2f} ×", value);
    case As::Count: return fmt::format("{:.0f}", value);
  }
  return "";
}

struct Column {
  const char *field, *heading;
  As as;
};
constexpr Column kBefore[] = {{"ipc_divergent", "IPC: divergent", As::Change},
                              {"ipc_coherent", "coherent", As::Change},
                              {"ipc_all", "all", As::Change},
                              {"simd_efficiency", "SIMD eff.", As::Share},
                              {"idle", "idle", As::Share},
                              {"memory_stalls_against_first", "memory stalls", As::Times},
                              {"state_bits_per_warp", "bits per warp", As::Count}};
constexpr Column kAfter[] = {{"refused", "refused", As::Count}, {"failed", "wrong", As::Count}};

std::string cell(const Json& mechanism, const Column& column) {
  const Value value = number_of(mechanism, column.field);
  if (!value) return "<td class=none>–</td>";
  return fmt::format("<td data-field={} data-value=\"{}\">{}</td>", column.field, *value, text_of(*value, column.as));
}

std::string row_of(const Json& experiment, const Json& mechanism) {
  const std::string name = name_of(mechanism);
  std::string text = fmt::format("<tr><th scope=row>{}</th>", escaped(name));
  for (const Column& column : kBefore) text += cell(mechanism, column);
  text += fmt::format("<td>{}</td>", wins_text(experiment, name));
  for (const Column& column : kAfter) text += cell(mechanism, column);
  return text + "</tr>\n";
}

}  // namespace

std::string contenders_html(const Json& experiment) {
  std::string text =
      "<div class=scroll tabindex=0 role=region aria-label=\"mechanisms in one line each\"><table "
      "class=\"headline contenders\"><thead><tr><th scope=col>mechanism</th>";
  for (const Column& column : kBefore) text += fmt::format("<th scope=col>{}</th>", column.heading);
  text += "<th scope=col>fastest on</th>";
  for (const Column& column : kAfter) text += fmt::format("<th scope=col>{}</th>", column.heading);
  text += "</tr></thead><tbody>\n";
  for (const Json& mechanism : mechanisms_of(experiment)) text += row_of(experiment, mechanism);
  const auto in_means = [](const Json& each) { return each.value("in_means", false); };
  return text + fmt::format(
                    "</tbody></table></div>\n<p class=soft>IPC over that of {0}: harmonic means over the {1} divergent "
                    "(SIMD efficiency under {0} below 76 %) and {2} coherent workloads that all of them ran right. "
                    "Efficiency and idle: arithmetic means. Memory stalls: cycles, summed, over those of {0}. Bits per "
                    "warp: the most that any workload needed. Fastest on: divergent + coherent workloads; of those "
                    "within 0.5 % of the highest IPC the first; bounds that no hardware has win nothing. Where cores "
                    "are mostly idle, the inputs do not fill the machine, and ranks say little.</p>\n",
                    escaped(first_of(experiment)), count(experiment, "divergent", in_means),
                    count(experiment, "coherent", in_means));
}

Chart contenders_chart(const Json& experiment, const std::string& command) {
  const std::string first = first_of(experiment);
  Chart chart;
  chart.id = "contenders";
  chart.title = fmt::format("Mean speed of all mechanisms against {}, on divergent and on coherent workloads", first);
  chart.caption = fmt::format(
      "Instructions per cycle over those of {}: harmonic means over the workloads that every mechanism ran right. Bars "
      "to the right are faster, to the left slower.",
      first);
  chart.values = fmt::format("IPC / IPC of {}", first);
  chart.groups = "mechanism";
  chart.from = 1;
  chart.command = command;
  chart.series = {{"divergent", "m5"}, {"coherent", "m3"}, {"all", "m0"}};
  constexpr const char* kFields[] = {"ipc_divergent", "ipc_coherent", "ipc_all"};
  for (const Json& mechanism : mechanisms_of(experiment))
    for (size_t i = 0; i < 3; ++i)
      chart.data.push_back({name_of(mechanism), "", i, 0, number_of(mechanism, kFields[i]), ""});
  return chart;
}

Chart contests_chart(const Json& experiment, const std::string& command) {
  const std::string first = first_of(experiment);
  Chart chart;
  chart.kind = Chart::Kind::Heat;
  chart.id = "contests";
  chart.title = "Which mechanism wins where";
  chart.caption = fmt::format(
      "Instructions per cycle over those of {}, workload by workload; divergent workloads above, coherent ones below. "
      "Blue is faster, orange slower; the fastest has a frame.",
      first);
  chart.values = fmt::format("IPC / IPC of {}", first);
  chart.groups = "workload";
  chart.from = 1;
  chart.command = command;
  for (const Json& mechanism : mechanisms_of(experiment))
    chart.series.push_back({name_of(mechanism), mechanism_colour(name_of(mechanism))});
  for (const char* of_class : {"divergent", "coherent"})
    for (const Json& contest : workloads_of(experiment)) {
      if (contest.value("class", "") != of_class) continue;
      const Json missing = contest.value("missing", Json::object());
      for (size_t i = 0; i < chart.series.size(); ++i) {
        const std::string& name = chart.series[i].name;
        const Value ratio = number_of(contest.at("ipc_against_first"), name.c_str());
        chart.data.push_back({contest.at("workload"), of_class, i, 0, ratio, ratio ? "" : missing.value(name, ""),
                              contest.at("winner").is_string() && contest["winner"] == name});
      }
    }
  return chart;
}

}  // namespace heddle
