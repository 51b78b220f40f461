#include "run/run_result.h"

#include <fmt/format.h>

#include <map>

#include "program/analysis.h"
#include "program/disassembly.h"
#include "run/kernel_choice.h"
#include "run/runner.h"

namespace heddle {
namespace {

std::vector<BranchPlace> places_of(const Gpu& gpu, const KernelStats& stats) {
  std::vector<BranchPlace> places;
  if (stats.branch_records.empty()) return places;
  const std::shared_ptr<const Kernel> kernel = gpu.kernel(stats.kernel);
  for (const BranchRecord& record : stats.branch_records) {
    const std::string place = fmt::format("{}:{}", kernel->source->name(), kernel->code[record.pc].place.line);
    places.push_back({stats.kernel, record, place, source_place(*kernel, record.pc),
                      instruction_text(*kernel, record.pc), has_choice(kernel->code[record.pc])});
  }
  return places;
}

// Records of the same branch, over all launches of its kernel.
std::vector<BranchPlace> summed(const std::vector<LaunchResult>& launches) {
  std::map<std::pair<std::string, Pc>, BranchPlace> sums;
  for (const LaunchResult& launch : launches)
    for (const BranchPlace& branch : launch.branches) {
      const auto [entry, added] = sums.try_emplace({branch.kernel, branch.record.pc}, branch);
      if (!added) entry->second.record.add(branch.record);
    }
  std::vector<BranchPlace> result;
  result.reserve(sums.size());
  for (auto& [key, branch] : sums) result.push_back(std::move(branch));
  return result;
}

}  // namespace

RunResult measure(Gpu& gpu, RunSpec spec, const std::function<std::optional<workloads::Check>()>& body) {
  RunResult result{.spec = std::move(spec),
                   .config = gpu.config(),
                   .keys = {},
                   .schedule = gpu.options().schedule,
                   .ended_with = std::nullopt,
                   .check = std::nullopt,
                   .launches = {},
                   .total = {},
                   .seconds = 0,
                   .failure = std::nullopt,
                   .findings = {}};
  result.keys = keys_read(parts_of(result.spec), result.config);
  try {
    result.check = body();
  } catch (const std::exception& error) {
    result.failure = {code_of(error), text_of(error)};
  }
  for (const KernelStats& stats : gpu.launches()) {
    if (!shown(result.spec, stats.kernel)) continue;
    result.launches.push_back({stats, places_of(gpu, stats), stats.by_pc.empty() ? nullptr : gpu.kernel(stats.kernel)});
    result.total.stats.add(stats);
  }
  result.total.branches = summed(result.launches);
  result.seconds = gpu.seconds();
  gpu.note_heap_leaks();
  result.findings = gpu.findings();
  return result;
}

void add_process(RunResult& result, RunResult more) {
  result.total.stats.add(more.total.stats);
  for (LaunchResult& launch : more.launches) result.launches.push_back(std::move(launch));
  result.total.branches = summed(result.launches);
  result.seconds += more.seconds;
  if (!result.failure) result.failure = std::move(more.failure);
  for (check::Finding& finding : more.findings) result.findings.push_back(std::move(finding));
}

}  // namespace heddle
