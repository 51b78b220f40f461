// --schedules: the same program under several orders of its threads.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "run/runner.h"

namespace heddle::cli {

struct ScheduleOptions {
  unsigned count = 0;

  void declare(CLI::App& command);
  bool asked() const { return count > 0; }
  // All runs, one after another, and what they give compared with the first. `json`: where that is written.
  ExitCode run(const RunSpec& spec, const RunHooks& hooks, const std::string& json) const;
};

}  // namespace heddle::cli
