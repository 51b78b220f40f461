#include <fmt/format.h>

#include "experiment/reproduction.h"
#include "report/table.h"

namespace heddle {
namespace {

constexpr size_t kWidest = 64;  // of the text of a claim; what is longer goes on in the next line

std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines(1);
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > kWidest) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

// `others`: what the variants make of it.
void add_line(Table& table, const ClaimLine& line, const std::vector<std::string>& others) {
  const bool below = line.id.empty();
  const std::vector<std::string> what = wrapped(line.what), paper = wrapped(line.paper);
  for (size_t i = 0; i < std::max(what.size(), paper.size()); ++i) {
    const std::string text = i < what.size() ? (below ? "  " : "") + what[i] : "";
    const std::string says = i < paper.size() ? paper[i] : "";
    std::vector<std::string> cells{i == 0 ? line.id : "", text, says};
    if (i == 0) {
      cells.push_back(line.ours);
      cells.push_back(below && !line.verdict.empty() ? "  " + line.verdict : line.verdict);
      cells.insert(cells.end(), others.begin(), others.end());
    }
    table.add(std::move(cells));
  }
}

// The claims that a variant of some of them is about.
std::string changed_table(const ExperimentResult& result) {
  Table table({{"claim", false}, {"changed", false}, {"", false}, {"ours", false}, {"verdict", false}});
  bool any = false;
  for (const VariantResult& each : result.variants) {
    if (each.variant->column()) continue;
    for (const ClaimResult& claim : each.claims)
      for (const ClaimLine& line : lines_of(claim)) {
        const bool first = !line.id.empty();
        if (first && line.ours.empty()) continue;  // its parts follow
        table.add({claim.claim->id, each.variant->name, first ? "" : line.what, line.ours, line.verdict});
        any = true;
      }
  }
  return any ? "\nwith one thing changed\n" + table.text() : "";
}

std::string claims_table(const ExperimentResult& result, bool details) {
  std::vector<Table::Column> columns{
      {"claim", false}, {"", false}, {"paper", false}, {"ours", false}, {"verdict", false}};
  for (const VariantResult& each : result.variants)
    if (each.variant->column()) columns.push_back({each.variant->name, false});
  Table table(std::move(columns));
  std::string below;
  for (const ClaimResult& claim : result.claims) {
    const std::vector<ClaimLine> lines = lines_of(claim);
    for (size_t i = 0; i < lines.size(); ++i) {
      std::vector<std::string> others;
      for (const ClaimResult* other : result.columns(*claim.claim)) others.push_back(outcome_text(lines_of(*other)[i]));
      add_line(table, lines[i], others);
    }
    if (details)
      for (const PartResult& part : claim.parts)
        below += fmt::format("{}  {}: {}\n", claim.claim->id, part.part->name, workloads_text(part));
  }
  return fmt::format("{} (size {})\n{}{}{}{}", result.experiment->title, result.size, table.text(),
                     changed_table(result), below.empty() ? "" : "\n", below);
}

}  // namespace

std::string tally(const Reproduction& reproduction) {
  constexpr Verdict kVerdicts[] = {Verdict::Holds, Verdict::Direction, Verdict::Fails, Verdict::Indistinct,
                                   Verdict::Unmeasured};
  unsigned all = 0;
  std::string text;
  for (Verdict verdict : kVerdicts) {
    unsigned count = 0;
    for (const ExperimentResult& experiment : reproduction.experiments)
      for (const ClaimResult& claim : experiment.claims) count += claim.verdict == verdict;
    all += count;
    if (count > 0) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name_of(verdict), count);
  }
  return all == 0 ? "" : fmt::format("{} claim{}: {}", all, all == 1 ? "" : "s", text);
}

std::string reproduction_table(const Reproduction& reproduction, bool details) {
  std::string text;
  for (const ExperimentResult& each : reproduction.experiments) {
    if (!text.empty()) text += "\n";
    if (!each.claims.empty()) text += claims_table(each, details);
    if (each.head_to_head)
      text += fmt::format("{} (size {})\n{}", each.experiment->title, each.size,
                          head_to_head_table(*each.head_to_head, details));
  }
  if (const std::string counts = tally(reproduction); !counts.empty()) text += "\n" + counts + "\n";
  if (reproduction.originals) text += "\n" + originals_table(*reproduction.originals);
  if (!reproduction.problems.empty()) text += "\nruns that ended in an error or a wrong result, and count in no mean\n";
  for (const std::string& problem : reproduction.problems) text += fmt::format("  {}\n", problem);
  return text;
}

}  // namespace heddle
