#include "report/page/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "divergence/registry.h"
#include "report/page/escape.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

constexpr size_t kColours = 20;  // of mechanisms, in style.css
constexpr size_t kMany = 14;     // columns that need small print on paper

// Rows of the table: every group and bar, or every x, in order of appearance, with a datum per series where there is
// one.
struct Row {
  std::string group, bar;
  double x;
  std::vector<const Chart::Datum*> cells;
};

std::vector<Row> rows_of(const Chart& chart) {
  std::vector<Row> rows;
  std::map<std::tuple<std::string, std::string, double>, size_t> places;
  for (const Chart::Datum& datum : chart.data) {
    const auto [place, fresh] = places.try_emplace({datum.group, datum.bar, datum.x}, rows.size());
    if (fresh) rows.push_back({datum.group, datum.bar, datum.x, std::vector<const Chart::Datum*>(chart.series.size())});
    rows[place->second].cells[datum.series] = &datum;
  }
  return rows;
}

std::string x_text(double x) { return std::isinf(x) ? "no limit" : fmt::format("{:g}", x); }

std::string cell_html(const Chart& chart, const Chart::Datum* datum) {
  if (!datum) return "<td class=none></td>";
  if (!datum->value) return fmt::format("<td class=none>{}</td>", escaped(datum->note));
  return fmt::format("<td{} data-value=\"{}\">{}</td>", datum->best ? " class=best" : "", *datum->value,
                     escaped(chart.text(*datum->value)));
}

std::string table_html(const Chart& chart) {
  const std::vector<Row> rows = rows_of(chart);
  const bool groups = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.group.empty(); });
  const bool bars = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.bar.empty(); });
  const bool lines = chart.kind == Chart::Kind::Lines;
  std::string text = fmt::format("<table{}><thead><tr>", chart.series.size() > kMany ? " class=many" : "");
  if (groups) text += fmt::format("<th scope=col>{}</th>", lines ? "" : escaped(chart.groups));
  if (bars) text += fmt::format("<th scope=col>{}</th>", chart.kind == Chart::Kind::Heat ? "class" : "mechanism");
  if (lines) text += fmt::format("<th scope=col>{}</th>", escaped(chart.groups));
  for (const Chart::Series& series : chart.series) text += fmt::format("<th scope=col>{}</th>", escaped(series.name));
  text += "</tr></thead><tbody>\n";
  for (const Row& row : rows) {
    text += "<tr>";
    if (groups) text += fmt::format("<th scope=row>{}</th>", escaped(row.group));
    if (bars) text += fmt::format("<th scope=row>{}</th>", escaped(row.bar));
    if (lines) text += fmt::format("<th scope=row>{}</th>", x_text(row.x));
    for (const Chart::Datum* datum : row.cells) text += cell_html(chart, datum);
    text += "</tr>\n";
  }
  return text + "</tbody></table>";
}

}  // namespace

bool Chart::empty() const {
  return std::none_of(data.begin(), data.end(), [](const Datum& datum) { return datum.value.has_value(); });
}

std::string Chart::text(double value) const {
  switch (unit) {
    case Unit::Ratio: return fmt::format("{:.3f}", value);
    case Unit::Share: return percent(value);
    case Unit::Count: return grouped(static_cast<uint64_t>(std::llround(value)));
    case Unit::Bytes: return bytes_text(value);
  }
  return "";
}

std::string mechanism_colour(const std::string& mechanism) {
  size_t number = 0;
  for (const MechanismRow& row : mechanisms()) {
    if (row.name == mechanism) break;
    ++number;
  }
  return fmt::format("m{}", number % kColours);
}

std::vector<Chart::Series> mechanism_series(const RunGroup& group) {
  std::vector<Chart::Series> series;
  for (const std::string& mechanism : group.mechanisms) series.push_back({mechanism, mechanism_colour(mechanism)});
  return series;
}

std::string chart_html(const Chart& chart, bool drawn) {
  const std::string figure = fmt::format(
      "<figure id=\"{0}\">\n<figcaption><h3>{1}</h3><p>{2}</p></figcaption>\n{3}"
      "<details{4}><summary>The numbers as a table</summary><div class=scroll tabindex=0 role=region "
      "aria-label=\"{1}, as a table\">{5}</div></details>\n"
      "<p class=command>Again: <code>{6}</code></p>\n</figure>\n",
      escaped(chart.id), escaped(chart.title), escaped(chart.caption),
      drawn ? fmt::format("<div class=chart data-chart=\"{}\"></div>\n", escaped(chart.id)) : "", drawn ? "" : " open",
      table_html(chart), escaped(chart.command));
  if (!chart.folded) return figure;
  return fmt::format("<details class=fold><summary>{}</summary>\n{}</details>\n", escaped(chart.title), figure);
}

Json chart_json(const Chart& chart) {
  constexpr const char* kKinds[] = {"bars", "stack", "lines", "heat"};
  Json json{{"id", chart.id},         {"kind", kKinds[static_cast<size_t>(chart.kind)]},
            {"title", chart.title},   {"values", chart.values},
            {"groups", chart.groups}, {"from", chart.from}};
  json["yardstick"] = chart.yardstick;
  json["percent"] = chart.unit == Chart::Unit::Share;
  json["bytes"] = chart.unit == Chart::Unit::Bytes;
  json["series"] = Json::array();
  for (const Chart::Series& series : chart.series)
    json["series"].push_back({{"name", series.name}, {"colour", series.colour}});
  json["data"] = Json::array();
  for (const Chart::Datum& datum : chart.data) {
    if (!datum.value) continue;
    Json each{{"group", datum.group}, {"series", datum.series}, {"value", *datum.value}};
    each["text"] = chart.text(*datum.value);
    if (!datum.bar.empty()) each["bar"] = datum.bar;
    if (datum.best) each["best"] = true;
    if (chart.kind == Chart::Kind::Lines) each["x"] = x_text(datum.x);
    if (!datum.note.empty()) each["note"] = datum.note;
    json["data"].push_back(std::move(each));
  }
  return json;
}

}  // namespace heddle
