#include "validation/validation_text.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json beside_json(const Beside& value) { return {{"hardware", value.hardware}, {"simulated", value.simulated}}; }

Json agreement_json(const Agreement& agreement) {
  return {{"count", agreement.count},
          {"mean_absolute_error", agreement.mean_error},
          {"spearman", agreement.spearman},
          {"worst_factor", agreement.times_off}};
}

Json micro_json(const ValidatedMicro& row) {
  Json json = {{"name", row.name},
               {"unit", row.unit},
               {"hardware", row.value.hardware},
               {"least", row.least},
               {"most", row.most}};
  if (row.failure.empty())
    json["simulated"] = row.value.simulated;
  else
    json["failure"] = row.failure;
  return json;
}

Json kernel_json(const ValidatedKernel& row) {
  Json json = {{"workload", row.workload}, {"kernel", row.kernel}, {"launches", row.launches}};
  json["measures"] = Json::object();
  for (const auto& [measure, value] : row.values) json["measures"][measure] = beside_json(value);
  json["core_cycles"] = Json::object();
  for (const CycleClass& each : row.spent) json["core_cycles"][each.name] = each.cycles;
  if (!row.failure.empty()) json["failure"] = row.failure;
  return json;
}

}  // namespace

Json validation_json(const Validation& validation, const std::string& command) {
  Json json = {{"schema", "heddle-validation-1"},
               {"command", command},
               {"hardware", {{"device", validation.hardware.device}, {"core_clock", validation.hardware.core_clock}}}};
  json["machine"] = {{"preset", validation.machine.preset},
                     {"settings", validation.machine.settings},
                     {"mechanism", validation.machine.mechanism},
                     {"size", validation.machine.size}};
  json["micro"] = Json::array();
  for (const ValidatedMicro& row : validation.micro) json["micro"].push_back(micro_json(row));
  json["kernels"] = Json::array();
  for (const ValidatedKernel& row : validation.kernels) json["kernels"].push_back(kernel_json(row));
  json["agreement"] = Json::object();
  for (const Agreeing& each : agreements_of(validation)) json["agreement"][each.name] = agreement_json(each.agreement);
  return json;
}

}  // namespace heddle
