#include "run/identity.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/fingerprint.h"
#include "run/results_version.h"
#include "run/runner.h"
#include "runtime/executable.h"
#include "schedule/registry.h"

namespace heddle {
namespace {

constexpr size_t kLongestName = 80;  // in that of a file

std::string name_of_program(const RunSpec& spec) { return std::filesystem::path(spec.program).filename().string(); }

std::string hexadecimal(std::string_view text) {
  Fingerprint fingerprint;
  fingerprint.add(text.data(), text.size());
  return fmt::format("{:016x}", fingerprint.value());
}

void identify_workload(nlohmann::ordered_json& content, const RunSpec& spec) {
  const workloads::Workload& workload = workloads::find(spec.program);
  workloads::size_named(spec.size);
  content.update({{"workload", spec.program},
                  {"workload_version", workload_version(spec.program)},
                  {"ptx", hexadecimal(workload.ptx(workloads::compiler_named(spec.compiler)))},
                  {"size", spec.size},
                  {"compiler", spec.compiler}});
}

void identify_program(nlohmann::ordered_json& content, const RunSpec& spec) {
  std::ifstream file(runtime::find_executable(spec.program), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  content.update({{"program", name_of_program(spec)},
                  {"file", hexadecimal(bytes)},
                  {"arguments", spec.arguments},
                  {"strict", spec.strict},
                  {"kernel", spec.kernel},
                  {"runtime", runtime_version()}});
}

}  // namespace

RunIdentity identity_of(const RunSpec& spec) {
  const Config config = config_of(spec);
  const std::string schedule = spec.schedule.empty() ? usual_schedule(config, spec.mechanism) : spec.schedule;
  scheduler_named(schedule);
  require(spec.kind != RunSpec::Kind::PtxFile, "runs of PTX files are not kept");
  const bool is_workload = spec.kind == RunSpec::Kind::Workload;
  nlohmann::ordered_json content{{"simulator", simulator_version()}};
  (is_workload ? identify_workload : identify_program)(content, spec);
  content.update({{"mechanism", spec.mechanism},
                  {"lanes", LaneMap::named(spec.lanes).name()},
                  {"schedule", schedule},
                  {"fidelity", spec.timed ? "cycle" : "emulation"},
                  {"instruments", nlohmann::ordered_json::object()}});
  if (spec.sample_launches > 0) content["sample_launches"] = spec.sample_launches;
  for (const InstrumentRow& row : instrument_rows())
    if (spec.instruments.has(row.name))
      content["instruments"][std::string(row.name)] = spec.instruments.number(row.name);
  for (const Key& key : keys_read(parts_of(spec), config))
    content["config"][std::string(key.name)] = config.text(key.name);
  // Which of the two keys named the scheduler is no matter: the scheduler is there.
  for (std::string_view key : {kScheduleKey, kBlockPriorityKey}) content["config"].erase(std::string(key));
  const std::string name = name_of_program(spec).substr(0, kLongestName);
  std::string key = fmt::format("{}-{}-{}", name, spec.mechanism, hexadecimal(content.dump()));
  return {std::move(content), std::move(key)};
}

}  // namespace heddle
