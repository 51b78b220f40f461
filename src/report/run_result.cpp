#include "report/run_result.h"

#include <fmt/format.h>

#include <map>

#include "program/analysis.h"
#include "program/disassembly.h"

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

RunResult measure(Gpu& gpu, std::string program, const std::function<std::optional<workloads::Check>()>& body) {
  RunResult result{.program = std::move(program),
                   .size = "",
                   .compiler = "",
                   .preset = "",
                   .timed = gpu.options().timed,
                   .sample = gpu.options().timed ? gpu.options().instruments.sample : 0,
                   .config = gpu.config(),
                   .mechanism = gpu.options().mechanism,
                   .schedule = gpu.options().schedule,
                   .lanes = std::string(gpu.options().lanes.name()),
                   .check = std::nullopt,
                   .launches = {},
                   .total = {},
                   .seconds = 0,
                   .failure = std::nullopt};
  try {
    result.check = body();
  } catch (const Error& error) {
    result.failure = {error.code(), error.what()};
  } catch (const std::exception& error) {
    result.failure = {ExitCode::Internal, fmt::format("internal error: {}", error.what())};
  }
  for (const KernelStats& stats : gpu.launches())
    result.launches.push_back({stats, places_of(gpu, stats), stats.by_pc.empty() ? nullptr : gpu.kernel(stats.kernel)});
  result.total = {gpu.total(), summed(result.launches), nullptr};
  result.seconds = gpu.seconds();
  result.taint = gpu.options().taint;
  result.scores = gpu.options().instruments.scores;
  return result;
}

void add_process(RunResult& result, RunResult more) {
  result.total.stats.add(more.total.stats);
  for (LaunchResult& launch : more.launches) result.launches.push_back(std::move(launch));
  result.total.branches = summed(result.launches);
  result.seconds += more.seconds;
  if (!result.failure) result.failure = std::move(more.failure);
}

RunResult run_workload(const workloads::Workload& workload, workloads::Size size, Config config, GpuOptions options,
                       workloads::Compiler compiler) {
  Gpu gpu(std::move(config), std::move(options));
  RunResult result = measure(gpu, std::string(workload.name), [&] {
    const volatile bool* stop = gpu.options().stop;
    if (stop && *stop) throw Error(ExitCode::Interrupted, "interrupted");  // before it makes its inputs
    gpu.load(workloads::ptx_file(workload.name, compiler), workload.ptx(compiler));
    return std::optional(workload.run(gpu, size));
  });
  result.size = name_of(size);
  result.compiler = name_of(compiler);
  return result;
}

std::string_view name_of(workloads::Size size) {
  switch (size) {
    case workloads::Size::Tiny: return "tiny";
    case workloads::Size::Small: return "small";
    case workloads::Size::Paper: return "paper";
  }
  return "";
}

}  // namespace heddle
