// The options that run, profile, exec and compare share: which machine, what is watched, what is written.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "run/run_spec.h"

namespace heddle::cli {

struct MachineOptions {
  RunSpec spec;  // as the options have it; complete() adds the rest
  std::string json, max_slots, max_cycles;
  bool emulate = false, quiet = false, no_skip = false;
  unsigned threads = 1;                // 0: as many as the host has cores
  std::vector<CLI::Option*> of_clock;  // options that need the cycle-level machine

  void declare(CLI::App& command);
  void declare_mechanism(CLI::App& command);
  void declare_host(CLI::App& command);                               // of a verb that runs one thing at a time
  void declare_instrument(CLI::App& command, std::string_view name);  // one that not all verbs have
  // With the options that are short for a setting. Error (Usage) for options that do not go together.
  RunSpec complete() const;
};

}  // namespace heddle::cli
