// heddle compare: independent runs on all cores of the host; the output does not depend on which ends first.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/interrupt.h"
#include "cli/machine_options.h"
#include "cli/many_runs.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/verb.h"
#include "divergence/registry.h"
#include "report/comparison.h"
#include "report/page/page.h"
#include "report/painted.h"
#include "run/runner.h"

namespace heddle::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> workloads, mechanisms;
  unsigned jobs = 0;
  std::string html;
  MachineOptions machine;
};

// Workloads × mechanisms, row by row.
std::vector<RunSpec> specs_of(const CompareOptions& options) {
  std::vector<RunSpec> specs;
  for (const std::string& workload : options.workloads)
    for (const std::string& mechanism : options.mechanisms) {
      specs.push_back(options.machine.complete());
      specs.back().program = workload;
      specs.back().mechanism = mechanism;
    }
  return specs;
}

// How far it came, in one line.
ExitCode interrupted(const Comparison& comparison) {
  const auto ended = [](const RunResult& run) { return !run.failure || run.failure->code != ExitCode::Interrupted; };
  print_error(fmt::format("interrupted: {} of {} runs were done",
                          std::count_if(comparison.runs.begin(), comparison.runs.end(), ended),
                          comparison.runs.size()));
  return ExitCode::Interrupted;
}

ExitCode verdict(const Comparison& comparison) {
  for (const RunResult& run : comparison.runs)
    if (run.failure && run.failure->code == ExitCode::Interrupted) return interrupted(comparison);
  for (const RunResult& run : comparison.runs)
    if (run.failure && !is_answer(run.spec, run.failure->code)) {
      print_error(fmt::format("{} under {}: {}", run.spec.program, run.spec.mechanism, run.failure->message));
      return run.failure->code;
    }
  for (const RunResult& run : comparison.runs)
    if (!run.failure && !run.passed()) {
      print_error(fmt::format("the result of {} under {} is wrong: {}", run.spec.program, run.spec.mechanism,
                              run.check->detail));
      return ExitCode::CheckFailed;
    }
  return ExitCode::Ok;
}

// Without any: all of them that there are.
void name_all(CompareOptions& options) {
  const workloads::Compiler compiler = workloads::compiler_named(options.machine.spec.compiler);
  if (options.workloads.empty())
    for (const workloads::Workload& workload : workloads::all())
      if (workloads::find_ptx(workload.name, compiler)) options.workloads.emplace_back(workload.name);
  if (options.mechanisms.empty())
    for (const MechanismRow& row : mechanisms())
      if (!row.bound || options.machine.emulate) options.mechanisms.emplace_back(row.name);  // a bound has no cycles
}

ExitCode compare(CompareOptions options) {
  name_all(options);
  const std::vector<RunSpec> specs = specs_of(options);
  check_runs(specs);
  RunHooks hooks;
  hooks.stop = stop_on_interrupt();
  const bool quiet = options.machine.quiet;
  if (options.machine.json == "-" && options.html == "-")
    throw Error(ExitCode::Usage, "--html and --json cannot both be standard output");
  OutputFile json(options.machine.json), page(options.html);
  const ManyRuns runs{specs.size(), options.jobs, quiet,
                      [&](size_t i) { return fmt::format("{} under {}", specs[i].program, specs[i].mechanism); },
                      [&](size_t i) { return specs[i].program; }};
  const Comparison comparison{options.workloads, options.mechanisms,
                              run_many(runs, [&](size_t i) { return execute(specs[i], hooks); })};
  if (!quiet && !json.to_stdout() && !page.to_stdout()) fmt::print("{}", painted(comparison_table(comparison), stdout));
  const auto results = comparison_json(comparison);
  json.write(results);
  if (page.wanted()) page.write(report_html(results));
  return verdict(comparison);
}

}  // namespace

Action declare_compare(CLI::App& command) {
  auto options = std::make_shared<CompareOptions>();
  command.add_option("workloads", options->workloads, "workloads (heddle list workloads); all without any");
  command.add_option("--mechanisms", options->mechanisms, "mechanisms, the first is the yardstick; all without it")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--html", options->html, "write the comparison as a web page");
  command.add_option("--jobs", options->jobs, "runs at once; 0: one per core of the host")->capture_default_str();
  options->machine.declare(command);
  return [options] { return compare(*options); };
}

}  // namespace heddle::cli
