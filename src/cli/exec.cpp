// heddle exec: a CUDA program as it is, on the simulator.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/check_options.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/profiling.h"
#include "cli/program_options.h"
#include "cli/schedule_options.h"
#include "cli/timeline_options.h"
#include "cli/verb.h"
#include "report/branch_table.h"
#include "report/painted.h"
#include "report/profile/kernel_summary.h"
#include "report/run_json.h"
#include "report/run_table.h"

namespace heddle::cli {
namespace {

bool runs_in_ci() {
  const char* const ci = std::getenv("CI");
  return ci && std::string_view(ci) == "true";
}

struct ExecOptions {
  std::string keep_ptx;
  bool profile = false;
  bool fail_on_error = runs_in_ci();
  Profiling profiling;
  std::vector<std::string> words;  // the program and its arguments
  MachineOptions machine;
  TimelineOptions timeline;
  CheckOptions checks;
  ScheduleOptions schedules;

  RunSpec complete() const {
    RunSpec spec = machine.complete();
    spec.kind = RunSpec::Kind::CudaProgram;
    spec.program = words[0];
    spec.arguments.assign(words.begin() + 1, words.end());
    checks.add_to(spec);
    check_runs({&spec, 1});
    return spec;
  }
};

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw Error(ExitCode::Usage,
                fmt::format("cannot write PTX into '{}': {}", folder, error ? error.message() : "it is no folder"));
}

void keep_ptx(const std::string& folder, const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) print_warning(fmt::format("cannot write '{}'", path.string()));
}

RunHooks hooks_of(const ExecOptions& options) {
  RunHooks hooks;
  hooks.complain = &print_error;
  if (!options.machine.quiet) hooks.warn = &print_warning;
  if (options.keep_ptx.empty()) return hooks;
  make_folder(options.keep_ptx);
  hooks.loaded = [folder = options.keep_ptx](const std::string& name, const std::string& text) {
    keep_ptx(folder, name, text);
  };
  return hooks;
}

void warn_of_no_launch(const RunResult& result) {
  print_warning(fmt::format("{} launched no kernel{}", result.spec.program,
                            result.spec.kernel.empty() ? "" : fmt::format(" '{}'", result.spec.kernel)));
}

RunResult run_plainly(const ExecOptions& options, const RunSpec& spec, const RunHooks& hooks) {
  OutputFile json(options.machine.json);
  RunResult result = run_program(spec, hooks, !options.machine.quiet);
  if (!options.machine.quiet && !result.launches.empty())
    fmt::print(stderr, "{}{}{}", painted(run_table(result), stderr),
               result.spec.instruments.has("branches") ? '\n' + branch_table(result) : "",
               spec.timed ? '\n' + summary_table(result) : "");
  if (json.wanted()) {
    nlohmann::ordered_json data = run_json(result);
    if (spec.timed) data["summary"] = summary_json(result);
    json.write(data);
  }
  return result;
}

ExitCode exec(const ExecOptions& options) {
  if (options.words.empty()) throw Error(ExitCode::Usage, "no program given: heddle exec [options] -- ./app arguments");
  options.timeline.check(options.machine.json);
  const RunSpec spec = options.complete();
  if (options.schedules.asked()) return options.schedules.run(spec, hooks_of(options), options.machine.json);
  TimelineFile timeline(options.timeline);
  RunHooks hooks = hooks_of(options);
  timeline.add_to(hooks.observers);
  const RunResult result =
      options.profile ? options.profiling.run(spec, hooks, options.machine, stderr) : run_plainly(options, spec, hooks);
  timeline.finish(options.machine.quiet);
  if (!options.machine.quiet && result.launches.empty()) warn_of_no_launch(result);
  const bool hides = options.fail_on_error && *result.ended_with == 0 && result.failure;
  return options.checks.finish(result, hides ? result.failure->code : static_cast<ExitCode>(*result.ended_with));
}

}  // namespace

Action declare_exec(CLI::App& command) {
  auto options = std::make_shared<ExecOptions>();
  ExecOptions& o = *options;
  command.add_option("program", o.words, "the program and its arguments, behind --")->required();
  o.machine.declare_mechanism(command);
  o.machine.declare(command);
  o.machine.declare_host(command);
  for (const char* name : {"--size", "--compiler"}) command.remove_option(command.get_option(name));
  o.machine.declare_instrument(command, "branches");
  o.timeline.declare(command, o.machine);
  o.checks.declare(command);
  o.schedules.declare(command);
  command.add_flag("--strict", o.machine.spec.strict,
                   "loads just beside an allocation are faults; else they are warned of once");
  command.add_option("--kernel", o.machine.spec.kernel, "show the launches of this kernel only");
  CLI::Option* const profile = command.add_flag(
      "--profile", o.profile, "what each line and each branch of its kernels costs, and why they are slow");
  for (CLI::Option* option : o.profiling.declare(command)) option->needs(profile);
  command.add_flag(
      "--fail-on-error,!--no-fail-on-error", o.fail_on_error,
      "end with the code of a kernel's error where the program itself ends with 0; the default where CI=true");
  command.add_option("--keep-ptx", o.keep_ptx, "write the PTX found in the program into this folder, which is made");
  return [options] { return exec(*options); };
}

}  // namespace heddle::cli
