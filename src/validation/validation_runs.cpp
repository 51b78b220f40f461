#include <fmt/format.h>

#include <map>

#include "bench/hardware/microbenchmark.h"
#include "run/runner.h"
#include "validation/validation.h"

namespace heddle {
namespace {

double measure_micro(const std::string& name, const RunSpec& machine) {
  for (const hardware::Microbenchmark& bench : hardware::microbenchmarks()) {
    if (bench.name != name) continue;
    Gpu gpu(config_of(machine), gpu_options_of(machine, {}));
    return bench.measure(gpu);
  }
  throw Error(ExitCode::Usage, "no microbenchmark of that name");
}

using Measures = std::map<std::string, double, std::less<>>;

Measures measures_of(const KernelStats& stats) {
  Measures measures;
  measures["launches"] = 1;
  if (!stats.timing) return measures;
  const CoreStats cores = stats.timing->all_cores();
  const MemoryStats& memory = stats.timing->memory;
  const auto put = [&](const char* measure, uint64_t value) { measures[measure] = static_cast<double>(value); };
  put("cycles", stats.timing->cycles);
  put("instructions", cores.machine_instructions);
  put("thread_instructions", cores.machine_threads);
  const SectorStats &l1 = cores.l1.sectors, &l2 = memory.l2.sectors;
  put("l1_sectors", l1.reads + l1.writes + l2.atomics);  // atomics pass it
  put("l2_sectors", l2.reads + l2.writes + l2.atomics);
  put("dram_read_sectors", l2.fetched);
  return measures;
}

std::string failure_of(const RunResult& run) {
  if (run.failure) return run.failure->message;
  return run.passed() ? "" : fmt::format("its result is wrong: {}", run.check->detail);
}

}  // namespace

RunSpec as_measured(RunSpec machine, const HardwareData& hardware) {
  const std::vector<std::string> own = std::move(machine.settings);
  machine.settings = {fmt::format("core_clock={}", hardware.core_clock), "launch_caches=cold"};
  machine.settings.insert(machine.settings.end(), own.begin(), own.end());
  return machine;
}

ValidatedMicro validate_micro(const HardwareData::Micro& hardware, const RunSpec& machine) {
  ValidatedMicro row{hardware.name, hardware.unit, {hardware.value, 0}, hardware.least, hardware.most, ""};
  try {
    row.value.simulated = measure_micro(hardware.name, machine);
  } catch (const Error& error) {
    row.failure = error.what();
  }
  return row;
}

std::vector<ValidatedKernel> validate_kernels(const HardwareData& hardware, const RunResult& run) {
  std::map<std::string, Measures, std::less<>> sums;
  std::map<std::string, CoreStats, std::less<>> cores;
  for (const LaunchResult& launch : run.launches) {
    for (const auto& [measure, value] : measures_of(launch.stats)) sums[launch.stats.kernel][measure] += value;
    if (launch.stats.timing) cores[launch.stats.kernel].add(launch.stats.timing->all_cores());
  }
  std::vector<ValidatedKernel> rows;
  for (const HardwareData::Kernel& kernel : hardware.kernels) {
    if (kernel.workload != run.spec.program) continue;
    ValidatedKernel row{kernel.workload, kernel.name, 0, {}, {}, failure_of(run)};
    if (const auto found = sums.find(kernel.name); found != sums.end()) {
      for (const auto& [measure, value] : kernel.values)
        if (const auto simulated = found->second.find(measure); simulated != found->second.end())
          row.values[measure] = {value, simulated->second};
      row.launches = static_cast<unsigned>(found->second["launches"]);
      row.spent = spent_of(cores[kernel.name]);
    } else if (row.failure.empty()) {
      row.failure = "was not launched";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace heddle
