// heddle run: a workload with its check, or a kernel of a PTX file with arguments from the command line.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/check_options.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/program_options.h"
#include "cli/schedule_options.h"
#include "cli/timeline_options.h"
#include "cli/verb.h"
#include "observe/step_trace.h"
#include "report/branch_table.h"
#include "report/painted.h"
#include "report/run_json.h"
#include "report/run_table.h"
#include "report/timing_json.h"
#include "run/kernel_choice.h"

namespace heddle::cli {
namespace {

struct RunOptions : ProgramOptions {
  bool trace = false;
  TraceFilter traced;
  std::string traced_slots, sample_file;
  TimelineOptions timeline;
  CheckOptions checks;
  ScheduleOptions schedules;

  RunSpec complete() const {
    RunSpec spec = ProgramOptions::complete();
    checks.add_to(spec);
    return spec;
  }
  bool traces() const { return trace || traced.block || traced.warp || !traced_slots.empty(); }
};

std::shared_ptr<Observer> trace_of(const RunOptions& options, const RunSpec& spec) {
  TraceFilter filter = options.traced;
  if (!options.traced_slots.empty()) filter.slots = range_of(options.traced_slots, "slots");
  if (!spec.kernel.empty())
    filter.kernel = [name = spec.kernel](const std::string& kernel) { return means(name, kernel); };
  return std::make_shared<StepTrace>(stdout, std::move(filter));
}

void check_sampling(const RunOptions& options) {
  const bool to_file = !options.sample_file.empty(), to_json = !options.machine.json.empty();
  const uint64_t sample = options.machine.spec.instruments.number("sample");
  if (sample > 0 && !to_file && !to_json)
    throw Error(ExitCode::Usage, "--sample needs somewhere to write to: --sample-file FILE.csv, or --json FILE");
  if (sample == 0 && to_file) throw Error(ExitCode::Usage, "--sample-file needs --sample N, the cycles of an interval");
  if (options.sample_file == "-" && options.machine.json == "-")
    throw Error(ExitCode::Usage, "--sample-file and --json cannot both be standard output");
}

ExitCode run(const RunOptions& options) {
  check_sampling(options);
  options.timeline.check(options.machine.json);
  const RunSpec spec = options.complete();
  if (options.schedules.asked()) return options.schedules.run(spec, {}, options.machine.json);
  const bool quiet = options.machine.quiet;
  OutputFile json(options.machine.json), samples(options.sample_file);
  TimelineFile timeline(options.timeline);
  RunHooks hooks;
  timeline.add_to(hooks.observers);
  if (!quiet) hooks.warn = &print_warning;
  if (options.traces()) hooks.observers.push_back(trace_of(options, spec));
  const RunResult result = run_program(spec, std::move(hooks), !quiet && !options.traces());
  timeline.finish(quiet);
  const bool measured = !result.launches.empty();
  if (!quiet && !json.to_stdout() && !samples.to_stdout() && options.timeline.file != "-" && measured)
    fmt::print("{}{}", painted(run_table(result), stdout),
               spec.instruments.has("branches") ? '\n' + branch_table(result) : "");
  if (json.wanted()) json.write(run_json(result));
  if (samples.wanted()) samples.write(samples_csv(result));
  return options.checks.finish(result, print_verdict(result));
}

}  // namespace

Action declare_run(CLI::App& command) {
  auto options = std::make_shared<RunOptions>();
  RunOptions& o = *options;
  o.declare(command);
  o.machine.declare_host(command);
  o.machine.declare_instrument(command, "sample");
  o.machine.of_clock.push_back(
      command.add_option("--sample-file", o.sample_file, "where --sample writes it, as CSV; it is in the JSON too"));
  o.timeline.declare(command, o.machine);
  o.checks.declare(command);
  o.schedules.declare(command);
  o.machine.declare_instrument(command, "branches");
  command.add_flag("--trace-steps", o.trace,
                   "print every issue slot: threads per lane, instruction, mechanism's state");
  command.add_option("--trace-block", o.traced.block, "the trace of this block of the grid only, by its number");
  command.add_option("--trace-warp", o.traced.warp, "the trace of this warp only, as the trace numbers them");
  command.add_option("--trace-slots", o.traced_slots, "the trace of these issue slots of each launch only: FROM:TO");
  return [options] { return run(*options); };
}

}  // namespace heddle::cli
