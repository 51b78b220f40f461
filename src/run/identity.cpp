#include "run/identity.h"

#include <fmt/format.h>

#include "base/fingerprint.h"
#include "run/results_version.h"
#include "run/runner.h"
#include "schedule/registry.h"

namespace heddle {
namespace {

std::string hexadecimal(std::string_view text) {
  Fingerprint fingerprint;
  fingerprint.add(text.data(), text.size());
  return fmt::format("{:016x}", fingerprint.value());
}

}  // namespace

RunIdentity identity_of(const RunSpec& spec) {
  const workloads::Workload& workload = workloads::find(spec.program);
  const workloads::Compiler compiler = workloads::compiler_named(spec.compiler);
  const Config config = config_of(spec);
  workloads::size_named(spec.size);
  const std::string schedule = spec.schedule.empty() ? usual_schedule(config, spec.mechanism) : spec.schedule;
  scheduler_named(schedule);
  nlohmann::ordered_json content{{"simulator", simulator_version()},
                                 {"workload", spec.program},
                                 {"workload_version", workload_version(spec.program)},
                                 {"ptx", hexadecimal(workload.ptx(compiler))},
                                 {"size", spec.size},
                                 {"compiler", spec.compiler},
                                 {"mechanism", spec.mechanism},
                                 {"lanes", LaneMap::named(spec.lanes).name()},
                                 {"schedule", schedule},
                                 {"fidelity", spec.timed ? "cycle" : "emulation"},
                                 {"instruments", nlohmann::ordered_json::object()}};
  for (const InstrumentRow& row : instrument_rows())
    if (spec.instruments.has(row.name))
      content["instruments"][std::string(row.name)] = spec.instruments.number(row.name);
  for (const Key& key : keys_read(parts_of(spec), config))
    content["config"][std::string(key.name)] = config.text(key.name);
  // Which of the two keys named the scheduler is no matter: the scheduler is there.
  for (std::string_view key : {kScheduleKey, kBlockPriorityKey}) content["config"].erase(std::string(key));
  std::string key = fmt::format("{}-{}-{}", spec.program, spec.mechanism, hexadecimal(content.dump()));
  return {std::move(content), std::move(key)};
}

}  // namespace heddle
