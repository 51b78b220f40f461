#include "experiment/run_spec.h"

#include <fmt/format.h>

#include "base/fingerprint.h"
#include "divergence/registry.h"
#include "experiment/results_version.h"
#include "gpu/machine_keys.h"
#include "schedule/registry.h"

namespace heddle {
namespace {

std::string hexadecimal(std::string_view text) {
  Fingerprint fingerprint;
  fingerprint.add(text.data(), text.size());
  return fmt::format("{:016x}", fingerprint.value());
}

GpuOptions options_of(const RunSpec& spec) {
  GpuOptions options;
  options.mechanism = spec.mechanism;
  options.lanes = LaneMap::named(spec.lanes);
  options.schedule = spec.schedule;
  options.timed = spec.timed;
  options.taint = spec.taint;
  options.instruments.scores = spec.scores;
  return options;
}

}  // namespace

RunIdentity identity_of(const RunSpec& spec) {
  const workloads::Workload& workload = workloads::find(spec.workload);
  const workloads::Compiler compiler = workloads::compiler_named(spec.compiler);
  const Config config = make_config(spec.preset, spec.settings);
  mechanism_named(spec.mechanism);
  workloads::size_named(spec.size);
  const std::string schedule = spec.schedule.empty() ? usual_schedule(config, spec.mechanism) : spec.schedule;
  scheduler_named(schedule);
  nlohmann::ordered_json content{{"simulator", simulator_version()},
                                 {"workload", spec.workload},
                                 {"workload_version", workload_version(spec.workload)},
                                 {"ptx", hexadecimal(workload.ptx(compiler))},
                                 {"size", spec.size},
                                 {"compiler", spec.compiler},
                                 {"mechanism", spec.mechanism},
                                 {"lanes", LaneMap::named(spec.lanes).name()},
                                 {"schedule", schedule},
                                 {"fidelity", spec.timed ? "cycle" : "emulation"},
                                 {"taint", spec.taint},
                                 {"scores", spec.scores}};
  for (const Key& key : config.keys()) content["config"][std::string(key.name)] = config.text(key.name);
  std::string key = fmt::format("{}-{}-{}", spec.workload, spec.mechanism, hexadecimal(content.dump()));
  return {std::move(content), std::move(key)};
}

RunResult execute(const RunSpec& spec, const volatile bool* stop) {
  GpuOptions options = options_of(spec);
  options.stop = stop;
  RunResult result = run_workload(workloads::find(spec.workload), workloads::size_named(spec.size),
                                  make_config(spec.preset, spec.settings), std::move(options),
                                  workloads::compiler_named(spec.compiler));
  result.preset = spec.preset;
  return result;
}

std::string command_of(const RunSpec& spec) {
  const RunSpec usual;
  std::string text = fmt::format("heddle run {} --size {} --preset {} --mechanism {}", spec.workload, spec.size,
                                 spec.preset, spec.mechanism);
  for (const std::string& setting : spec.settings) text += fmt::format(" --set {}", setting);
  if (spec.compiler != usual.compiler) text += fmt::format(" --compiler {}", spec.compiler);
  if (spec.lanes != usual.lanes) text += fmt::format(" --lanes {}", spec.lanes);
  if (!spec.schedule.empty()) text += fmt::format(" --schedule {}", spec.schedule);
  if (!spec.timed) text += " --emulate";
  if (spec.taint) text += " --taint";
  if (spec.scores) text += " --scores";
  return text;
}

}  // namespace heddle
