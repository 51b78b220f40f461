#include "report/page/run_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"
#include "report/comparison.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

std::string text_in(const Json& json, const char* field) {
  return json.contains(field) && json[field].is_string() ? json[field].get<std::string>() : "";
}

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

size_t place_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

void sort_by_registry(std::vector<std::string>& names) {
  const auto rank = [](const std::string& name) {
    size_t rank = 0;
    for (const MechanismRow& row : mechanisms()) {
      if (row.name == name) break;
      ++rank;
    }
    return rank;
  };
  std::stable_sort(names.begin(), names.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

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
    machine.config = make_config(preset.empty() ? "default" : preset, {});
    for (const Key& key : machine.config->keys()) machine.texts[std::string(key.name)] = machine.config->text(key.name);
  } catch (const Error&) {  // nothing to say then
  }
  return machine;
}

RunGroup group_of(const std::string& words, const std::vector<const Json*>& runs, bool of_folder) {
  RunGroup group;
  group.words = words;
  group.title = machine_title(*runs.front());
  group.timed = (*runs.front())["fidelity"] == "cycle";
  for (const Json* run : runs) {
    place_of(group.workloads, (*run)["program"]);
    place_of(group.mechanisms, (*run)["mechanism"]);
  }
  if (of_folder) {
    sort_by_registry(group.mechanisms);
    std::sort(group.workloads.begin(), group.workloads.end());
  }
  group.cells.resize(group.workloads.size() * group.mechanisms.size());
  for (const Json* run : runs) {
    const size_t w = place_of(group.workloads, (*run)["program"]), m = place_of(group.mechanisms, (*run)["mechanism"]);
    group.cells[w * group.mechanisms.size() + m].push_back(run);
  }
  return group;
}

}  // namespace

std::string machine_words(const Json& run, const std::string& without) {
  const std::string preset = text_in(run, "preset"), compiler = text_in(run, "compiler"), size = text_in(run, "size");
  std::string words = size.empty() ? "" : fmt::format("--size {} ", size);
  words += fmt::format("--preset {}", preset.empty() ? "default" : preset);
  if (!compiler.empty() && compiler != "nvcc") words += fmt::format(" --compiler {}", compiler);
  const PresetMachine& usual = preset_machine(preset);
  for (const auto& [key, value] : run["config"].items()) {
    const auto found = usual.texts.find(key);
    if (found == usual.texts.end() || key == without) continue;
    if (const std::string text = value_text(value); text != found->second)
      words += fmt::format(" --set {}={}", key, text);
  }
  const std::string schedule = text_in(run, "schedule");
  if (usual.config && !schedule.empty() && schedule != usual_schedule(*usual.config, text_in(run, "mechanism")))
    words += fmt::format(" --schedule {}", schedule);
  if (run["lanes"] != "none") words += fmt::format(" --lanes {}", text_in(run, "lanes"));
  if (run["fidelity"] != "cycle") words += " --emulate";
  return words;
}

std::string machine_title(const Json& run, const std::string& without) {
  const std::string words = machine_words(run, without), preset = text_in(run, "preset"), size = text_in(run, "size");
  std::string title = preset.empty() ? "default" : preset;
  if (!size.empty()) title += ", " + size;
  for (size_t at = words.find(" --", words.find("--preset")); at != std::string::npos;) {
    const size_t next = words.find(" --", at + 1);
    std::string option = words.substr(at + 3, next == std::string::npos ? next : next - at - 3);
    if (option.starts_with("set ")) option.erase(0, 4);
    title += ", " + option;
    at = next;
  }
  return title;
}

const Json* RunGroup::with(size_t workload, size_t mechanism, const char* field) const {
  for (const Json* run : at(workload, mechanism))
    if ((*run)["exit_code"] == 0 && (*run)["total"].contains(field)) return run;
  return nullptr;
}

bool RunGroup::has(const char* field) const {
  for (size_t w = 0; w < workloads.size(); ++w)
    for (size_t m = 0; m < mechanisms.size(); ++m)
      if (with(w, m, field)) return true;
  return false;
}

bool RunGroup::passed(size_t workload, size_t mechanism) const {
  const auto& runs = at(workload, mechanism);
  return std::any_of(runs.begin(), runs.end(), [](const Json* run) { return (*run)["exit_code"] == 0; });
}

std::string RunGroup::outcome(size_t workload, size_t mechanism) const {
  if (at(workload, mechanism).empty()) return "";
  if (passed(workload, mechanism)) return "passed";
  return outcome_of(static_cast<ExitCode>((*at(workload, mechanism)[0])["exit_code"].get<int>()));
}

std::string RunGroup::why(size_t workload, size_t mechanism) const {
  if (at(workload, mechanism).empty() || passed(workload, mechanism)) return "";
  const Json& run = *at(workload, mechanism)[0];
  if (run.contains("error") && run["error"].is_string()) return run["error"];
  return run.contains("check") && run["check"].is_object() ? text_in(run["check"], "detail") : "";
}

std::optional<double> RunGroup::number(size_t workload, size_t mechanism, const std::string& field) const {
  for (const Json* run : at(workload, mechanism)) {
    if ((*run)["exit_code"] != 0) continue;
    const Json::json_pointer pointer("/" + field);
    if ((*run)["total"].contains(pointer) && (*run)["total"][pointer].is_number())
      return (*run)["total"][pointer].get<double>();
  }
  return std::nullopt;
}

std::optional<double> RunGroup::against_first(size_t workload, size_t mechanism, const std::string& field) const {
  const auto own = number(workload, mechanism, field), first = number(workload, 0, field);
  return own && first && *first != 0 ? std::optional(*own / *first) : std::nullopt;
}

std::optional<double> RunGroup::idle(size_t workload, size_t mechanism) const {
  const auto cycles = number(workload, mechanism, "idle_cycles");
  const Json* run = with(workload, mechanism, "breakdown");
  if (!cycles || !run) return std::nullopt;
  double all = 0;
  for (const auto& [name, value] : (*run)["total"]["breakdown"].items()) all += value.get<double>();
  return all > 0 ? std::optional(*cycles / all) : std::nullopt;
}

std::string RunGroup::command(const std::string& more) const {
  const bool files = std::any_of(workloads.begin(), workloads.end(), [](const std::string& name) {
    return name.find('/') != std::string::npos || name.ends_with(".ptx");
  });
  const std::string options = words + (more.empty() ? "" : " " + more);
  if (files)
    return fmt::format("heddle run {} --mechanism {} {} … --json run.json", workloads[0], mechanisms[0], options);
  return fmt::format("heddle compare {} --mechanisms {} {} --json results.json", fmt::join(workloads, " "),
                     fmt::join(mechanisms, ","), options);
}

std::vector<RunGroup> groups_of(const ReportData& results) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Json*>> runs;
  for (const Json& run : results.runs) {
    const std::string words = machine_words(run);
    place_of(order, words);
    runs[words].push_back(&run);
  }
  std::vector<RunGroup> groups;
  for (const std::string& words : order) groups.push_back(group_of(words, runs[words], results.of_folder));
  const auto weight = [](const RunGroup& group) {
    return std::pair(std::min<size_t>(group.mechanisms.size(), 3), group.cells.size());
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const RunGroup& a, const RunGroup& b) { return weight(a) > weight(b); });
  return groups;
}

std::optional<double> harmonic_mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (double value : values) sum += 1 / value;
  return static_cast<double>(values.size()) / sum;
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace heddle
