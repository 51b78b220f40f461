#include "report/profile/profile.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/profile/blame.h"
#include "report/profile/source_text.h"

namespace heddle {
namespace {

using LineKey = std::pair<std::string, uint32_t>;

Cost cost_of(const PcCounts& counts, unsigned warp_size) {
  const uint64_t needed = (counts.active + warp_size - 1) / warp_size;
  return {counts.slots, counts.threads, counts.active, counts.slots * warp_size - counts.active, counts.slots - needed};
}

// Line 0 is what the compiler added: it belongs to the line before.
int32_t written_loc(const Kernel& kernel, Pc pc) {
  for (const Pc begin = kernel.function_at(pc).begin; pc > begin; --pc)
    if (const int32_t loc = kernel.code[pc].loc; loc < 0 || kernel.locs[static_cast<size_t>(loc)].line > 0) break;
  return kernel.code[pc].loc;
}

// The line an instruction belongs to: of the source if its text is to be had, of what was inlined where only the
// caller's is, else of the PTX.
LineKey line_of(const Kernel& kernel, Pc pc, SourceTexts& texts) {
  for (int32_t loc = written_loc(kernel, pc); loc >= 0; loc = kernel.locs[static_cast<size_t>(loc)].inlined_at) {
    const SourceLine& line = kernel.locs[static_cast<size_t>(loc)];
    if (line.file < kernel.files.size() && texts.has(kernel.files[line.file]))
      return {kernel.files[line.file], line.line};
  }
  const std::string& name = kernel.source->name();
  texts.add(name, kernel.source->text());
  return {name, kernel.code[pc].place.line};
}

void add_launch(const LaunchResult& launch, unsigned warp_size, SourceTexts& texts,
                std::map<LineKey, ProfileLine>& lines) {
  const std::vector<PcCounts>& counts = launch.stats.by_pc;
  for (Pc pc = 0; pc < counts.size(); ++pc)
    if (counts[pc] != PcCounts{}) lines[line_of(*launch.kernel, pc, texts)].cost.add(cost_of(counts[pc], warp_size));
  for (const BranchRecord& record : launch.stats.branch_records) {
    ProfileLine& line = lines[line_of(*launch.kernel, record.pc, texts)];
    line.branches += record.executed;
    line.diverged += record.diverged;
    line.kind = std::max(line.kind, record.kind);
  }
}

// By kernel and PC, over all launches.
using BranchCosts = std::map<std::pair<std::string, Pc>, double>;

void add_blame(const LaunchResult& launch, unsigned warp_size, BranchCosts& costs, double& nobody) {
  const Blame part = blame(*launch.kernel, launch.stats.by_pc, launch.stats.branch_records, warp_size);
  for (const BranchRecord& record : launch.stats.branch_records)
    costs[{launch.stats.kernel, record.pc}] += part.branches[record.pc];
  nobody += part.nobody;
}

const Kernel& kernel_of(const RunResult& result, const std::string& name) {
  const auto found = std::find_if(result.launches.begin(), result.launches.end(),
                                  [&](const LaunchResult& launch) { return launch.stats.kernel == name; });
  require(found != result.launches.end() && found->kernel, "a branch of a kernel that was not launched");
  return *found->kernel;
}

void sort_by_loss(Profile& profile) {
  std::stable_sort(profile.lines.begin(), profile.lines.end(), [](const ProfileLine& a, const ProfileLine& b) {
    return std::tie(b.cost.lanes_lost, b.cost.slots) < std::tie(a.cost.lanes_lost, a.cost.slots);
  });
  std::stable_sort(profile.branches.begin(), profile.branches.end(),
                   [](const ProfileBranch& a, const ProfileBranch& b) { return b.lanes_lost < a.lanes_lost; });
}

}  // namespace

void Cost::add(const Cost& other) {
  slots += other.slots;
  threads += other.threads;
  active += other.active;
  lanes_lost += other.lanes_lost;
  slots_lost += other.slots_lost;
}

Profile profile_of(const RunResult& result) {
  Profile profile;
  SourceTexts texts(result.spec.program);
  std::map<LineKey, ProfileLine> lines;
  BranchCosts blamed;
  for (const LaunchResult& launch : result.launches) {
    if (launch.stats.by_pc.empty()) continue;
    add_launch(launch, result.warp_size(), texts, lines);
    add_blame(launch, result.warp_size(), blamed, profile.lanes_lost_by_nobody);
  }
  for (auto& [key, line] : lines) {
    const auto& [file, number] = key;
    line.file = file;
    line.line = number;
    const std::vector<std::string>& text = texts.lines(file);
    if (number > 0 && number <= text.size()) line.text = text[number - 1];
    profile.total.add(line.cost);
    if (profile.sources.empty() || profile.sources.back().first != file) profile.sources.emplace_back(file, text);
    profile.lines.push_back(std::move(line));
  }
  for (const BranchPlace& branch : result.total.branches) {
    if (branch.record.diverged == 0) continue;
    const auto [file, line] = line_of(kernel_of(result, branch.kernel), branch.record.pc, texts);
    profile.branches.push_back({branch, file, line, blamed[{branch.kernel, branch.record.pc}]});
  }
  sort_by_loss(profile);
  return profile;
}

}  // namespace heddle
