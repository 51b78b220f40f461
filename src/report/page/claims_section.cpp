// What the papers claim, what was measured, and the verdict: the results of heddle reproduce.
#include <fmt/format.h>

#include <map>

#include "report/page/escape.h"
#include "report/page/sections.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

std::string text_of(const Json& json, const char* field) {
  return json.contains(field) && json[field].is_string() ? json[field].get<std::string>() : "";
}

std::string figure_text(const Json& part, const char* field) {
  if (!part.contains(field) || !part[field].is_number()) return text_of(part, field);
  const double value = part[field];
  const std::string unit = text_of(part, "unit");
  if (unit == "change") return fmt::format("{:+.1f} %", 100 * (value - 1));
  if (unit == "times") return fmt::format("{:.2f} ×", value);
  if (unit == "percent") return fmt::format("{:.1f} %", 100 * value);
  return fmt::format("{:.4g}", value);
}

std::string verdict_cell(const std::string& verdict) {
  const bool holds = verdict.starts_with("holds"), fails = verdict == "does not hold";
  return fmt::format("<td class=\"text{}\">{}</td>", holds ? " holds" : fails ? " fails" : "", escaped(verdict));
}

// A part, workload by workload.
std::string workloads_text(const Json& part) {
  std::string text;
  for (const Json& each : part.value("workloads", Json::array())) {
    Json with_unit = each;
    with_unit["unit"] = text_of(part, "unit");
    const std::string value = each.contains("value") && each["value"].is_number() ? figure_text(with_unit, "value")
                                                                                  : text_of(each, "missing");
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", text_of(each, "workload"), value);
  }
  return text;
}

std::string part_rows(const Json& claim) {
  std::string text;
  for (const Json& part : claim.value("parts", Json::array())) {
    const std::string workloads = workloads_text(part);
    text += fmt::format(
        "<tr class=part><td></td><td class=wide>{}{}</td><td>{}</td><td>{}</td>{}</tr>\n",
        escaped(text_of(part, "name")),
        workloads.empty() ? "" : fmt::format("<details><summary>by workload</summary>{}</details>", escaped(workloads)),
        escaped(figure_text(part, "paper")), escaped(figure_text(part, "figure")),
        verdict_cell(text_of(part, "verdict")));
  }
  for (const Json& order : claim.value("orders", Json::array())) {
    std::string names;
    for (const Json& name : order.value("largest_first", Json::array()))
      if (name.is_string()) names += (names.empty() ? "" : " > ") + name.get<std::string>();
    text += fmt::format("<tr class=part><td></td><td class=wide>order: {}</td><td></td><td></td>{}</tr>\n",
                        escaped(names), verdict_cell(text_of(order, "verdict")));
  }
  return text;
}

std::string claim_rows(const Json& claim) {
  std::string text =
      fmt::format("<tr class=claim><th scope=row>{}</th><td class=wide>{}</td><td class=wide>{}</td><td></td>{}</tr>\n",
                  escaped(text_of(claim, "id")), escaped(text_of(claim, "text")), escaped(text_of(claim, "paper")),
                  verdict_cell(text_of(claim, "verdict")));
  text += part_rows(claim);
  if (const std::string remark = text_of(claim, "remark"); !remark.empty())
    text += fmt::format("<tr class=part><td></td><td class=wide colspan=4>{}</td></tr>\n", escaped(remark));
  return text;
}

std::string tally(const Json& claims) {
  std::map<std::string, size_t> verdicts;
  size_t all = 0;
  for (const Json& experiment : claims["experiments"])
    for (const Json& claim : experiment.value("claims", Json::array())) {
      ++verdicts[text_of(claim, "verdict")];
      ++all;
    }
  std::string text = fmt::format("{} claims", all);
  for (const auto& [verdict, count] : verdicts) text += fmt::format("; {}: {}", verdict, count);
  return text;
}

}  // namespace

std::string claims_html(const Json& claims) {
  const bool quick = claims.value("quick", false);
  std::string text = fmt::format("<p><b>{}</b>{}. A verdict is about direction and rank first, magnitude second.</p>\n",
                                 escaped(tally(claims)), quick ? ", measured at small sizes (--quick)" : "");
  for (const Json& experiment : claims["experiments"]) {
    const Json list = experiment.value("claims", Json::array());
    if (list.empty()) continue;
    const std::string name = text_of(experiment, "name"), title = text_of(experiment, "title");
    text += fmt::format(
        "<h3>{}</h3>\n<div class=scroll tabindex=0 role=region aria-label=\"claims of {}\"><table "
        "class=claims><thead><tr><th scope=col>claim</th><th scope=col class=text>what it says</th><th "
        "scope=col>paper</th><th scope=col>ours</th><th scope=col class=text>verdict</th></tr></thead><tbody>\n",
        escaped(title.empty() ? name : title), escaped(name));
    for (const Json& claim : list) text += claim_rows(claim);
    text += fmt::format(
        "</tbody></table></div>\n<p class=command>Again: <code>heddle reproduce {}{} --details</code></p>\n",
        escaped(name), quick ? " --quick" : "");
  }
  return text;
}

}  // namespace heddle
