// The verbs of `heddle`. Each declares its options on its command and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>

#include "base/error.h"

namespace heddle::cli {

using Action = std::function<ExitCode()>;

struct Verb {
  std::string_view name, summary, examples;
  Action (*declare)(CLI::App& command);
  bool hidden = false;  // --help does not show it
};

Action declare_run(CLI::App& command);
Action declare_compare(CLI::App& command);
Action declare_sweep(CLI::App& command);
Action declare_profile(CLI::App& command);
Action declare_view(CLI::App& command);
Action declare_report(CLI::App& command);
Action declare_exec(CLI::App& command);
Action declare_list(CLI::App& command);
Action declare_validate(CLI::App& command);
Action declare_reproduce(CLI::App& command);
Action declare_disasm(CLI::App& command);
Action declare_cc(CLI::App& command);
Action declare_help(CLI::App& command);
Action declare_completion(CLI::App& command);
Action declare_man(CLI::App& command);

}  // namespace heddle::cli
