// Machine presets: every configs/NAME.toml is one, and part of the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle {

struct Preset {
  std::string name, summary;  // the summary is a line of the file
  std::string_view toml;
};
std::span<const Preset> all_presets();  // `default` first, the others by name

const Preset& preset_named(std::string_view name);  // Error (Usage) that lists the names

}  // namespace heddle
