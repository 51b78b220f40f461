#include "report/profile/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/breakdown.h"
#include "report/profile/instruction_costs.h"
#include "report/profile/time_table.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

std::string problem_of(const RunResult& other) {
  if (other.failure) return other.failure->message.substr(0, other.failure->message.find('\n'));
  if (other.check && !other.check->passed) return "the result is wrong";
  return "";
}

std::string signed_count(double count) {
  const auto whole = static_cast<int64_t>(std::llround(count));
  return (whole < 0 ? "-" : "") + grouped(static_cast<uint64_t>(std::abs(whole)));
}

std::string signed_percent(double part, double whole) {
  return whole <= 0 ? "" : fmt::format("{:+.1f} %", 100 * part / whole);
}

int64_t difference(uint64_t from, uint64_t to) { return static_cast<int64_t>(from) - static_cast<int64_t>(to); }

}  // namespace

WhatIf what_if(const RunResult& base, const Profile& profile, const RunResult& other) {
  WhatIf result;
  result.mechanism = other.spec.mechanism;
  result.problem = problem_of(other);
  result.branches.resize(profile.branches.size());
  if (!result.problem.empty()) return result;
  const std::map<std::string, KernelCosts> costs = instruction_costs(other);
  const double warp_size = base.warp_size();
  result.slots = other.total.stats.issue_slots;
  result.cycles = use_of(other).cycles;
  result.all = {static_cast<double>(difference(profile.total.slots, result.slots)),
                difference(profile.use.cycles, result.cycles)};
  result.by_nobody = result.all.slots;
  for (size_t i = 0; i < profile.branches.size(); ++i) {
    const ProfileBranch& branch = profile.branches[i];
    const auto kernel = costs.find(branch.branch.kernel);
    if (kernel == costs.end()) continue;
    const Pc pc = branch.branch.record.pc;
    result.branches[i] = {(branch.lanes_lost - kernel->second.blamed[pc]) / warp_size,
                          difference(branch.time_inside.cycles(), cost_inside(kernel->second, pc).time.cycles())};
    result.by_nobody -= result.branches[i].slots;
  }
  return result;
}

std::string what_if_table(const Profile& profile, size_t rows) {
  const std::vector<WhatIf>& others = profile.what_if;
  std::vector<Table::Column> columns{{"branch", false}};
  for (const WhatIf& each : others) {
    columns.push_back({each.mechanism + ": slots"});
    columns.push_back({""});
    if (profile.use.timed) columns.push_back({"cycles"});
  }
  columns.push_back({"source", false});
  Table table(std::move(columns));
  const auto add = [&](const std::string& place, const std::string& text, auto&& saved_by, uint64_t cycles) {
    std::vector<std::string> cells{place};
    for (const WhatIf& each : others) {
      const bool known = each.problem.empty();
      const Saved saved = known ? saved_by(each) : Saved{};
      cells.push_back(known ? signed_count(saved.slots) : "–");
      cells.push_back(known ? signed_percent(saved.slots, static_cast<double>(profile.total.slots)) : "");
      if (profile.use.timed)
        cells.push_back(known ? signed_percent(static_cast<double>(saved.cycles), static_cast<double>(cycles)) : "");
    }
    cells.push_back(text);
    table.add(std::move(cells));
  };
  for (size_t i = 0; i < std::min(rows, profile.branches.size()); ++i) {
    const ProfileBranch& branch = profile.branches[i];
    add(
        place_text(branch.file, branch.line), branch.branch.text, [&](const WhatIf& each) { return each.branches[i]; },
        profile.use.cycles);
  }
  table.rule();
  add(
      "all", "", [](const WhatIf& each) { return each.all; }, profile.use.cycles);
  std::string problems;
  for (const WhatIf& each : others)
    if (!each.problem.empty()) problems += fmt::format("{}: {}\n", each.mechanism, each.problem);
  return table.text() + problems;
}

Json what_if_json(const Profile& profile) {
  Json list = Json::array();
  const auto saved = [](const Saved& each) { return Json{{"slots", each.slots}, {"cycles", each.cycles}}; };
  for (const WhatIf& each : profile.what_if) {
    Json json{{"mechanism", each.mechanism}, {"problem", each.problem.empty() ? Json() : Json(each.problem)}};
    if (each.problem.empty()) {
      json["issue_slots"] = each.slots;
      json["core_cycles"] = each.cycles;
      json["saved"] = saved(each.all);
      json["slots_saved_by_no_branch"] = each.by_nobody;
      json["branches"] = Json::array();
      for (const Saved& branch : each.branches) json["branches"].push_back(saved(branch));
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace heddle
