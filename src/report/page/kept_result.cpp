#include "report/page/kept_result.h"

#include <limits>

#include "gpu/machine_keys.h"
#include "gpu/presets.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

// Kept configurations are texts.
Json value_of(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) return text;
  return std::stoull(text);
}

struct PresetTexts {
  std::string name;
  Config config;
};

const std::vector<PresetTexts>& preset_texts() {
  static const std::vector<PresetTexts> all = [] {
    std::vector<PresetTexts> list;
    for (const Preset& preset : all_presets()) list.push_back({std::string(preset.name), make_config(preset.name, {})});
    return list;
  }();
  return all;
}

std::string nearest_preset(const Json& config) {
  std::string nearest = "default";
  size_t fewest = std::numeric_limits<size_t>::max();
  for (const PresetTexts& preset : preset_texts()) {
    size_t differences = 0;
    for (const Key& key : preset.config.keys()) {
      const std::string name(key.name);
      if (config.contains(name) && config[name] != preset.config.text(key.name)) ++differences;
    }
    if (differences >= fewest) continue;
    fewest = differences;
    nearest = preset.name;
  }
  return nearest;
}

}  // namespace

Json run_of_kept(const Json& kept) {
  const auto object = [](const Json& json, const char* field) {
    return json.contains(field) && json[field].is_object();
  };
  if (!object(kept, "identity") || !object(kept, "total") || !object(kept["identity"], "config")) return {};
  const Json& identity = kept["identity"];
  Json config = Json::object();
  for (const auto& [key, value] : identity["config"].items())
    config[key] = value.is_string() ? value_of(value.get<std::string>()) : value;
  Json run{{"schema", "heddle-run-1"}, {"program", identity.value("workload", "")}};
  for (const char* field : {"size", "compiler", "mechanism", "schedule", "lanes", "fidelity"})
    run[field] = identity.value(field, "");
  run["preset"] = nearest_preset(identity["config"]);
  run["config"] = std::move(config);
  run["exit_code"] = kept.value("exit_code", 70);
  run["error"] = kept.value("error", "");
  run["total"] = kept["total"];
  run["simulator"] = identity.value("simulator", "");
  return run;
}

}  // namespace heddle
