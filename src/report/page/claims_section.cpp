// What the papers claim, what was measured, and the verdict: the results of heddle reproduce. Figures are shown as on
// the terminal.
#include <fmt/format.h>

#include <algorithm>

#include "report/page/escape.h"
#include "report/page/sections.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

std::string text_of(const Json& json, const char* field) {
  return json.contains(field) && json[field].is_string() ? json[field].get<std::string>() : "";
}

bool has_number(const Json& json, const char* field) { return json.contains(field) && json[field].is_number(); }

std::string figure_text(const std::string& unit, double value) {
  if (unit == "change") return fmt::format("{:+.1f} %", 100 * (value - 1));
  if (unit == "times") return fmt::format("{:.2f} ×", value);
  if (unit == "percent") return fmt::format("{:.1f} %", 100 * value);
  return fmt::format("{:.6g}", value);
}

std::string figure_text(const Json& part, const char* field) {
  return has_number(part, field) ? figure_text(text_of(part, "unit"), part[field]) : "";
}

std::string verdict_cell(const std::string& verdict) {
  const bool holds = verdict.starts_with("holds"), fails = verdict == "does not hold";
  return fmt::format("<td class=\"text{}\">{}</td>", holds ? " holds" : fails ? " fails" : "", escaped(verdict));
}

bool judged_one_by_one(const Json& part) {
  const Json list = part.value("workloads", Json::array());
  return std::any_of(list.begin(), list.end(), [](const Json& each) { return each.contains("verdict"); });
}

// Of values judged one by one: how many are as the paper says, and their range.
std::string each_text(const Json& part) {
  unsigned good = 0, judged = 0;
  std::vector<double> values;
  for (const Json& each : part["workloads"]) {
    const std::string verdict = text_of(each, "verdict");
    judged += verdict != "not measured";
    good += verdict.starts_with("holds");
    if (has_number(each, "value")) values.push_back(each["value"]);
  }
  if (values.empty()) return "–";
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const std::string unit = text_of(part, "unit");
  const std::string range = fmt::format("{} to {}", figure_text(unit, *least), figure_text(unit, *most));
  return judged == 0 ? range : fmt::format("{} of {}: {}", good, judged, range);
}

std::string ours_cell(const Json& part) {
  if (has_number(part, "figure"))
    return fmt::format("<td data-value=\"{}\">{}</td>", part["figure"].get<double>(),
                       escaped(figure_text(part, "figure")));
  return fmt::format("<td>{}</td>", escaped(judged_one_by_one(part) ? each_text(part) : "–"));
}

// A part, workload by workload, to be opened.
std::string workloads_html(const Json& part) {
  std::string text;
  const std::string unit = text_of(part, "unit_of_workloads");
  for (const Json& each : part.value("workloads", Json::array())) {
    std::string value = has_number(each, "value") ? figure_text(unit, each["value"]) : text_of(each, "missing");
    if (has_number(each, "paper")) value += fmt::format(" (paper {})", figure_text(unit, each["paper"]));
    const bool fails = text_of(each, "verdict") == "does not hold";
    text += fmt::format("<li{}>{}&nbsp;<span>{}</span></li>", fails ? " class=fails" : "",
                        escaped(text_of(each, "workload")), escaped(value));
  }
  if (text.empty()) return text;
  return "<details><summary>by workload</summary><ul class=by>" + text + "</ul></details>";
}

std::string part_row(const Json& part) {
  return fmt::format("<tr class=part><td></td><td class=wide>{}{}</td><td>{}</td>{}{}</tr>\n",
                     escaped(text_of(part, "name")), workloads_html(part), escaped(figure_text(part, "paper")),
                     ours_cell(part), verdict_cell(text_of(part, "verdict")));
}

std::string order_row(const Json& order) {
  std::string names;
  for (const Json& name : order.value("largest_first", Json::array()))
    if (name.is_string()) names += (names.empty() ? "" : " > ") + name.get<std::string>();
  return fmt::format("<tr class=part><td></td><td class=wide>order: {}</td><td></td><td></td>{}</tr>\n", escaped(names),
                     verdict_cell(text_of(order, "verdict")));
}

// A claim of one part is one row.
std::string claim_rows(const Json& claim) {
  const Json parts = claim.value("parts", Json::array()), orders = claim.value("orders", Json::array());
  const bool one = parts.size() == 1 && orders.empty();
  std::string text =
      fmt::format("<tr class=claim><th scope=row>{}</th><td class=wide>{}{}</td><td class=paper>{}</td>{}{}</tr>\n",
                  escaped(text_of(claim, "id")), escaped(text_of(claim, "text")), one ? workloads_html(parts[0]) : "",
                  escaped(text_of(claim, "paper")), one ? ours_cell(parts[0]) : "<td></td>",
                  verdict_cell(text_of(claim, "verdict")));
  if (!one) {
    for (const Json& part : parts) text += part_row(part);
    for (const Json& order : orders) text += order_row(order);
  }
  if (const std::string remark = text_of(claim, "remark"); !remark.empty())
    text += fmt::format("<tr class=part><td></td><td class=wide colspan=4>{}</td></tr>\n", escaped(remark));
  return text;
}

constexpr const char* kVerdicts[] = {"holds", "holds in direction", "does not hold", "not distinguishable here",
                                     "not measured"};

// Of all experiments; "" is every verdict.
size_t claims_with(const Json& claims, const std::string& verdict) {
  size_t number = 0;
  for (const Json& experiment : claims["experiments"])
    for (const Json& claim : experiment.value("claims", Json::array()))
      number += verdict.empty() || text_of(claim, "verdict") == verdict;
  return number;
}

std::string number_cell(size_t number) {
  return number == 0 ? "<td class=none>–</td>" : fmt::format("<td>{}</td>", number);
}

// How many claims of which paper came to which verdict.
std::string tally_html(const Json& claims) {
  std::vector<std::string> verdicts;
  for (const char* verdict : kVerdicts)
    if (claims_with(claims, verdict) > 0) verdicts.emplace_back(verdict);
  std::string text =
      "<div class=scroll tabindex=0 role=region aria-label=verdicts><table class=tally><thead><tr><th "
      "scope=col>paper</th><th scope=col>claims</th>";
  for (const std::string& verdict : verdicts) text += fmt::format("<th scope=col>{}</th>", verdict);
  text += "</tr></thead><tbody>\n";
  const auto add_row = [&](const std::string& title, const Json& experiments, const char* of_class) {
    const Json part{{"experiments", experiments}};
    text += fmt::format("<tr{}><th scope=row class=wide>{}</th>{}", of_class, escaped(title),
                        number_cell(claims_with(part, "")));
    for (const std::string& verdict : verdicts) text += number_cell(claims_with(part, verdict));
    text += "</tr>\n";
  };
  for (const Json& experiment : claims["experiments"])
    if (!experiment.value("claims", Json::array()).empty())
      add_row(text_of(experiment, "title"), Json::array({experiment}), "");
  add_row("all", claims["experiments"], " class=sum");
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string claims_html(const Json& claims) {
  const bool quick = claims.value("quick", false);
  std::string text =
      fmt::format("<p>Measured at {}. A verdict is about direction and rank first, magnitude second.</p>\n",
                  quick ? "small sizes (--quick), a preview" : "the sizes of the papers") +
      tally_html(claims);
  for (const Json& experiment : claims["experiments"]) {
    const Json list = experiment.value("claims", Json::array());
    if (list.empty()) continue;
    const std::string name = text_of(experiment, "name"), title = text_of(experiment, "title");
    text += fmt::format(
        "<h3>{}</h3>\n<div class=scroll tabindex=0 role=region aria-label=\"claims of {}\"><table "
        "class=claims><thead><tr><th scope=col>claim</th><th scope=col class=text>what it says</th><th "
        "scope=col>paper</th><th scope=col>ours</th><th scope=col class=text>verdict</th></tr></thead><tbody>\n",
        escaped(title.empty() ? name : title), escaped(name));
    std::string what = text_of(experiment, "file");
    const bool built_in = what.empty();
    for (const Json& claim : list) {
      text += claim_rows(claim);
      if (built_in) what += fmt::format("{}{}", what.empty() ? "" : " ", text_of(claim, "id"));
    }
    text += fmt::format(
        "</tbody></table></div>\n<p class=command>Again: <code>heddle reproduce {}{} --details</code></p>\n",
        escaped(what), quick ? " --quick" : "");
  }
  return text;
}

}  // namespace heddle
