// The parameters of a machine.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/config.h"
#include "memory/clock.h"

namespace heddle {

inline constexpr std::string_view kScheduleKey = "schedule", kBlockPriorityKey = "block_priority",
                                  kInterleaveKey = "interleave";

// The machine's own keys: those that always count, those of the clocks, what CUDA programs are told of the card and
// nothing else depends on, those of emulation, and who is issued next.
std::span<const Key> machine_keys();
std::span<const Key> clock_keys();
std::span<const Key> card_keys();
std::span<const Key> emulation_keys();
std::span<const Key> schedule_keys();

// All keys: the machine's, a core's, memory's, every mechanism's and every scheduler's (gpu/key_owners.h).
Config make_config();
// The same, with a preset (a name, or the path of a TOML file) and assignments applied.
Config make_config(std::string_view preset, std::span<const std::string> assignments);

// Throws Error (Usage) with the key's name where the values contradict each other; make_config() has asked.
void check_machine(const Config& config);
// The key that names the scheduler of a mechanism, unless someone names another, and what it says on this machine.
std::string_view usual_schedule_key(std::string_view mechanism);
std::string usual_schedule(const Config& config, std::string_view mechanism);
Clocks clocks_of(const Config& config);

}  // namespace heddle
