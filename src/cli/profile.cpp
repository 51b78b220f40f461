// heddle profile: what each line and each branch of a program costs, and why it is slow.
#include <fmt/format.h>

#include <memory>

#include "cli/message.h"
#include "cli/profiling.h"
#include "cli/program_options.h"
#include "cli/verb.h"
#include "run/program_source.h"
#include "runtime/temporary_program.h"

namespace heddle::cli {
namespace {

struct ProfileOptions : ProgramOptions {
  Profiling profiling;
  std::vector<std::string> arguments;  // of a CUDA program
};

RunHooks hooks_of(const ProfileOptions& options) {
  RunHooks hooks;
  if (!options.machine.quiet) hooks.warn = &print_warning;
  hooks.complain = &print_error;
  return hooks;
}

// A program, or its source, which is compiled for this. Standard output is the program's own.
ExitCode profile_cuda(const ProfileOptions& options) {
  RunSpec spec = options.complete_cuda(options.arguments);
  const std::string given = spec.program;
  std::unique_ptr<runtime::TemporaryProgram> compiled;
  if (is_cuda_source(given)) {
    compiled = std::make_unique<runtime::TemporaryProgram>(given);
    spec.program = compiled->path();
  }
  const RunResult result =
      options.profiling.run(spec, hooks_of(options), options.machine, stderr, compiled ? given : "");
  if (result.launches.empty()) print_warning(fmt::format("{} launched no kernel", given));
  return static_cast<ExitCode>(*result.ended_with);
}

ExitCode profile(const ProfileOptions& options) {
  if (is_cuda(options.machine.spec.program)) return profile_cuda(options);
  if (!options.arguments.empty())
    throw Error(ExitCode::Usage, fmt::format("'{}': {} is no CUDA program, and takes no words", options.arguments[0],
                                             options.machine.spec.program));
  return print_verdict(options.profiling.run(options.complete(), hooks_of(options), options.machine, stdout));
}

}  // namespace

Action declare_profile(CLI::App& command) {
  auto options = std::make_shared<ProfileOptions>();
  options->declare(command);
  options->machine.declare_host(command);
  command.get_option("program")->description("a workload (heddle list workloads), FILE.ptx, FILE.cu or a CUDA program");
  command.add_option("arguments", options->arguments, "of a CUDA program; put -- before it where they begin with -");
  options->profiling.declare(command);
  return [options] { return profile(*options); };
}

}  // namespace heddle::cli
