// The parameters of a machine, and the presets that set them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace heddle {

struct Preset {
  std::string_view name, summary;
  std::string_view (*toml)();
};
std::span<const Preset> all_presets();

// All keys: the machine's and every mechanism's.
Config make_config();
// The same, with a preset (a name, or the path of a TOML file) and assignments applied.
Config make_config(std::string_view preset, std::span<const std::string> assignments);

// What one core offers to blocks; all limits of occupancy.
struct CoreLimits {
  unsigned threads, blocks, registers, shared;
};
CoreLimits core_limits(const Config& config);

}  // namespace heddle
