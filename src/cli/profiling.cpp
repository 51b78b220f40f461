#include "cli/profiling.h"

#include <fmt/format.h>

#include "cli/output_file.h"
#include "cli/program_options.h"
#include "divergence/registry.h"
#include "report/page/page.h"
#include "report/profile/what_if.h"
#include "run/command.h"

namespace heddle::cli {
namespace {

void refuse_bound(const std::string& mechanism) {
  if (mechanism_named(mechanism).bound)
    throw Error(ExitCode::Usage,
                fmt::format("'{}' is a bound, which loses no lanes: there is nothing to profile", mechanism));
}

// The same program under another mechanism; what it prints has been seen.
RunResult run_other(RunSpec spec, RunHooks hooks, const std::string& mechanism, bool progress) {
  spec.mechanism = mechanism;
  hooks.warn = nullptr;
  hooks.complain = [](const std::string&) {};
  hooks.silent = true;
  hooks.observers.clear();
  return run_program(spec, std::move(hooks), progress);
}

bool was_interrupted(const RunResult& result) {
  return result.failure && result.failure->code == ExitCode::Interrupted;
}

}  // namespace

std::vector<CLI::Option*> Profiling::declare(CLI::App& command) {
  return {command.add_option("--rows", rows, "lines and branches shown, the costliest first; 0: all")
              ->capture_default_str(),
          command.add_option("--html", html, "write it as a web page, with the source"),
          command.add_option("--what-if", what_if, "what these mechanisms would give back, branch by branch: a,b,…")
              ->delimiter(',')};
}

RunResult Profiling::run(RunSpec spec, const RunHooks& hooks, const MachineOptions& machine, std::FILE* tables,
                         const std::string& shown_as) const {
  if (machine.json == "-" && html == "-")
    throw Error(ExitCode::Usage, "--html and --json cannot both be standard output");
  refuse_bound(spec.mechanism);
  for (const std::string& mechanism : what_if) refuse_bound(mechanism);
  spec.instruments.add("profile");
  OutputFile json(machine.json), page(html);
  RunResult result = run_program(spec, hooks, !machine.quiet);
  if (!shown_as.empty()) result.spec.program = shown_as;
  Profile profile = profile_of(result);
  for (const std::string& mechanism : what_if) {
    if (result.launches.empty() || result.failure) break;
    const RunResult other = run_other(spec, hooks, mechanism, !machine.quiet);
    profile.what_if.push_back(heddle::what_if(result, profile, other));
    if (was_interrupted(other)) result.failure = other.failure;
  }
  if (!machine.quiet && !json.to_stdout() && !page.to_stdout() && !result.launches.empty())
    fmt::print(tables, "{}", profile_table(result, profile, rows));
  const auto data = profile_json(result, profile);
  json.write(data);
  ReportData report;
  report.add(data);
  if (page.wanted()) page.write(report_html(report, profile_command(result, profile)));
  return result;
}

}  // namespace heddle::cli
