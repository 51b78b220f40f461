#include "base/kernel_name.h"
#include "report/breakdown.h"
#include "report/profile/what_if.h"
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

Json waits_json(const WaitCycles& waits) {
  Json json = Json::object();
  for (size_t cause = 0; cause < kIdleCauses; ++cause)
    if (waits[cause] > 0) json[std::string(name_of(static_cast<IdleCause>(cause)))] = waits[cause];
  return json;
}

// Null without a clock.
Json time_json(const Profile& profile, const Time& time) {
  if (!profile.use.timed) return {};
  const AccessCounts& access = time.waits.access;
  return {{"cycles", time.cycles()},
          {"issue_cycles", time.issued},
          {"waited", waits_json(time.waits.waited)},
          {"behind_barrier", time.waits.behind_barrier},
          {"others_at_barrier", time.waits.others_at_barrier},
          {"completed", time.waits.completed},
          {"cycles_to_complete", time.waits.cycles_to_complete},
          {"accesses", access.groups},
          {"lines", access.lines},
          {"sectors", access.sectors},
          {"hits", access.hits},
          {"misses", access.misses},
          {"shared_accesses", access.shared_groups},
          {"bank_passes", access.bank_passes},
          {"stride", access.pairs == 0 ? Json() : Json(access.stride)},
          {"stride_share", share(access.strided, access.pairs)}};
}

Json answer_json(const Answer& answer) {
  return {{"bound", name_of(answer.bound)},
          {"share", answer.share},
          {"file", answer.file.empty() ? Json() : Json(answer.file)},
          {"line", answer.file.empty() ? Json() : Json(answer.line)},
          {"sentence", answer.sentence},
          {"advice", answer.advice}};
}

Json kernel_json(const ProfileKernel& kernel) {
  Json json{{"kernel", kernel.kernel},
            {"name", readable_name(kernel.kernel)},
            {"launches", kernel.launches},
            {"cycles", kernel.cycles}};
  json.update(cost_json(kernel.cost));
  json["answer"] = answer_json(kernel.answer);
  return json;
}

Json line_json(const RunResult& result, const Profile& profile, const ProfileLine& line) {
  Json json{{"file", line.file}, {"line", line.line}, {"text", line.text}};
  json.update(cost_json(line.cost));
  json["branches"] = line.branches;
  json["diverged"] = line.diverged;
  json["kind"] = kind_json(result, line.kind);
  json["time"] = time_json(profile, line.time);
  return json;
}

Json branch_json(const RunResult& result, const Profile& profile, const ProfileBranch& each) {
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
          {"slots_lost", each.lanes_lost / result.warp_size()},
          {"inside", cost_json(each.inside)},
          {"time_inside", time_json(profile, each.time_inside)}};
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
  json["command"] = profile_command(result, profile);
  json["answer"] = answer_json(profile.answer);
  json["time"] = time_json(profile, profile.time);
  if (profile.use.timed) {
    json["time"]["core_cycles"] = profile.use.cycles;
    json["time"]["charged_to_no_line"] = waits_json(profile.nobodys);
    json["time"]["warps_per_core"] = profile.use.warps_per_core;
    json["time"]["dram_busy"] = profile.use.dram;
  }
  json["kernels"] = Json::array();
  for (const ProfileKernel& kernel : profile.kernels) json["kernels"].push_back(kernel_json(kernel));
  json["lines"] = Json::array();
  for (const ProfileLine& line : profile.lines) json["lines"].push_back(line_json(result, profile, line));
  json["branches"] = Json::array();
  for (const ProfileBranch& branch : profile.branches) json["branches"].push_back(branch_json(result, profile, branch));
  json["sources"] = Json::array();
  for (const auto& [file, lines] : profile.sources) json["sources"].push_back({{"file", file}, {"lines", lines}});
  json["what_if"] = what_if_json(profile);
  return json;
}

}  // namespace heddle
