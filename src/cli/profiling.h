// What `profile` and `exec --profile` share: a run whose lines and branches are accounted for, the same program under
// other mechanisms, and where all of it is written.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/machine_options.h"
#include "run/runner.h"

namespace heddle::cli {

struct Profiling {
  unsigned rows = 15;
  std::string html;
  std::vector<std::string> what_if;  // mechanisms

  std::vector<CLI::Option*> declare(CLI::App& command);
  // Runs it and writes the table to `tables` (unless quiet), the page and the JSON. The result calls its program
  // `shown_as`, if that is given. Error (Usage) for what cannot be profiled, before anything runs.
  RunResult run(RunSpec spec, const RunHooks& hooks, const MachineOptions& machine, std::FILE* tables,
                const std::string& shown_as = "") const;
};

}  // namespace heddle::cli
