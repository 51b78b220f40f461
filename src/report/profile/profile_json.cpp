#include "report/breakdown.h"
#include "report/profile/profile.h"
#include "report/run_json.h"
#include "run/command.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json kind_json(const RunResult& result, BranchKind kind) {
  if (!result.spec.instruments.has("taint") || kind == BranchKind::Unknown) return {};
  return kind == BranchKind::Data ? "D" : "P";
}

Json cost_json(const Cost& cost) {
  return {{"issue_slots", cost.slots},
          {"thread_instructions", cost.threads},
          {"active_threads", cost.active},
          {"lanes_lost", cost.lanes_lost},
          {"slots_lost", cost.slots_lost}};
}

Json line_json(const RunResult& result, const ProfileLine& line) {
  Json json{{"file", line.file}, {"line", line.line}, {"text", line.text}};
  json.update(cost_json(line.cost));
  json["branches"] = line.branches;
  json["diverged"] = line.diverged;
  json["kind"] = kind_json(result, line.kind);
  return json;
}

Json branch_json(const RunResult& result, const ProfileBranch& each) {
  const BranchRecord& record = each.branch.record;
  return {{"kernel", each.branch.kernel},
          {"pc", record.pc},
          {"place", each.branch.place},
          {"file", each.file},
          {"line", each.line},
          {"instruction", each.branch.text},
          {"executed", record.executed},
          {"diverged", record.diverged},
          {"kind", kind_json(result, record.kind)},
          {"lanes_lost", each.lanes_lost},
          {"slots_lost", each.lanes_lost / result.warp_size()}};
}

}  // namespace

nlohmann::ordered_json profile_json(const RunResult& result, const Profile& profile) {
  Json json = run_json(result);
  json["schema"] = "heddle-profile-1";
  json["launch"] = launch_words(result.spec);
  json.erase("kernels");
  json["total"].erase("branch_records");
  json["total"].erase("cores");
  json["cost"] = cost_json(profile.total);
  json["cost"]["lanes_lost_by_no_branch"] = profile.lanes_lost_by_nobody;
  json["lines"] = Json::array();
  for (const ProfileLine& line : profile.lines) json["lines"].push_back(line_json(result, line));
  json["branches"] = Json::array();
  for (const ProfileBranch& branch : profile.branches) json["branches"].push_back(branch_json(result, branch));
  json["sources"] = Json::array();
  for (const auto& [file, lines] : profile.sources) json["sources"].push_back({{"file", file}, {"lines", lines}});
  return json;
}

}  // namespace heddle
