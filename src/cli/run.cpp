// heddle run: a workload with its check, or a kernel of a PTX file with arguments from the command line.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/program_run.h"
#include "cli/verb.h"
#include "observe/step_trace.h"
#include "report/branch_table.h"
#include "report/run_json.h"
#include "report/run_table.h"
#include "report/timing_json.h"

namespace heddle::cli {
namespace {

struct RunOptions : ProgramOptions {
  bool trace = false, no_skip = false, branches = false;
  uint64_t sample = 0;
  std::string sample_file;
};

GpuOptions gpu_options(const RunOptions& options, ProgramRun& program) {
  GpuOptions result = program.gpu_options();
  if (options.trace) result.observers.push_back(std::make_shared<StepTrace>(stdout, TraceFilter{}));
  result.instruments.sample = options.sample;
  result.skip = !options.no_skip;
  result.instruments.compaction = options.branches;
  return result;
}

void check_sampling(const RunOptions& options) {
  const bool to_file = !options.sample_file.empty(), to_json = !options.machine.json.empty();
  if (options.sample > 0 && !to_file && !to_json)
    throw Error(ExitCode::Usage, "--sample needs somewhere to write to: --sample-file FILE.csv, or --json FILE");
  if (options.sample == 0 && to_file)
    throw Error(ExitCode::Usage, "--sample-file needs --sample N, the cycles of an interval");
  if (options.sample_file == "-" && options.machine.json == "-")
    throw Error(ExitCode::Usage, "--sample-file and --json cannot both be standard output");
}

ExitCode run(const RunOptions& options) {
  check_sampling(options);
  ProgramRun program(options);
  GpuOptions how = gpu_options(options, program);
  OutputFile json(options.machine.json), samples(options.sample_file);
  const RunResult result = program.run(std::move(how), !options.trace);
  const bool measured = !result.launches.empty();
  if (!options.machine.quiet && !json.to_stdout() && !samples.to_stdout() && measured)
    fmt::print("{}{}", run_table(result), options.branches ? '\n' + branch_table(result) : "");
  json.write(run_json(result));
  if (samples.wanted()) samples.write(samples_csv(result));
  return print_verdict(result);
}

}  // namespace

Action declare_run(CLI::App& command) {
  auto options = std::make_shared<RunOptions>();
  RunOptions& o = *options;
  o.declare(command);
  for (CLI::Option* option :
       {command.add_option("--sample", o.sample, "cycle level: a time series, one row every so many cycles"),
        command.add_option("--sample-file", o.sample_file, "where --sample writes it, as CSV; it is in the JSON too"),
        command.add_flag("--no-skip", o.no_skip,
                         "cycle level: tick every part in every cycle; slower, and the same to the last count")})
    o.machine.of_clock.push_back(option);
  command.add_flag("--branches", o.branches,
                   "a table of the branches at which threads part, and how well they compact under tbc");
  command.add_flag("--trace-steps", o.trace,
                   "print every issue slot: threads per lane, instruction, mechanism's state");
  return [options] { return run(*options); };
}

}  // namespace heddle::cli
