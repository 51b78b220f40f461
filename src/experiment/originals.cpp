#include "experiment/originals.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "experiment/reproduction.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Original& row_of(Originals& originals, const Json& json) {
  Original wanted;
  wanted.program = json.at("program");
  wanted.workload = json.at("workload");
  wanted.input = json.at("input");
  wanted.compiler = json.at("compiler");
  const auto same = [&](const Original& each) {
    return each.program == wanted.program && each.workload == wanted.workload && each.compiler == wanted.compiler;
  };
  const auto found = std::find_if(originals.rows.begin(), originals.rows.end(), same);
  if (found != originals.rows.end()) return *found;
  originals.rows.push_back(std::move(wanted));
  return originals.rows.back();
}

void add(Originals& originals, const Json& json) {
  if (json.value("exit_code", 1) != 0) return;
  Original& row = row_of(originals, json);
  const std::string mechanism = json.at("mechanism");
  if (mechanism == "pdom") {
    if (row.instructions > 0) return;  // programs with races count otherwise on every machine
    row.instructions = json.at("thread_instructions");
    row.simd_efficiency = json.at("simd_efficiency");
    row.deepest = json.at("deepest");
    return;
  }
  const std::string column = fmt::format("{}, {}", mechanism, json.at("machine").get<std::string>());
  if (std::find(originals.columns.begin(), originals.columns.end(), column) == originals.columns.end())
    originals.columns.push_back(column);
  if (json.at("over_pdom").is_number()) row.over_pdom[column] = json.at("over_pdom");
}

std::vector<std::string> cells_of(const Originals& originals, const Original& row) {
  std::vector<std::string> cells{row.workload,
                                 row.program,
                                 row.compiler,
                                 fmt::format("{:.1f} M", row.instructions / 1e6),
                                 percent(row.simd_efficiency),
                                 fmt::format("{}", row.deepest)};
  for (const std::string& column : originals.columns) {
    const auto found = row.over_pdom.find(column);
    cells.push_back(found == row.over_pdom.end() ? "-" : figure_text(FigureUnit::Change, found->second));
  }
  return cells;
}

constexpr const char* kHeadings[] = {"workload", "the original", "code", "instructions", "SIMD eff.", "depth"};

}  // namespace

Originals read_originals(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ExitCode::Usage, fmt::format("'{}' is no table of tools/measure-originals: {}", path, why));
  };
  std::ifstream file(path);
  if (!file) throw Error(ExitCode::Usage, fmt::format("cannot read '{}'", path));
  Originals originals;
  try {
    const Json json = Json::parse(file);
    if (json.value("schema", "") != "heddle-originals-1") refuse("it has another schema");
    originals.json = json.at("rows");
    for (const Json& row : originals.json) add(originals, row);
  } catch (const Json::exception& error) {
    refuse(error.what());
  }
  return originals;
}

std::string originals_table(const Originals& originals) {
  std::vector<Table::Column> columns;
  for (const char* heading : kHeadings) columns.push_back({heading, columns.size() > 2});
  for (const std::string& column : originals.columns) columns.push_back({column});
  Table table(std::move(columns));
  for (const Original& row : originals.rows) table.add(cells_of(originals, row));
  return fmt::format("The original programs: speed over that of pdom on the same machine\n{}", table.text());
}

std::string originals_section(const Originals& originals) {
  std::string head = "|", rule = "|", text;
  const auto heading = [&](const std::string& name) {
    head += fmt::format(" {} |", name);
    rule += "---|";
  };
  for (const char* name : kHeadings) heading(name);
  for (const std::string& column : originals.columns) heading(column);
  for (const Original& row : originals.rows)
    text += fmt::format("| {} |\n", fmt::join(cells_of(originals, row), " | "));
  return fmt::format(
      "\n## The original programs\n\nWhat the papers ran, as far as it is public, built and measured by "
      "`tools/measure-originals` ([how](workloads.md)): code as clang writes it today, as compilers of the time did "
      "(`era`), and where it is published what they wrote (`period`). Speed over that of `pdom` on the same machine; "
      "the other figures are those of `pdom` on the first.\n\n{}\n{}\n{}",
      head, rule, text);
}

}  // namespace heddle
