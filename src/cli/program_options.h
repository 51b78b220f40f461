// A workload, or a kernel of a PTX file with arguments from the command line: what `run` and `profile` share.
#pragma once

#include <vector>

#include "cli/machine_options.h"
#include "run/runner.h"

namespace heddle::cli {

struct ProgramOptions {
  MachineOptions machine;
  std::vector<CLI::Option*> of_file, of_workload;  // options that make sense for one of the two only

  void declare(CLI::App& command);
  // Error (Usage) for what is neither, names that do not exist and options that do not go together.
  RunSpec complete() const;
  // The same for a CUDA program with these arguments.
  RunSpec complete_cuda(const std::vector<std::string>& arguments) const;
};

// Runs it, with a progress line if that is wanted, until someone interrupts it.
RunResult run_program(const RunSpec& spec, RunHooks hooks, bool progress);

// What a user is told of a run that went wrong, and its exit code.
ExitCode print_verdict(const RunResult& result);

}  // namespace heddle::cli
