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

constexpr size_t kMostGroups = 8;

using ChartOf = Chart (*)(const RunGroup&);
constexpr ChartOf kCharts[] = {&ipc_chart,  &efficiency_chart, &mean_breakdown_chart, &breakdown_chart,
                               &idle_chart, &traffic_chart,    &stall_chart};
constexpr ChartOf kBranchCharts[] = {&compaction_chart, &decision_chart};

std::string counted(size_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string scope_of(const RunGroup& group) {
  return fmt::format("{} under {}, {}", counted(group.workloads.size(), "workload"),
                     counted(group.mechanisms.size(), "mechanism"),
                     group.timed ? "cycle by cycle" : "emulated without a clock");
}

void add_charts(Page& page, const RunGroup& group, std::span<const ChartOf> charts, const std::string& suffix) {
  for (const ChartOf chart_of : charts) {
    Chart chart = chart_of(group);
    if (chart.empty()) continue;
    chart.id += suffix;
    page.add(chart);
  }
}

void add_only_group(Page& page, const RunGroup& group) {
  page.heading("results", "The mechanisms, side by side");
  page.body += fmt::format("<p class=soft>{}, <code>{}</code>.</p>\n", scope_of(group), escaped(group.words));
  page.body += headline_html(group) + failures_html(group);
  add_charts(page, group, kCharts, "");
  add_charts(page, group, kBranchCharts, "");
  page.body += machine_html(group);
}

// One machine of several: the first is open, the others are to be opened.
void add_group(Page& page, const RunGroup& group, size_t number) {
  page.body +=
      fmt::format("<details class=group id=\"results-{}\"{}><summary><b>{}</b> <span class=soft>{}</span></summary>\n",
                  number, number == 1 ? " open" : "", escaped(group.title), scope_of(group));
  page.body += fmt::format("<p class=soft><code>{}</code></p>\n", escaped(group.words));
  page.body += headline_html(group) + failures_html(group);
  add_charts(page, group, kCharts, fmt::format("-{}", number));
  page.body += machine_html(group) + "</details>\n";
}

// A chart of the group that has the most to say in it.
void add_fullest(Page& page, const std::vector<RunGroup>& groups, ChartOf chart_of) {
  Chart fullest;
  for (const RunGroup& group : groups) {
    Chart chart = chart_of(group);
    if (chart.empty() || chart.data.size() <= fullest.data.size()) continue;
    chart.caption += fmt::format(" Machine: {}.", group.title);
    fullest = std::move(chart);
  }
  if (!fullest.empty()) page.add(fullest);
}

void add_branches(Page& page, const std::vector<RunGroup>& groups) {
  const bool none = std::all_of(groups.begin(), groups.end(), [](const RunGroup& group) {
    return compaction_chart(group).empty() && decision_chart(group).empty();
  });
  if (none) return;
  page.heading("branches", "What branches do: compaction, and whether waiting pays");
  for (const ChartOf chart_of : kBranchCharts) add_fullest(page, groups, chart_of);
}

// In full where mechanisms can be compared; a folder of results holds many other runs, for curves and claims.
void add_groups(Page& page, const std::vector<RunGroup>& groups) {
  if (groups.empty()) return;
  if (groups.size() == 1) return add_only_group(page, groups[0]);
  add_branches(page, groups);
  page.heading("results", "The mechanisms, side by side, machine by machine");
  const auto compares = [](const RunGroup& group) { return group.mechanisms.size() > 1; };
  const bool some = std::any_of(groups.begin(), groups.end(), compares);
  size_t number = 0;
  std::string rest;
  for (const RunGroup& group : groups) {
    if (number < kMostGroups && (!some || compares(group)))
      add_group(page, group, ++number);
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
  page.heading("curves", "Curves: what a size of the machine changes");
  for (const Chart& chart : curves) page.add(chart);
}

bool has_head_to_head(const Json& experiment) {
  return experiment.contains("head_to_head") && experiment["head_to_head"].is_object();
}

void add_reproduction(Page& page, const Json& claims, const std::string& suffix) {
  size_t number = 0, tables = 0;
  for (const Json& experiment : claims["experiments"]) {
    number += experiment.value("claims", Json::array()).size();
    if (!has_head_to_head(experiment)) continue;
    const std::string end = suffix + (++tables == 1 ? "" : fmt::format("-{}", tables)),
                      size = experiment.value("size", "");
    const std::string command =
        fmt::format("heddle reproduce {}{} --details", experiment.value("file", experiment.value("name", "")),
                    claims.value("quick", false) ? " --quick" : "");
    page.heading("head-to-head" + end, experiment.value("title", ""));
    page.body += fmt::format("<p class=soft>Workloads of size {}.</p>\n", escaped(size)) + contenders_html(experiment);
    for (Chart chart : {contenders_chart(experiment, command), contests_chart(experiment, command)}) {
      chart.id += end;
      if (!chart.empty()) page.add(chart);
    }
  }
  if (number == 0) return;
  page.heading("claims" + suffix, "What the papers claim, and what was measured here");
  page.body += claims_html(claims);
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
  const std::vector<Chart> curves = sweep_charts(results);
  for (size_t i = 0; i < results.claims.size(); ++i)
    add_reproduction(page, results.claims[i], i == 0 ? "" : fmt::format("-of-{}", i + 1));
  if (!results.claims.empty()) add_curves(page, curves);
  add_groups(page, groups);
  if (results.claims.empty()) add_curves(page, curves);
  for (size_t i = 0; i < results.profiles.size(); ++i) {
    const Json& profile = results.profiles[i];
    page.heading(fmt::format("profile-{}", i + 1),
                 fmt::format("Profile of {} under {}", profile.value("program", ""), profile.value("mechanism", "")));
    page.body += profile_html(profile, i + 1);
  }
  add_wanted(page, results, groups, curves);
  return frame(page, command);
}

}  // namespace heddle
