#include "run/spec_json.h"

#include <nlohmann/json.hpp>

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json value_json(const Config& config, const Key& key) {
  const std::string& text = config.text(key.name);
  const bool numeric = !text.empty() && text.find_first_not_of("-0123456789") == std::string::npos;
  switch (key.kind) {
    case Key::Kind::Boolean: return config.boolean(key.name);
    case Key::Kind::Integer: return config.integer(key.name);
    case Key::Kind::Names:
    case Key::Kind::Text:
    case Key::Kind::Numbers: return text;
    case Key::Kind::PerKernel:
    case Key::Kind::Choice: return numeric ? Json(config.integer(key.name)) : Json(text);
  }
  return {};
}

std::string_view name_of(RunSpec::Kind kind) {
  switch (kind) {
    case RunSpec::Kind::Workload: return "workload";
    case RunSpec::Kind::PtxFile: return "ptx";
    case RunSpec::Kind::CudaProgram: return "cuda";
  }
  return "";
}

Json launch_json(const KernelLaunch& launch) {
  return {{"grid", launch.grid},
          {"block", launch.block},
          {"shared", launch.shared},
          {"cooperative", launch.cooperative},
          {"arguments", launch.arguments}};
}

Json settings_json(const RunSpec& spec, const Config& config) {
  Json json = Json::object();
  for (const std::string& setting : spec.settings)
    for (const Key& key : config.keys())
      if (key.name == key_of(setting)) json[std::string(key.name)] = value_json(config, key);
  return json;
}

Json observers_json(const RunSpec& spec) {
  Json json = Json::array();
  for (const InstrumentRow& row : instrument_rows())
    if (spec.instruments.has(row.name)) json.push_back(row.name);
  return json;
}

}  // namespace

Json config_json(const Config& config, std::span<const Key> keys) {
  Json json = Json::object();
  for (const Key& key : keys) json[std::string(key.name)] = value_json(config, key);
  return json;
}

Json spec_json(const RunSpec& spec, const Config& config) {
  const bool is_workload = spec.kind == RunSpec::Kind::Workload, is_file = spec.kind == RunSpec::Kind::PtxFile;
  return {{"kind", name_of(spec.kind)},
          {"program", spec.program},
          {"arguments", spec.arguments},
          {"size", is_workload ? Json(spec.size) : Json()},
          {"compiler", is_workload ? Json(spec.compiler) : Json()},
          {"kernel", or_null(spec.kernel)},
          {"launch", is_file ? launch_json(spec.launch) : Json()},
          {"preset", spec.preset},
          {"settings", settings_json(spec, config)},
          {"mechanism", spec.mechanism},
          {"lanes", spec.lanes},
          {"schedule", or_null(spec.schedule)},
          {"fidelity", spec.timed ? "cycle" : "emulation"},
          {"sample_launches", spec.sample_launches},
          {"observers", observers_json(spec)},
          {"checks", spec.checks.names()},
          {"sample", spec.instruments.has("sample") ? Json(spec.instruments.number("sample")) : Json()}};
}

}  // namespace heddle
