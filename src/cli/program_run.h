// One run of a workload, or of a kernel of a PTX file with arguments from the command line: what `run` and `profile`
// share.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cli/machine_options.h"
#include "report/run_result.h"

namespace heddle::cli {

struct ProgramOptions {
  std::string program, mechanism = GpuOptions().mechanism, kernel, grid, block;
  uint32_t shared = 0;
  bool cooperative = false;
  std::vector<std::string> arguments;
  MachineOptions machine;
  std::vector<CLI::Option*> of_file, of_workload;  // options that make sense for one of the two only

  void declare(CLI::App& command);
};

class ProgramRun {
 public:
  // Error (Usage) for names that do not exist and options that do not go together, before anything is run.
  explicit ProgramRun(const ProgramOptions& options);

  GpuOptions gpu_options();  // with what ends the run on SIGINT; progress is shown from it
  RunResult run(GpuOptions how, bool progress);

 private:
  RunResult run_file(GpuOptions how);

  const ProgramOptions& options_;
  Config config_;
  const workloads::Workload* workload_;  // none: a file
  workloads::Size size_;
  workloads::Compiler compiler_;
  std::atomic<uint64_t> slots_ = 0;
};

// What a user is told of a run that went wrong, and its exit code.
ExitCode print_verdict(const RunResult& result);

}  // namespace heddle::cli
