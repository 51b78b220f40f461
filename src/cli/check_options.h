// --check: what is looked for while a program runs, and what is said of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/error.h"
#include "run/run_result.h"

namespace heddle::cli {

struct CheckOptions {
  std::string names;

  void declare(CLI::App& command);
  void add_to(RunSpec& spec) const;  // Error (Usage) for what is no check
  // Tells what was found, on standard error. The exit code of a run that would end with `code`.
  ExitCode finish(const RunResult& result, ExitCode code) const;
};

}  // namespace heddle::cli
