// The parameters of a machine, and the presets that set them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "memory/clock.h"

namespace heddle {

struct Preset {
  std::string_view name, summary;
  std::string_view (*toml)();
};
std::span<const Preset> all_presets();

// All keys: the machine's, every mechanism's and every scheduler's.
Config make_config();
// The same, with a preset (a name, or the path of a TOML file) and assignments applied.
Config make_config(std::string_view preset, std::span<const std::string> assignments);

// Throws Error (Usage) with the key's name where the values contradict each other; make_config() has asked.
void check_machine(const Config& config);
// The scheduler of a mechanism on this machine, unless someone names another: a mechanism whose keys have
// block_priority is scheduled by that, all others by `schedule`.
std::string usual_schedule(const Config& config, std::string_view mechanism);
Clocks clocks_of(const Config& config);

}  // namespace heddle
