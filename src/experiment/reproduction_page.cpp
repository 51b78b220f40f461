// docs/reproduction.md. Nothing on it depends on the host or the date: the same results give the same page.
#include <fmt/format.h>

#include "experiment/reproduction.h"
#include "report/markdown.h"
#include "report/table.h"

namespace heddle {
namespace {

std::string strong(const std::string& text) { return text.empty() ? "" : fmt::format("**{}**", text); }

// TOML keeps the line breaks of a paragraph.
std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

// What the variants about all claims make of a line.
std::vector<std::string> others_of(const ExperimentResult& result, const Claim& claim, size_t line) {
  std::vector<std::string> cells;
  for (const ClaimResult* other : result.columns(claim)) cells.push_back(outcome_text(lines_of(*other)[line]));
  return cells;
}

// The claims that a variant of some of them is about.
std::string changed_section(const ExperimentResult& result) {
  std::string text;
  for (const VariantResult& each : result.variants)
    for (const ClaimResult& claim : each.claims) {
      if (each.variant->column()) continue;
      for (const ClaimLine& line : lines_of(claim))
        if (line.id.empty() || !line.ours.empty())
          text += markdown_row(
              {claim.claim->id, each.variant->name, line.id.empty() ? line.what : "", line.ours, line.verdict});
    }
  if (text.empty()) return "";
  return "\n### With one thing changed\n\n" + markdown_head({"claim", "changed", "", "ours", "verdict"}) + text;
}

std::string claims_section(const ExperimentResult& result, bool remarked) {
  std::vector<std::string> headings{"claim", "", "paper", "ours", "verdict"};
  for (const VariantResult& each : result.variants)
    if (each.variant->column()) headings.push_back(each.variant->name);
  std::string text = markdown_head(headings), remarks, details;
  for (const ClaimResult& claim : result.claims) {
    const std::vector<ClaimLine> lines = lines_of(claim);
    for (size_t i = 0; i < lines.size(); ++i) {
      const ClaimLine& line = lines[i];
      std::vector<std::string> cells{"", "– " + line.what, line.paper, line.ours, line.verdict};
      if (!line.id.empty()) cells = {line.id, strong(line.what), line.paper, line.ours, strong(line.verdict)};
      const std::vector<std::string> others = others_of(result, *claim.claim, i);
      cells.insert(cells.end(), others.begin(), others.end());
      text += markdown_row(cells);
    }
    if (remarked && !claim.claim->remark.empty())
      remarks += fmt::format("\n**{}.** {}\n", claim.claim->id, one_line(claim.claim->remark));
    for (const PartResult& part : claim.parts)
      details += fmt::format("- {}, {}: {}\n", claim.claim->id, part.part->name, workloads_text(part));
  }
  return fmt::format("{}{}{}\n<details><summary>Workload by workload</summary>\n\n{}\n</details>\n", text,
                     changed_section(result), remarks, details);
}

std::string contenders_text(const HeadToHeadResult& result) {
  std::string text = markdown_head({"mechanism", "IPC, divergent", "coherent", "all", "SIMD efficiency", "idle",
                                    "memory stalls", "bits per warp", "wins", "refused", "wrong"});
  const auto change = [](const std::optional<double>& value) { return figure_or_dash(FigureUnit::Change, value); };
  for (const Contender& each : result.contenders)
    text += markdown_row({each.run, change(each.speedup[0]), change(each.speedup[1]), change(each.speedup[2]),
                          percent(each.simd_efficiency), percent(each.idle),
                          figure_or_dash(FigureUnit::Times, each.memory_stalls), fmt::format("{:.0f}", each.state_bits),
                          fmt::format("{} + {}", each.wins[0], each.wins[1]), fmt::format("{}", each.refused),
                          fmt::format("{}", each.failed)});
  return text;
}

std::string contests_text(const HeadToHeadResult& result) {
  std::vector<std::string> headings{"workload", ""};
  for (const Contender& each : result.contenders) headings.push_back(each.run);
  std::string text = markdown_head(headings);
  for (const Contest& contest : result.contests) {
    std::vector<std::string> cells{contest.workload, contest.divergent ? "divergent" : "coherent"};
    for (size_t i = 0; i < contest.ratios.size(); ++i) {
      const std::string value = contest.ratios[i] ? fmt::format("{:.2f}", *contest.ratios[i]) : contest.missing[i];
      cells.push_back(contest.winner == i ? strong(value) : value);
    }
    text += markdown_row(cells);
  }
  return text;
}

std::string head_to_head_section(const HeadToHeadResult& result) {
  return fmt::format(
      "Harmonic means of the IPC over that of `{}`, over the {} divergent (SIMD efficiency below 76 %) and {} coherent "
      "workloads that all of them ran right; memory stalls over those of `{}`, all cycles summed; bits per warp: the "
      "most "
      "that was needed; wins: workloads with the highest IPC, divergent + coherent, bounds left out; of those within "
      "0.5 % the first. Where cores are "
      "mostly idle, the inputs do not fill the machine, and ranks say little.\n\n{}\n"
      "IPC over that of `{}`, workload by workload; the highest in bold.\n\n{}",
      result.contenders.front().run, result.common[0], result.common[1], result.contenders.front().run,
      contenders_text(result), result.contenders.front().run, contests_text(result));
}

}  // namespace

std::string reproduction_page(const Reproduction& reproduction, const std::string& command) {
  const bool one = reproduction.experiments.size() == 1;
  std::string text = fmt::format(
      "# {}\n\n"
      "Written by `{}`{}. Every figure is measured here; the papers' are only compared with. "
      "[What the words mean, and how to write an experiment](experiments.md).\n\n{}\n",
      one ? reproduction.experiments[0].experiment->title : "What holds of the papers' claims", command,
      reproduction.quick ? ", at small sizes: a preview of the same without `--quick` (hours)" : "",
      tally(reproduction));
  for (const ExperimentResult& each : reproduction.experiments) {
    if (!one) text += fmt::format("\n## {}\n", each.experiment->title);
    text += fmt::format("\nExperiment `{}`, workloads of size {}.\n\n", each.experiment->name, each.size);
    if (!each.claims.empty()) text += claims_section(each, !reproduction.quick);
    if (each.head_to_head) text += head_to_head_section(*each.head_to_head);
  }
  if (reproduction.originals) text += originals_section(*reproduction.originals);
  if (!reproduction.problems.empty())
    text += "\n## Runs that ended in an error or a wrong result\n\nThey count in no mean.\n\n";
  for (const std::string& problem : reproduction.problems)
    text += fmt::format("- `{}`\n", problem.substr(0, problem.find('\n')));
  return text;
}

}  // namespace heddle
