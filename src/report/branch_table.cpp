#include "report/branch_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "report/breakdown.h"
#include "report/kernel_names.h"
#include "report/table.h"

namespace heddle {
namespace {

constexpr size_t kLongestText = 36;

// Those whose threads diverged, most often first.
std::vector<BranchPlace> divergent_branches(const std::vector<BranchPlace>& all) {
  std::vector<BranchPlace> result;
  for (const BranchPlace& branch : all)
    if (branch.record.diverged > 0) result.push_back(branch);
  std::stable_sort(result.begin(), result.end(), [](const BranchPlace& a, const BranchPlace& b) {
    return std::tie(a.record.diverged, a.record.executed) > std::tie(b.record.diverged, b.record.executed);
  });
  return result;
}

std::string kind_text(const BranchRecord& record) {
  switch (record.kind) {
    case BranchKind::Unknown: return "";
    case BranchKind::Programmatic: return "P";
    case BranchKind::Data: return record.data_threads < record.threads ? "P/D" : "D";
  }
  return "";
}

std::string shortened(const std::string& text) {
  return text.size() <= kLongestText ? text : text.substr(0, kLongestText - 1) + "…";
}

// What a table of this run shows beside the counts of slots.
struct Shown {
  bool kernels, kinds, block_wide;
};

std::vector<Table::Column> columns_of(const Shown& shown) {
  std::vector<Table::Column> columns{{"source", false}, {"pc"}, {"branch", false}};
  if (shown.kernels) columns.insert(columns.begin(), {"kernel", false});
  if (shown.kinds) columns.push_back({"kind", false});
  columns.insert(columns.end(), {{"executed"}, {"diverged"}, {"share"}});
  if (shown.block_wide) columns.insert(columns.end(), {{"by blocks"}, {"diverged"}, {"compactable"}, {"compacted"}});
  return columns;
}

std::vector<std::string> cells_of(const BranchPlace& branch, const Shown& shown, const KernelNames& names) {
  const BranchRecord& record = branch.record;
  std::vector<std::string> cells;
  const auto add = [&](std::string text) { cells.push_back(std::move(text)); };
  if (shown.kernels) add(names.of(branch.kernel));
  add(branch.source.empty() ? branch.place : branch.source);
  add(std::to_string(record.pc));
  add(shortened(branch.text));
  if (shown.kinds) add(kind_text(record));
  add(grouped(record.executed));
  add(grouped(record.diverged));
  add(percent(share(record.diverged, record.executed)));
  if (!shown.block_wide) return cells;
  const BlockWideCounts& block = record.block_wide;
  for (uint64_t count : {block.executed, block.diverged, block.compactable, block.compacted}) add(grouped(count));
  return cells;
}

}  // namespace

std::string branch_table(const RunResult& result) {
  const std::vector<BranchPlace>& all = result.total.branches;
  const std::vector<BranchPlace> branches = divergent_branches(all);
  const auto several = [&](const BranchPlace& branch) { return branch.kernel != all.front().kernel; };
  const auto known = [](const BranchPlace& branch) { return branch.record.kind != BranchKind::Unknown; };
  const Shown shown{std::any_of(all.begin(), all.end(), several), std::any_of(all.begin(), all.end(), known),
                    result.total.stats.compaction.has_value()};
  Table table(columns_of(shown));
  const KernelNames names(result.launches);
  for (const BranchPlace& branch : branches) table.add(cells_of(branch, shown, names));
  const auto choices = std::count_if(all.begin(), all.end(), [](const BranchPlace& branch) { return branch.choice; });
  const std::string rest = fmt::format("{} branches with a choice, {} of them diverged\n", choices, branches.size());
  const bool lines = std::any_of(all.begin(), all.end(), [](const BranchPlace& each) { return !each.source.empty(); });
  return branches.empty() ? rest : table.text() + rest + std::string(lines ? "" : kNoLines);
}

}  // namespace heddle
