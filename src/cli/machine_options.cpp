#include "cli/machine_options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "gpu/machine_keys.h"

namespace heddle::cli {

void MachineOptions::declare(CLI::App& command) {
  command.add_option("--size", size, "size of a workload: tiny, small or paper")->capture_default_str();
  command.add_option("--compiler", compiler, "which PTX of a workload: what nvcc made of it, or clang")
      ->capture_default_str();
  command.add_option("--lanes", lanes, "which lane a thread runs in (heddle list lanes)")->capture_default_str();
  command.add_option(
      "--schedule", schedule,
      "which warp is issued next (heddle list schedulers), instead of the machine's own (keys schedule and "
      "block_priority); emulation asks only where warps are interleaved");
  command.add_option("--preset", preset, "machine preset (heddle list presets), or a .toml file")
      ->capture_default_str();
  command.add_option("--set", assignments, "key=value of the machine or the mechanism (heddle list keys); repeatable")
      ->allow_extra_args(false);
  command.add_flag("--emulate", emulate,
                   "emulation: one step per issue slot, no clock; without it the cycle-level machine runs");
  command.add_option("--json", json, "write the results as JSON; - is standard output");
  command.add_flag("--quiet", quiet, "print errors only");
  command.add_flag("--check-init", check_init, "report reads of shared memory that nobody has written");
  command.add_flag("--taint", taint,
                   "follow what branches depend on, data (D) or not (P), and how well they compact (docs/taint.md)");
  command.add_flag("--scores", scores,
                   "judge with hindsight whether warps should have waited at branches (pdom, tbc, tbc+, capri)");
  command.add_option("--max-slots", max_slots, "give a launch up after so many issue slots; 0: never");
  of_clock = {
      command.add_option("--max-cycles", max_cycles, "cycle level: give a launch up after so many cycles; 0: never")};
}

Config MachineOptions::config() const {
  for (const CLI::Option* option : of_clock)
    if (emulate && option->count() > 0)
      throw Error(ExitCode::Usage,
                  fmt::format("{} does not go with --emulate, which has no clock", option->get_name()));
  Config result = make_config(preset, assignments);
  if (!max_slots.empty()) result.set(fmt::format("max_slots={}", max_slots));
  if (!max_cycles.empty()) result.set(fmt::format("max_cycles={}", max_cycles));
  if (check_init) result.set("check_init=true");
  return result;
}

GpuOptions MachineOptions::gpu_options(const std::string& mechanism, const volatile bool* stop) const {
  GpuOptions result;
  result.mechanism = mechanism;
  result.lanes = LaneMap::named(lanes);
  result.schedule = schedule;
  result.timed = !emulate;
  result.taint = taint;
  result.instruments.scores = scores;
  result.stop = stop;
  return result;
}

std::string MachineOptions::words() const {
  const MachineOptions usual;
  std::string text = fmt::format("--size {} --preset {}", size, preset);
  if (compiler != usual.compiler) text += fmt::format(" --compiler {}", compiler);
  for (const std::string& assignment : assignments) text += fmt::format(" --set {}", assignment);
  if (lanes != usual.lanes) text += fmt::format(" --lanes {}", lanes);
  if (!schedule.empty()) text += fmt::format(" --schedule {}", schedule);
  if (!max_slots.empty()) text += fmt::format(" --max-slots {}", max_slots);
  if (!max_cycles.empty()) text += fmt::format(" --max-cycles {}", max_cycles);
  if (check_init) text += " --check-init";
  if (taint) text += " --taint";
  if (scores) text += " --scores";
  if (emulate) text += " --emulate";
  return text;
}

}  // namespace heddle::cli
