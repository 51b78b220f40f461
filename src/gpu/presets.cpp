#include "gpu/presets.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <vector>

#include "base/embedded_text.h"
#include "base/error.h"
#include "base/nearest.h"

namespace heddle {

std::span<const EmbeddedText> preset_texts();  // tools/embed_texts.cmake

namespace {

constexpr std::string_view kFirst = "default";

Preset preset_of(const EmbeddedText& file) {
  const std::string name(file.file.substr(0, file.file.rfind('.')));
  return {name, toml::parse(file.text, file.file)["summary"].value_or(std::string()), file.text};
}

std::vector<Preset> read_presets() {
  std::vector<Preset> presets;
  for (const EmbeddedText& file : preset_texts()) presets.push_back(preset_of(file));
  std::sort(presets.begin(), presets.end(), [](const Preset& a, const Preset& b) {
    return std::pair(a.name != kFirst, a.name) < std::pair(b.name != kFirst, b.name);
  });
  return presets;
}

}  // namespace

std::span<const Preset> all_presets() {
  static const std::vector<Preset> presets = read_presets();
  return presets;
}

const Preset& preset_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& preset : all_presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw Error(ExitCode::Usage,
              fmt::format("no preset '{}'{} ({}, or a .toml file)", name, did_you_mean(name, names), joined(names)));
}

}  // namespace heddle
