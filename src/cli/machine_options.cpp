#include "cli/machine_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/error.h"

namespace heddle::cli {

void MachineOptions::declare(CLI::App& command) {
  command.add_option("--size", spec.size, "size of a workload: tiny, small or paper")->capture_default_str();
  command
      .add_option("--compiler", spec.compiler,
                  "which PTX of a workload: what nvcc made of it, clang, or clang as compilers of 2010 wrote (era)")
      ->capture_default_str();
  command.add_option("--lanes", spec.lanes, "which lane a thread runs in (heddle list lanes)")->capture_default_str();
  command.add_option(
      "--schedule", spec.schedule,
      "which warp is issued next (heddle list schedulers), instead of the machine's own (keys schedule and "
      "block_priority); emulation asks only where warps are interleaved");
  command.add_option("--preset", spec.preset, "machine preset (heddle list presets), or a .toml file")
      ->capture_default_str();
  command
      .add_option("--set", spec.settings,
                  "key=value of the machine or the mechanism (heddle list keys), which this run must read; repeatable")
      ->allow_extra_args(false);
  command.add_flag("--emulate", emulate,
                   "emulation: one step per issue slot, no clock; without it the cycle-level machine runs");
  command.add_option("--json", json, "write the results as JSON; - is standard output");
  command.add_flag("--quiet", quiet, "print errors only");
  for (const InstrumentRow& row : instrument_rows())
    if (row.everywhere) declare_instrument(command, row.name);
  command.add_option("--max-slots", max_slots, "give a launch up after so many issue slots; 0: never");
  of_clock.push_back(
      command
          .add_flag("--sample-launches{5}", spec.sample_launches,
                    "cycle level: of launches of one kernel that are alike time only the first two, emulate the others "
                    "(docs/sampling.md); --sample-launches=P: alike within P percent of the instructions, 5 without it")
          ->check(CLI::Range(1, 50)));
  of_clock.push_back(
      command.add_option("--max-cycles", max_cycles, "cycle level: give a launch up after so many cycles; 0: never"));
}

void MachineOptions::declare_instrument(CLI::App& command, std::string_view name) {
  const InstrumentRow& row = instrument_named(name);
  const std::string option = fmt::format("--{}", row.name), help(row.help);
  const auto ask = [this, &row](uint64_t number) {
    if (number > 0) spec.instruments.add(row.name, number);
  };
  CLI::Option* const declared = row.takes_number ? command.add_option_function<uint64_t>(option, ask, help)
                                                 : command.add_flag_callback(
                                                       option, [ask] { ask(1); }, help);
  if (row.timed) of_clock.push_back(declared);
}

void MachineOptions::declare_mechanism(CLI::App& command) {
  command.add_option("--mechanism", spec.mechanism, "divergence mechanism (heddle list mechanisms)")
      ->capture_default_str();
}

void MachineOptions::declare_host(CLI::App& command) {
  threads = 0;
  command
      .add_option("--threads", threads,
                  "threads of the host that the run may use, 0: one per core; the same result to the last count")
      ->capture_default_str();
  of_clock.push_back(command.add_flag(
      "--no-skip", no_skip, "cycle level: tick every part in every cycle; slower, and the same to the last count"));
}

RunSpec MachineOptions::complete() const {
  for (const CLI::Option* option : of_clock)
    if (emulate && option->count() > 0)
      throw Error(ExitCode::Usage,
                  fmt::format("{} does not go with --emulate, which has no clock", option->get_name()));
  RunSpec result = spec;
  result.timed = !emulate;
  result.skip = !no_skip;
  result.threads = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  if (!max_slots.empty()) result.settings.push_back(fmt::format("max_slots={}", max_slots));
  if (!max_cycles.empty()) result.settings.push_back(fmt::format("max_cycles={}", max_cycles));
  return result;
}

}  // namespace heddle::cli
