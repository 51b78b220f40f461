#include "report/page/machine_options.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/error.h"
#include "gpu/machine_keys.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

std::string text_of(const Json& json, const char* field) {
  return json.contains(field) && json[field].is_string() ? json[field].get<std::string>() : "";
}

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// The machine of a preset alone.
struct PresetMachine {
  std::optional<Config> config;              // none if it cannot be had: a file that is not here
  std::map<std::string, std::string> texts;  // by key
};

const PresetMachine& preset_machine(const std::string& preset) {
  static std::map<std::string, PresetMachine> known;
  const auto [entry, fresh] = known.try_emplace(preset);
  PresetMachine& machine = entry->second;
  if (!fresh) return machine;
  try {
    machine.config = make_config(preset, {});
    for (const Key& key : machine.config->keys()) machine.texts[std::string(key.name)] = machine.config->text(key.name);
  } catch (const Error&) {  // nothing to say then
  }
  return machine;
}

// What was asked for beside the preset. `run` has it, the same for all runs of a comparison, whatever each of them
// reads; a kept result has what it has read.
struct Asked {
  const Json& settings;
  std::string schedule;
};

Asked asked_of(const Json& run) {
  if (!run.contains("run") || !run["run"].contains("settings")) return {run["config"], text_of(run, "schedule")};
  return {run["run"]["settings"], text_of(run["run"], "schedule")};
}

bool is_usual(const PresetMachine& machine, const std::string& schedule, const Json& run) {
  return !machine.config || schedule.empty() || schedule == usual_schedule(*machine.config, text_of(run, "mechanism"));
}

}  // namespace

Json machine_options(const Json& run) {
  Json options = Json::array();
  const auto add = [&](const char* name, const std::string& value) { options.push_back(Json::array({name, value})); };
  if (const std::string size = text_of(run, "size"); !size.empty()) add("--size", size);
  const std::string named = text_of(run, "preset"), preset = named.empty() ? "default" : named;
  add("--preset", preset);
  if (const std::string compiler = text_of(run, "compiler"); !compiler.empty() && compiler != "nvcc")
    add("--compiler", compiler);
  const PresetMachine& usual = preset_machine(preset);
  const Asked asked = asked_of(run);
  for (const auto& [key, value] : asked.settings.items()) {
    const auto found = usual.texts.find(key);
    if (found == usual.texts.end()) continue;
    if (const std::string text = value_text(value); text != found->second)
      add("--set", fmt::format("{}={}", key, text));
  }
  if (!is_usual(usual, asked.schedule, run)) add("--schedule", asked.schedule);
  if (run["lanes"] != "none") add("--lanes", text_of(run, "lanes"));
  if (run["fidelity"] != "cycle") add("--emulate", "");
  return options;
}

}  // namespace heddle
