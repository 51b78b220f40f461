#include <fmt/format.h>

#include <algorithm>

#include "experiment/reproduction.h"

namespace heddle {
namespace {

std::string paper_text(const Part& part) {
  const auto paper = part.paper.find("");
  return paper == part.paper.end() ? "" : figure_text(part.unit, paper->second);
}

// Of values judged one by one: how many are as the paper says, and their range.
std::string each_text(const PartResult& part) {
  unsigned good = 0, judged = 0;
  double least = 0, most = 0;
  bool any = false;
  for (size_t i = 0; i < part.verdicts.size(); ++i) {
    judged += part.verdicts[i] != Verdict::Unmeasured;
    good += part.verdicts[i] == Verdict::Holds || part.verdicts[i] == Verdict::Direction;
    const std::optional<double>& value = part.measured.workloads[i].value;
    if (!value) continue;
    least = any ? std::min(least, *value) : *value;
    most = any ? std::max(most, *value) : *value;
    any = true;
  }
  if (!any) return "-";
  const std::string range =
      fmt::format("{} to {}", figure_text(part.part->unit, least), figure_text(part.part->unit, most));
  return judged == 0 ? range : fmt::format("{} of {}: {}", good, judged, range);
}

std::string ours_text(const PartResult& part) {
  if (part.part->fold == Fold::Each) return each_text(part);
  return figure_or_dash(part.part->unit, part.measured.figure);
}

ClaimLine part_line(const ClaimResult& result, size_t at) {
  const PartResult& part = result.parts[at];
  const bool shown_only = !part.part->judged;
  return {"",
          part.part->name,
          paper_text(*part.part),
          ours_text(part),
          shown_only ? "" : std::string(name_of(part.verdict)),
          at};
}

ClaimLine order_line(const ClaimResult& result, size_t at) {
  return {"", fmt::format("order: {}", fmt::join(result.claim->orders[at], " > ")), "", "",
          std::string(name_of(result.orders[at]))};
}

}  // namespace

std::string figure_or_dash(FigureUnit unit, const std::optional<double>& value) {
  return value ? figure_text(unit, *value) : "-";
}

std::string figure_text(FigureUnit unit, double value) {
  switch (unit) {
    case FigureUnit::Change: return fmt::format("{:+.1f} %", 100 * (value - 1));
    case FigureUnit::Times: return fmt::format("{:.2f} x", value);
    case FigureUnit::Percent: return fmt::format("{:.1f} %", 100 * value);
    case FigureUnit::Number: return fmt::format("{:.6g}", value);
  }
  return "";
}

std::string workload_text(const PartResult& part, size_t workload) {
  const WorkloadValue& each = part.measured.workloads[workload];
  const FigureUnit unit = part.part->unit_of_values();
  std::string text = each.value ? figure_text(unit, *each.value) : each.missing;
  const auto paper = part.part->paper.find(each.workload);
  if (part.part->fold != Fold::Each || paper == part.part->paper.end()) return text;
  return fmt::format("{} (paper {})", text, figure_text(unit, paper->second));
}

std::string workloads_text(const PartResult& part) {
  std::string text;
  for (size_t i = 0; i < part.measured.workloads.size(); ++i) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", part.measured.workloads[i].workload, workload_text(part, i));
    if (part.part->fold == Fold::Each && part.verdicts[i] == Verdict::Fails) text += " no";
  }
  return text;
}

std::vector<const ClaimResult*> ExperimentResult::columns(const Claim& claim) const {
  std::vector<const ClaimResult*> result;
  for (const VariantResult& each : variants)
    for (const ClaimResult& other : each.claims)
      if (each.variant->column() && other.claim == &claim) result.push_back(&other);
  return result;
}

std::string outcome_text(const ClaimLine& line) {
  return line.ours.empty() || line.verdict.empty() ? line.ours + line.verdict
                                                   : fmt::format("{}, {}", line.ours, line.verdict);
}

std::vector<ClaimLine> lines_of(const ClaimResult& result) {
  const Claim& claim = *result.claim;
  std::vector<ClaimLine> lines{{claim.id, claim.text, claim.paper, "", std::string(name_of(result.verdict))}};
  if (result.parts.size() == 1 && result.orders.empty()) {
    lines[0].ours = ours_text(result.parts[0]);
    lines[0].part = 0;
    return lines;
  }
  for (size_t i = 0; i < result.parts.size(); ++i) lines.push_back(part_line(result, i));
  for (size_t i = 0; i < result.orders.size(); ++i) lines.push_back(order_line(result, i));
  return lines;
}

}  // namespace heddle
