#include "experiment/reproduction.h"
#include "experiment/sensitivity.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json part_json(const PartResult& result) {
  const Part& part = *result.part;
  Json json{{"name", part.name}, {"paper", nullptr}, {"figure", or_null(result.measured.figure)}, {"verdict", nullptr}};
  if (const auto paper = part.paper.find(""); paper != part.paper.end()) json["paper"] = paper->second;
  if (part.judged) json["verdict"] = name_of(result.verdict);
  json["unit"] = name_of(part.unit);
  json["unit_of_workloads"] = name_of(part.unit_of_values());
  json["workloads"] = Json::array();
  for (size_t i = 0; i < result.measured.workloads.size(); ++i) {
    const WorkloadValue& each = result.measured.workloads[i];
    Json entry{{"workload", each.workload}, {"value", or_null(each.value)}, {"text", workload_text(result, i)}};
    if (!each.value) entry["missing"] = each.missing;
    if (part.fold == Fold::Each) {
      const auto paper = part.paper.find(each.workload);
      entry["paper"] = paper == part.paper.end() ? Json() : Json(paper->second);
      entry["verdict"] = name_of(result.verdicts[i]);
    }
    json["workloads"].push_back(std::move(entry));
  }
  return json;
}

Json line_json(const ClaimLine& line) {
  return {{"id", line.id},     {"what", line.what},       {"paper", line.paper},
          {"ours", line.ours}, {"verdict", line.verdict}, {"part", line.part ? Json(*line.part) : Json()}};
}

// Remarks are about results at full size.
Json claim_json(const ClaimResult& result, bool remarked) {
  Json json{{"id", result.claim->id},       {"text", result.claim->text},
            {"paper", result.claim->paper}, {"verdict", name_of(result.verdict)},
            {"lines", Json::array()},       {"parts", Json::array()},
            {"orders", Json::array()},      {"remark", remarked ? result.claim->remark : ""}};
  for (const ClaimLine& line : lines_of(result)) json["lines"].push_back(line_json(line));
  for (const PartResult& part : result.parts) json["parts"].push_back(part_json(part));
  for (size_t i = 0; i < result.orders.size(); ++i)
    json["orders"].push_back({{"largest_first", result.claim->orders[i]}, {"verdict", name_of(result.orders[i])}});
  return json;
}

Json variant_json(const VariantResult& result) {
  Json json{{"name", result.variant->name}, {"all_claims", result.variant->column()}, {"claims", Json::array()}};
  for (const ClaimResult& claim : result.claims) json["claims"].push_back(claim_json(claim, false));
  return json;
}

Json swing_json(const Swing& swing) {
  const Part& part = *swing.claim->parts[swing.part].part;
  const auto end = [&](double value, const std::string& by) {
    return Json{{"figure", value}, {"text", figure_text(part.unit, value)}, {"by", by}};
  };
  return {{"claim", swing.claim->claim->id},
          {"part", part.name},
          {"verdict", name_of(swing.claim->verdict)},
          {"ours", end(swing.ours, "")},
          {"least", end(swing.least, swing.least_by)},
          {"most", end(swing.most, swing.most_by)},
          {"turned_by", swing.turned_by}};
}

}  // namespace

Json head_to_head_json(const HeadToHeadResult& result) {
  const std::string speed = result.timed ? "ipc" : "active_threads_per_slot";
  Json json{{"mechanisms", Json::array()}, {"workloads", Json::array()}};
  for (const Contender& each : result.contenders)
    json["mechanisms"].push_back({{"name", each.run},
                                  {"bound", each.bound},
                                  {speed + "_divergent", or_null(each.speedup[0])},
                                  {speed + "_coherent", or_null(each.speedup[1])},
                                  {speed + "_all", or_null(each.speedup[2])},
                                  {"simd_efficiency", each.simd_efficiency},
                                  {"idle", each.idle},
                                  {"memory_stalls_against_first", or_null(each.memory_stalls)},
                                  {"state_bits_per_warp", each.state_bits},
                                  {"wins", each.wins[2]},
                                  {"refused", each.refused},
                                  {"failed", each.failed}});
  for (const Contest& contest : result.contests) {
    Json entry{{"workload", contest.workload},
               {"class", contest.divergent ? "divergent" : "coherent"},
               {"in_means", contest.common},
               {"winner", contest.winner ? Json(result.contenders[*contest.winner].run) : Json()},
               {"tied", Json::array()},
               {speed + "_against_first", Json::object()},
               {"missing", Json::object()}};
    for (const size_t i : contest.tied) entry["tied"].push_back(result.contenders[i].run);
    for (size_t i = 0; i < contest.ratios.size(); ++i) {
      entry[speed + "_against_first"][result.contenders[i].run] = or_null(contest.ratios[i]);
      if (!contest.ratios[i]) entry["missing"][result.contenders[i].run] = contest.missing[i];
    }
    json["workloads"].push_back(std::move(entry));
  }
  return json;
}

nlohmann::ordered_json reproduction_json(const Reproduction& reproduction) {
  Json json{{"schema", "heddle-reproduction-1"}, {"quick", reproduction.quick}, {"experiments", Json::array()}};
  for (const ExperimentResult& each : reproduction.experiments) {
    Json entry{{"name", each.experiment->name},
               {"title", each.experiment->title},
               {"size", each.size},
               {"claims", Json::array()},
               {"variants", Json::array()}};
    if (!each.experiment->file.empty()) entry["file"] = each.experiment->file;
    for (const ClaimResult& claim : each.claims) entry["claims"].push_back(claim_json(claim, !reproduction.quick));
    if (reproduction.sensitivity)
      for (const Swing& swing : swings_of(each)) entry["sensitivity"].push_back(swing_json(swing));
    else
      for (const VariantResult& variant : each.variants) entry["variants"].push_back(variant_json(variant));
    if (each.head_to_head) entry["head_to_head"] = head_to_head_json(*each.head_to_head);
    json["experiments"].push_back(std::move(entry));
  }
  json["problems"] = reproduction.problems;
  if (reproduction.originals) json["originals"] = reproduction.originals->json;
  return json;
}

}  // namespace heddle
