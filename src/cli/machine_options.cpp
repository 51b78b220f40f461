#include "cli/machine_options.h"

#include <fmt/format.h>

#include "gpu/machine_keys.h"

namespace heddle::cli {

void MachineOptions::declare(CLI::App& command) {
  command.add_option("--size", size, "size of a workload: tiny, small or paper")->capture_default_str();
  command.add_option("--lanes", lanes, "which lane a thread runs in (heddle list lanes)")->capture_default_str();
  command
      .add_option("--schedule", schedule, "who is issued next, where warps are interleaved (heddle list schedulers)")
      ->capture_default_str();
  command.add_option("--preset", preset, "machine preset (heddle list presets), or a .toml file")
      ->capture_default_str();
  command.add_option("--set", assignments, "key=value of the machine or the mechanism (heddle list keys); repeatable")
      ->allow_extra_args(false);
  command.add_flag("--emulate", emulate, "emulation: one step per issue slot, no clock; without it the cycle-level machine runs");
  command.add_option("--json", json, "write the results as JSON; - is standard output");
  command.add_flag("--quiet", quiet, "print errors only");
  command.add_flag("--check-init", check_init, "report reads of shared memory that nobody has written");
  command.add_option("--max-slots", max_slots, "give a launch up after so many issue slots; 0: never");
}

Config MachineOptions::config() const {
  Config result = make_config(preset, assignments);
  if (!max_slots.empty()) result.set(fmt::format("max_slots={}", max_slots));
  if (check_init) result.set("check_init=true");
  return result;
}

}  // namespace heddle::cli
