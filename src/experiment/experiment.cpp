#include "experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <tuple>

#include "base/embedded_text.h"
#include "base/error.h"
#include "base/nearest.h"

namespace heddle {

std::span<const EmbeddedText> experiment_texts();  // tools/embed_texts.cmake

namespace {

std::string_view text_of(std::string_view name) {
  for (const EmbeddedText& each : experiment_texts())
    if (each.file == fmt::format("{}.toml", name)) return each.text;
  return {};
}

Experiment from_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ExitCode::Usage, fmt::format("cannot read '{}'", path));
  std::ostringstream text;
  text << file.rdbuf();
  Experiment experiment = read_experiment(text.str(), std::filesystem::path(path).stem().string(), path);
  experiment.file = path;
  return experiment;
}

}  // namespace

std::vector<std::string> Part::runs() const {
  std::vector<std::string> all = of;
  all.insert(all.end(), over.begin(), over.end());
  if (!via.empty()) all.push_back(via);
  return all;
}

RunSpec Experiment::spec(const std::string& run, const std::string& workload, bool quick_size,
                         const Variant* variant) const {
  RunSpec spec = runs.at(run);
  spec.program = workload;
  if (const auto given = occupancy.find(workload); given != occupancy.end())
    spec.settings.insert(spec.settings.begin(), given->second);  // the run's own go before it
  if (variant) variant->change(spec);
  if (spec.size.empty()) spec.size = quick_size ? quick : full;
  return spec;
}

std::vector<std::string_view> experiment_names() {
  std::vector<std::string_view> names;
  for (const EmbeddedText& each : experiment_texts()) names.push_back(each.file.substr(0, each.file.rfind('.')));
  std::sort(names.begin(), names.end());
  return names;
}

bool experiment_has_blocks(std::string_view name) {
  return text_of(name).find("\n[blocks_per_core]") != std::string_view::npos;
}

std::vector<Experiment> all_experiments() {
  std::vector<Experiment> result;
  for (std::string_view name : experiment_names()) result.push_back(experiment_named(name));
  const auto rank = [](const Experiment& each) {
    return std::tuple(each.published.empty(), each.published, each.name);
  };
  std::sort(result.begin(), result.end(), [&](const Experiment& a, const Experiment& b) { return rank(a) < rank(b); });
  return result;
}

Experiment experiment_named(std::string_view name) {
  if (name.ends_with(".toml")) return from_file(std::string(name));
  const std::string_view text = text_of(name);
  const std::vector<std::string_view> names = experiment_names();
  if (text.empty())
    throw Error(ExitCode::Usage, fmt::format("there is no experiment '{}'{} (there are: {}; or a .toml file)", name,
                                             did_you_mean(name, names), joined(names)));
  return read_experiment(text, name, fmt::format("experiments/{}.toml", name));
}

}  // namespace heddle
