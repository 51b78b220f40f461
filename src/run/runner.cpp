#include "run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "divergence/registry.h"
#include "run/cuda_run.h"
#include "run/kernel_argument.h"
#include "run/kernel_choice.h"
#include "run/program_source.h"
#include "runtime/machine_facts.h"
#include "schedule/registry.h"

namespace heddle {
namespace {

LaunchShape shape_of(const KernelLaunch& launch) {
  if (launch.grid.empty() || launch.block.empty())
    throw Error(ExitCode::Usage, "a kernel of a PTX file needs --grid and --block");
  return {parse_dimensions("--grid", launch.grid), parse_dimensions("--block", launch.block), launch.shared,
          launch.cooperative};
}

RunResult execute_file(const RunSpec& given, const RunHooks& hooks) {
  const LaunchShape shape = shape_of(given.launch);
  std::optional<WrittenArguments> written;
  if (!hooks.arguments) written.emplace(given.launch.arguments);
  ArgumentSource& arguments = hooks.arguments ? *hooks.arguments : *written;
  const std::shared_ptr<const Program> program = load_file(given, hooks.warn);
  const RunSpec spec = with_kernel(given, *program);
  program->kernel(spec.kernel);  // fails before anything is launched
  Gpu gpu(config_of(spec), gpu_options_of(spec, hooks));
  gpu.load(program);
  const Arguments placed = arguments.place(gpu);
  return measure(gpu, spec, [&]() -> std::optional<workloads::Check> {
    try {
      gpu.launch(spec.kernel, shape, placed);
    } catch (const Error&) {
      if (!gpu.launches().empty()) arguments.write_back(gpu);  // what memory holds now
      throw;
    }
    arguments.write_back(gpu);
    if (hooks.finished) hooks.finished(gpu);
    return std::nullopt;
  });
}

RunResult execute_workload(const RunSpec& given, const RunHooks& hooks) {
  const workloads::Workload& workload = workloads::find(given.program);
  const std::shared_ptr<const Program> program = load_workload(workload, workloads::compiler_named(given.compiler));
  const RunSpec spec = with_kernel(given, *program);
  Gpu gpu(config_of(spec), gpu_options_of(spec, hooks));
  return measure(gpu, spec, [&] {
    if (hooks.stop && *hooks.stop) throw Error(ExitCode::Interrupted, "interrupted");  // before it makes its inputs
    gpu.load(program);
    const workloads::Check check = workload.run(gpu, workloads::size_named(spec.size));
    if (hooks.finished) hooks.finished(gpu);
    return std::optional(check);
  });
}

std::shared_ptr<const Program> program_of(const RunSpec& spec) {
  return spec.kind == RunSpec::Kind::PtxFile
             ? load_file(spec, nullptr)
             : load_workload(workloads::find(spec.program), workloads::compiler_named(spec.compiler));
}

// The kernels of all programs; none where a CUDA program is among them, which shows them as it runs.
std::vector<std::string> kernels_of(std::span<const RunSpec> runs) {
  std::vector<std::string> kernels;
  for (const RunSpec& spec : runs) {
    if (spec.kind == RunSpec::Kind::CudaProgram) return {};
    for (const std::string& name : program_of(spec)->kernel_names()) kernels.push_back(name);
  }
  return kernels;
}

// Settings that name kernels name some that there are.
void check_kernel_names(std::span<const RunSpec> runs, const Config& config) {
  for (const std::string& setting : runs[0].settings)
    for (const Key& key : config.keys()) {
      if (key.name != key_of(setting) || config.kernels_named(key).empty()) continue;
      const std::vector<std::string> kernels = kernels_of(runs);
      for (std::string_view name : config.kernels_named(key))
        if (!kernels.empty() && std::find(kernels.begin(), kernels.end(), name) == kernels.end())
          throw Error(ExitCode::Usage,
                      fmt::format("--set {}: '{}' is no kernel of {} (kernels: {})", setting, name,
                                  runs.size() == 1 ? runs[0].program : "these workloads", listed(kernels)));
    }
}

constexpr std::string_view kWarpSize = "warp_size";

// Threads that the program takes for a warp; 0: it does not matter, or none is named yet.
unsigned lockstep_of(const RunSpec& spec) {
  if (spec.kind != RunSpec::Kind::Workload) return 0;
  for (const workloads::Workload& workload : workloads::all())
    if (workload.name == spec.program) return workload.lockstep;
  return 0;
}

}  // namespace

RunSpec with_kernel(RunSpec spec, const Program& program) {
  const std::vector<std::string> names = program.kernel_names();
  if (!spec.kernel.empty()) spec.kernel = kernel_named(spec.kernel, names, spec.program);
  if (!spec.kernel.empty() || spec.kind != RunSpec::Kind::PtxFile) return spec;
  if (names.empty()) throw Error(ExitCode::BadProgram, fmt::format("{} has no kernel", spec.program));
  if (names.size() > 1)
    throw Error(ExitCode::Usage, fmt::format("{} has {} kernels; choose one with --kernel: {}", spec.program,
                                             names.size(), listed(names)));
  spec.kernel = names[0];
  return spec;
}

void check_names(const RunSpec& spec) {
  mechanism_named(spec.mechanism);
  LaneMap::named(spec.lanes);
  if (!spec.schedule.empty()) scheduler_named(spec.schedule);
  if (spec.kind == RunSpec::Kind::PtxFile) shape_of(spec.launch);
  if (spec.kind != RunSpec::Kind::Workload) return;
  workloads::size_named(spec.size);
  workloads::find(spec.program).ptx(workloads::compiler_named(spec.compiler));
}

Config config_of(const RunSpec& spec) {
  std::vector<std::string> settings = spec.settings;
  if (const unsigned lockstep = lockstep_of(spec); lockstep > 0) {
    const bool set =
        std::any_of(settings.begin(), settings.end(), [](const std::string& s) { return key_of(s) == kWarpSize; });
    if (!set && make_config(spec.preset, settings).integer(kWarpSize) < int64_t{lockstep})
      settings.push_back(fmt::format("{}={}", kWarpSize, lockstep));
  }
  return make_config(spec.preset, settings);
}

RunParts parts_of(const RunSpec& spec) {
  RunParts parts{spec.mechanism, spec.schedule, spec.timed, {}};
  if (spec.kind == RunSpec::Kind::CudaProgram) parts.shown = runtime::keys_shown();
  return parts;
}

std::vector<std::string> settings_read(const RunSpec& spec) {
  const Config config = config_of(spec);
  std::vector<std::string> read;
  for (const std::string& setting : spec.settings)
    if (reads(parts_of(spec), config, key_of(setting))) read.push_back(setting);
  return read;
}

std::string kernel_of(const RunSpec& spec) {
  if (spec.kernel.empty() || spec.kind == RunSpec::Kind::CudaProgram) return spec.kernel;
  return kernel_named(spec.kernel, program_of(spec)->kernel_names(), spec.program);
}

GpuOptions gpu_options_of(const RunSpec& spec, const RunHooks& hooks) {
  GpuOptions options;
  options.mechanism = spec.mechanism;
  options.lanes = LaneMap::named(spec.lanes);
  options.schedule = spec.schedule;
  options.timed = spec.timed;
  options.skip = spec.skip;
  options.sample_launches = spec.sample_launches;
  options.threads = spec.threads;
  options.instruments = spec.instruments;
  options.checks = spec.checks;
  options.observers = hooks.observers;
  options.stop = hooks.stop;
  options.progress = hooks.progress;
  options.printed = hooks.printed;
  return options;
}

void check_runs(std::span<const RunSpec> runs) {
  if (runs.empty()) return;
  std::vector<RunParts> parts;
  for (const RunSpec& spec : runs) {
    check_names(spec);
    parts.push_back(parts_of(spec));
  }
  const Config config = config_of(runs[0]);
  check_read(runs[0].settings, config, parts);
  check_kernel_names(runs, config);
}

bool is_answer(const RunSpec& spec, ExitCode code) {
  if (code == ExitCode::Refused) return true;
  return code == ExitCode::Deadlock && spec.kind == RunSpec::Kind::Workload &&
         workloads::find(spec.program).kind == workloads::Kind::Waits && !mechanism_named(spec.mechanism).fair;
}

RunResult execute(const RunSpec& spec, const RunHooks& hooks) {
  switch (spec.kind) {
    case RunSpec::Kind::Workload: return execute_workload(spec, hooks);
    case RunSpec::Kind::PtxFile: return execute_file(spec, hooks);
    case RunSpec::Kind::CudaProgram: return CudaRun(spec, hooks).run();
  }
  throw InternalError("a run of no kind");
}

}  // namespace heddle
