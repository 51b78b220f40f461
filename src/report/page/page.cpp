#include "report/page/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/embedded_text.h"
#include "report/page/escape.h"
#include "report/page/sections.h"

namespace heddle {

std::span<const EmbeddedText> report_files();  // generated: tools/embed_texts.cmake

namespace {

using Json = ReportData::Json;

std::string_view embedded(std::string_view name) {
  for (const EmbeddedText& file : report_files())
    if (file.file.ends_with(name)) return file.text;
  return {};
}

// The charts drawn so far, and the page's text.
struct Page {
  bool drawn;
  std::string body, contents;
  Json charts = Json::array();

  void heading(const std::string& id, const std::string& text) {
    contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped(id), escaped(text));
    body += fmt::format("<h2 id=\"{}\">{}</h2>\n", escaped(id), escaped(text));
  }
  void add(const Chart& chart) {
    body += chart_html(chart, drawn);
    charts.push_back(chart_json(chart));
  }
};

constexpr size_t kMostGroups = 4;

using ChartOf = Chart (*)(const RunGroup&);
constexpr ChartOf kCharts[] = {&ipc_chart,     &efficiency_chart, &breakdown_chart,  &idle_chart,
                               &traffic_chart, &stall_chart,      &compaction_chart, &decision_chart};

void add_group(Page& page, const RunGroup& group, size_t number, bool alone) {
  const std::string id = alone ? "results" : fmt::format("results-{}", number);
  page.heading(id,
               alone ? "The mechanisms, side by side" : fmt::format("The mechanisms, side by side: {}", group.words));
  page.body += fmt::format("<p class=soft>{} {} under {} {}, {}, <code>{}</code>.</p>\n", group.workloads.size(),
                           group.workloads.size() == 1 ? "workload" : "workloads", group.mechanisms.size(),
                           group.mechanisms.size() == 1 ? "mechanism" : "mechanisms",
                           group.timed ? "cycle by cycle" : "emulated without a clock", escaped(group.words));
  page.body += headline_html(group) + failures_html(group);
  for (const ChartOf chart_of : kCharts) {
    Chart chart = chart_of(group);
    if (chart.empty()) continue;
    if (!alone) chart.id += fmt::format("-{}", number);
    page.add(chart);
  }
  page.body += machine_html(group);
}

// In full where mechanisms can be compared; a folder of results holds many other runs, for curves and claims.
void add_groups(Page& page, const std::vector<RunGroup>& groups) {
  const auto compares = [](const RunGroup& group) { return group.mechanisms.size() > 1; };
  const auto several = static_cast<size_t>(std::count_if(groups.begin(), groups.end(), compares));
  const size_t shown = several == 0 ? std::min(groups.size(), kMostGroups) : std::min(several, kMostGroups);
  size_t number = 0;
  std::string rest;
  for (const RunGroup& group : groups) {
    if (number < shown && (several == 0 || compares(group)))
      add_group(page, group, ++number, shown == 1);
    else
      rest += fmt::format("<li>{} under {}: <code>{}</code></li>\n",
                          escaped(fmt::format("{}", fmt::join(group.workloads, ", "))),
                          escaped(fmt::format("{}", fmt::join(group.mechanisms, ", "))), escaped(group.words));
  }
  if (rest.empty()) return;
  page.body += "<details class=others><summary>Other runs, used in curves and claims</summary><ul>\n" + rest +
               "</ul></details>\n";
}

void add_curves(Page& page, const std::vector<Chart>& curves) {
  if (curves.empty()) return;
  page.heading("curves", "Curves");
  for (const Chart& chart : curves) page.add(chart);
}

void add_wanted(Page& page, const ReportData& results, const std::vector<RunGroup>& groups,
                const std::vector<Chart>& curves) {
  std::string text;
  for (const Wanted& each : wanted(results, groups, curves))
    text += fmt::format("<li>{}: <code>{}</code></li>\n", escaped(each.what), escaped(each.command));
  for (const std::string& file : results.ignored) text += fmt::format("<li>Not read: {}</li>\n", escaped(file));
  if (text.empty()) return;
  page.heading("more", "What is not on this page, and what would make it");
  page.body += "<ul class=wanted>\n" + text + "</ul>\n";
}

std::string frame(const Page& page, const std::string& command) {
  const std::string_view script = embedded("report.js");
  return fmt::format(
      "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=color-scheme content=\"light dark\">\n"
      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
      "'unsafe-inline'\">\n"
      "<title>Heddle: which threads issue together?</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<header><h1>Which threads issue together?</h1>\n"
      "<p class=soft>Made by <code>{}</code></p>\n{}<nav aria-label=contents><ul>\n{}</ul></nav></header>\n"
      "<main>\n{}</main>\n"
      "<script type=\"application/json\" id=charts>{}</script>\n{}</body>\n</html>\n",
      embedded("style.css"), escaped(command),
      page.drawn ? ""
                 : "<p class=notice>Charts are left out: this heddle was built without npm, which its drawing library "
                   "comes from. All numbers are in the tables.</p>\n",
      page.contents, page.body, in_script(page.charts.dump(-1, ' ', false, Json::error_handler_t::replace)),
      script.empty() ? "" : fmt::format("<script>{}</script>\n", script));
}

}  // namespace

std::string report_html(const ReportData& results, const std::string& command) {
  Page page{.drawn = !embedded("report.js").empty(), .body = "", .contents = ""};
  const std::vector<RunGroup> groups = groups_of(results);
  add_groups(page, groups);
  const std::vector<Chart> curves = sweep_charts(results);
  add_curves(page, curves);
  for (const Json& claims : results.claims) {
    page.heading("claims", "What the papers claim, and what was measured here");
    page.body += claims_html(claims);
  }
  for (size_t i = 0; i < results.profiles.size(); ++i) {
    const Json& profile = results.profiles[i];
    page.heading(fmt::format("profile-{}", i + 1),
                 fmt::format("Profile of {} under {}", profile.value("program", ""), profile.value("mechanism", "")));
    page.body += profile_html(profile);
  }
  add_wanted(page, results, groups, curves);
  return frame(page, command);
}

}  // namespace heddle
