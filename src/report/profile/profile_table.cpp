// A profile for a person at a terminal: where lanes are lost, and which branches are to blame.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/breakdown.h"
#include "report/profile/time_table.h"
#include "report/profile/what_if.h"
#include "report/table.h"
#include "run/command.h"

namespace heddle {
namespace {

std::string kind_text(BranchKind kind) {
  switch (kind) {
    case BranchKind::Unknown: return "";
    case BranchKind::Programmatic: return "P";
    case BranchKind::Data: return "D";
  }
  return "";
}

double per_slot(const Cost& cost) { return share(cost.active, cost.slots); }

std::string line_table(const RunResult& result, const Profile& profile, size_t rows) {
  std::vector<Table::Column> columns{{"line", false}, {"slots"}, {"threads"},    {"per slot"},
                                     {"lanes lost"},  {"share"}, {"slots lost"}, {"diverged"}};
  if (result.spec.instruments.has("taint")) columns.push_back({"kind", false});
  columns.push_back({"source", false});
  Table table(std::move(columns));
  const auto add = [&](const std::string& place, const Cost& cost, std::string diverged, BranchKind kind,
                       const std::string& text) {
    std::vector<std::string> cells{place,
                                   grouped(cost.slots),
                                   grouped(cost.threads),
                                   fmt::format("{:.1f}", per_slot(cost)),
                                   grouped(cost.lanes_lost),
                                   percent(share(cost.lanes_lost, profile.total.lanes_lost)),
                                   grouped(cost.slots_lost),
                                   std::move(diverged)};
    if (result.spec.instruments.has("taint")) cells.push_back(kind_text(kind));
    cells.push_back(text);
    table.add(std::move(cells));
  };
  for (size_t i = 0; i < std::min(rows, profile.lines.size()); ++i) {
    const ProfileLine& line = profile.lines[i];
    add(place_text(line.file, line.line), line.cost,
        line.branches > 0 ? percent(share(line.diverged, line.branches)) : "", line.kind, short_text(line.text));
  }
  Cost rest;
  for (size_t i = rows; i < profile.lines.size(); ++i) rest.add(profile.lines[i].cost);
  if (rows < profile.lines.size()) add(fmt::format("{} more lines", profile.lines.size() - rows), rest, "", {}, "");
  table.rule();
  add("total", profile.total, "", {}, "");
  return table.text();
}

// The line of the source; nothing where that is the instruction itself.
std::string source_of(const Profile& profile, const ProfileBranch& branch) {
  for (const auto& [file, lines] : profile.sources)
    if (file == branch.file && branch.line > 0 && branch.line <= lines.size()) {
      const std::string text = short_text(lines[branch.line - 1]);
      return text == branch.branch.text ? "" : text;
    }
  return "";
}

std::string branch_part(const RunResult& result, const Profile& profile, size_t rows) {
  std::vector<Table::Column> columns{{"branch", false}, {"pc"},     {"executed"},  {"diverged"},
                                     {"lanes lost"},    {"of all"}, {"slots lost"}};
  if (profile.use.timed) columns.push_back({"cycles inside"});
  if (result.spec.instruments.has("taint")) columns.push_back({"kind", false});
  columns.push_back({"instruction", false});
  const bool sources = std::any_of(profile.branches.begin(), profile.branches.end(),
                                   [&](const ProfileBranch& each) { return !source_of(profile, each).empty(); });
  if (sources) columns.push_back({"source", false});
  Table table(std::move(columns));
  const auto all = static_cast<double>(std::max<uint64_t>(1, profile.total.lanes_lost));
  const auto add_loss = [&](std::vector<std::string> cells, double lost, const std::string& inside,
                            const std::string& kind, const std::string& instruction, const std::string& text) {
    cells.push_back(fmt::format("{}", grouped(static_cast<uint64_t>(std::llround(lost)))));
    cells.push_back(percent(lost / all));
    cells.push_back(grouped(static_cast<uint64_t>(std::llround(lost / result.warp_size()))));
    if (profile.use.timed) cells.push_back(inside);
    if (result.spec.instruments.has("taint")) cells.push_back(kind);
    cells.push_back(instruction);
    if (sources) cells.push_back(text);
    table.add(std::move(cells));
  };
  for (size_t i = 0; i < std::min(rows, profile.branches.size()); ++i) {
    const ProfileBranch& each = profile.branches[i];
    const BranchRecord& record = each.branch.record;
    add_loss({place_text(each.file, each.line), std::to_string(record.pc), grouped(record.executed),
              percent(share(record.diverged, record.executed))},
             each.lanes_lost, percent(share(each.time_inside.cycles(), profile.use.cycles)), kind_text(record.kind),
             each.branch.text, source_of(profile, each));
  }
  double rest = 0;
  for (size_t i = rows; i < profile.branches.size(); ++i) rest += profile.branches[i].lanes_lost;
  if (rows < profile.branches.size())
    add_loss({fmt::format("{} more branches", profile.branches.size() - rows), "", "", ""}, rest, "", "", "", "");
  table.rule();
  add_loss({"no branch", "", "", ""}, profile.lanes_lost_by_nobody, "", "", "", "");
  return table.text();
}

bool has_lines(const RunResult& result) {
  return std::any_of(result.launches.begin(), result.launches.end(),
                     [](const LaunchResult& launch) { return launch.kernel && !launch.kernel->files.empty(); });
}

}  // namespace

std::string profile_command(const RunResult& result, const Profile& profile) {
  if (profile.what_if.empty()) return command_of(result.spec);
  std::vector<std::string> mechanisms;
  for (const WhatIf& each : profile.what_if) mechanisms.push_back(each.mechanism);
  return command_of(result.spec, {"--what-if", fmt::format("{}", fmt::join(mechanisms, ","))});
}

std::string profile_table(const RunResult& result, const Profile& profile, size_t rows) {
  if (rows == 0) rows = SIZE_MAX;
  const Cost& total = profile.total;
  const double efficiency = share(total.active, total.slots * result.warp_size());
  std::string text = fmt::format(
      "{}\n({})\n\n{}: mechanism {}, lanes {}, warps of {}, {}\nSIMD efficiency {}: of {} lanes in {} issue slots, {} "
      "idled; full warps would need {} slots less\n",
      profile.answer.sentence, profile.answer.advice, title_of(result.spec), result.spec.mechanism, result.spec.lanes,
      result.warp_size(), result.spec.timed ? "cycle level" : "emulation", percent(efficiency),
      grouped(total.slots * result.warp_size()), grouped(total.slots), grouped(total.lanes_lost),
      grouped(total.slots_lost));
  if (profile.kernels.size() > 1) text += "\nkernel by kernel\n" + kernel_table(result, profile);
  if (profile.use.timed) text += "\nwhere the cycles go, line by line\n" + time_table(profile, rows);
  text += fmt::format("\nwhere lanes idle, line by line\n{}\nwhich branches are to blame\n{}",
                      line_table(result, profile, rows), branch_part(result, profile, rows));
  if (!profile.what_if.empty())
    text += fmt::format("\nwhat if: slots and cycles saved, branch by branch\n{}", what_if_table(profile, rows));
  if (!result.spec.instruments.has("taint") && !profile.branches.empty())
    text += "--taint says which of them depend on data, and could compact\n";
  return text + std::string(has_lines(result) ? "" : kNoLines);
}

}  // namespace heddle
