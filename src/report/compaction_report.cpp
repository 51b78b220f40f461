#include "report/compaction_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "divergence/lane_map.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kQuarters[] = {"0-25", "25-50", "50-75", "75-100"};  // percent of the block's threads

struct Kind {
  BranchKind kind;
  std::string_view name;
};
constexpr Kind kKinds[] = {{BranchKind::Programmatic, "P"}, {BranchKind::Data, "D"}, {BranchKind::Unknown, "all"}};

// The kinds there are paths of; without taint there is one, which is unknown.
std::vector<Kind> kinds_in(const CompactionStats& stats) {
  std::vector<Kind> result;
  for (const Kind& kind : kKinds)
    if (stats.sum(kind.kind).paths > 0) result.push_back(kind);
  return result;
}

Rates shares(const PathCounts& counts, uint64_t whole) {
  if (whole == 0) return std::nullopt;
  std::vector<double> rates;
  for (uint64_t compacted : counts.compacted)
    rates.push_back(static_cast<double>(compacted) / static_cast<double>(whole));
  rates.push_back(static_cast<double>(counts.compactable) / static_cast<double>(whole));
  return rates;
}

struct Column {
  std::string heading;
  uint64_t paths;
  Rates rates;
};

std::string columns_text(std::string first, const std::vector<Column>& columns, bool with_ideal) {
  std::vector<Table::Column> headings{{std::move(first), false}};
  std::vector<std::string> paths{"paths"};
  for (const Column& column : columns) {
    headings.push_back({column.heading});
    paths.push_back(grouped(column.paths));
  }
  Table table(std::move(headings));
  table.add(std::move(paths));
  const std::vector<std::string_view> names = compaction_names();
  for (size_t i = 0; i < names.size() - (with_ideal ? 0 : 1); ++i) {
    std::vector<std::string> cells{std::string(names[i])};
    for (const Column& column : columns) cells.push_back(column.rates ? percent((*column.rates)[i]) : "-");
    table.add(std::move(cells));
  }
  return table.text();
}

Json by_name(const PathCounts& counts) {
  Json json;
  const std::vector<std::string_view> names = compaction_names();
  for (size_t i = 0; i < counts.compacted.size(); ++i) json[std::string(names[i])] = counts.compacted[i];
  return json;
}

Json rates_json(const Rates& rates) {
  if (!rates) return {};
  Json json;
  const std::vector<std::string_view> names = compaction_names();
  for (size_t i = 0; i < names.size(); ++i) json[std::string(names[i])] = (*rates)[i];
  return json;
}

Json counts_json(const PathCounts& counts) {
  PathCounts complete = counts;
  complete.compacted.resize(LaneMap::all().size());
  return {{"paths", counts.paths}, {"compactable", counts.compactable}, {"compacted", by_name(complete)}};
}

Json kind_json(const std::array<PathCounts, CompactionStats::kQuarters>& quarters) {
  PathCounts sum;
  for (const PathCounts& quarter : quarters) sum.add(quarter);
  Json json = counts_json(sum);
  json["rates"] = rates_json(compaction_rates(sum));
  json["by_active"] = Json::array();
  for (size_t q = 0; q < quarters.size(); ++q) {
    Json entry{{"active", kQuarters[q]}};
    entry.update(counts_json(quarters[q]));
    entry["rates_of_compactable"] = rates_json(rates_of_compactable(quarters[q]));
    json["by_active"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::vector<std::string_view> compaction_names() {
  std::vector<std::string_view> names;
  for (const LaneMap::Row& map : LaneMap::all()) names.push_back(map.name);
  names.emplace_back("ideal");
  return names;
}

Rates compaction_rates(const PathCounts& counts) { return shares(counts, counts.paths); }
Rates rates_of_compactable(const PathCounts& counts) { return shares(counts, counts.compactable); }

std::string compaction_tables(const CompactionStats& stats) {
  const std::vector<Kind> kinds = kinds_in(stats);
  if (kinds.empty()) return "compaction rate  no branch diverged\n";
  std::vector<Column> all, by_active;
  for (const Kind& kind : kinds) {
    const PathCounts sum = stats.sum(kind.kind);
    const bool known = kind.kind != BranchKind::Unknown;
    all.push_back({known ? fmt::format("{}-branches", kind.name) : "branches", sum.paths, compaction_rates(sum)});
    for (size_t q = 0; q < CompactionStats::kQuarters; ++q) {
      const PathCounts& quarter = stats.of(kind.kind)[q];
      by_active.push_back({fmt::format("{}{} %", known ? fmt::format("{} ", kind.name) : "", kQuarters[q]),
                           quarter.compactable, rates_of_compactable(quarter)});
    }
  }
  if (all.size() > 1) all.push_back({"all", stats.sum().paths, compaction_rates(stats.sum())});
  return columns_text("compaction rate", all, true) +
         "\nof the paths that ideal compaction compacts, by the share of the block's threads on them\n" +
         columns_text("active", by_active, false);
}

nlohmann::ordered_json compaction_json(const CompactionStats& stats) {
  Json json;
  if (stats.sum(BranchKind::Unknown).paths == 0) {
    json["P"] = kind_json(stats.of(BranchKind::Programmatic));
    json["D"] = kind_json(stats.of(BranchKind::Data));
  }
  std::array<PathCounts, CompactionStats::kQuarters> all;
  for (const auto& quarters : stats.counts)
    for (size_t q = 0; q < quarters.size(); ++q) all[q].add(quarters[q]);
  json["all"] = kind_json(all);
  return json;
}

}  // namespace heddle
