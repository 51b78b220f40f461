// heddle sweep: a product of workloads (or a CUDA program), mechanisms and values of keys, on all cores; goes on where
// it was stopped.
#include "experiment/sweep.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/cluster_options.h"
#include "cli/interrupt.h"
#include "cli/machine_options.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/unfinished.h"
#include "cli/verb.h"
#include "run/command.h"

namespace heddle::cli {
namespace {

struct SweepOptions {
  std::vector<std::string> words, mechanisms, vary;  // words: workloads, or a program and its arguments
  unsigned jobs = 0;
  bool exec = false, details = false, list = false;
  ClusterOptions cluster;
  std::string results = "results", csv;
  MachineOptions machine;
};

Sweep sweep_of(const SweepOptions& options) {
  std::vector<Axis> axes;
  if (!options.mechanisms.empty()) axes.push_back({"mechanism", options.mechanisms});
  for (const std::string& text : options.vary) axes.push_back(axis_of(text));
  if (axes.empty()) throw Error(ExitCode::Usage, "nothing varies: --mechanisms A,B or --vary KEY=VALUES");
  RunSpec base = options.machine.complete();
  std::vector<std::string> words = options.words;
  if (options.exec) {
    if (words.empty())
      throw Error(ExitCode::Usage, "no program given: heddle sweep --exec [options] -- ./app arguments");
    base.kind = RunSpec::Kind::CudaProgram;
    base.program = words[0];
    base.arguments.assign(words.begin() + 1, words.end());
    words.resize(1);
  } else if (words.empty()) {
    for (const workloads::Workload& workload : workloads::all()) words.emplace_back(workload.name);
  }
  return Sweep(std::move(base), std::move(words), std::move(axes));
}

std::string command_of(const Sweep& sweep) {
  std::vector<std::string> axes;
  for (const Axis& axis : sweep.axes()) axes.push_back(fmt::format("{}={}", axis.name, fmt::join(axis.values, ",")));
  return sweep_command(sweep.base(), sweep.workloads(), axes);
}

ExitCode sweep(const SweepOptions& options) {
  if (options.machine.json == "-" && options.csv == "-")
    throw Error(ExitCode::Usage, "--json and --csv cannot both be standard output");
  Sweep sweep = sweep_of(options);
  const Store store(options.results);
  Batch batch(store);
  sweep.need(batch);
  if (options.list) {
    fmt::print("{} points of {} {}: {} runs, {} of them measured\n", sweep.points(), sweep.workloads().size(),
               options.exec ? "program" : "workloads", batch.count(), batch.found());
    return ExitCode::Ok;
  }
  const Shard shard = options.cluster.shard();
  if (options.cluster.is_part() && (!options.machine.json.empty() || !options.csv.empty()))
    throw Error(ExitCode::Usage,
                "--shard measures a part: --json and --csv are of the whole, the same command without it");
  OutputFile json(options.machine.json), csv(options.csv);
  std::atomic<bool>* const stop = stop_on_interrupt();
  options.cluster.do_elsewhere(batch, options.results, options.machine.quiet);
  batch.look_again();
  if (!*stop) {
    const Progress progress(!options.machine.quiet, [&] { return batch.progress(); });
    batch.run(options.jobs, stop, shard);
  }
  if (options.cluster.is_part() && batch.complete(shard)) {
    if (!options.machine.quiet) fmt::print("{}", ClusterOptions::summary(batch, shard, options.results));
    return ExitCode::Ok;
  }
  if (!options.machine.quiet && !json.to_stdout() && !csv.to_stdout()) {
    fmt::print("{}", sweep_table(sweep, batch, options.details));
    for (const std::string& problem : batch.problems()) fmt::print("{}\n", problem);
  }
  if (json.wanted()) json.write(sweep_json(sweep, batch, command_of(sweep)));
  if (csv.wanted()) csv.write(sweep_csv(sweep, batch));
  return *stop || !batch.complete() ? unfinished(batch, options.results) : ExitCode::Ok;
}

}  // namespace

Action declare_sweep(CLI::App& command) {
  auto options = std::make_shared<SweepOptions>();
  SweepOptions& o = *options;
  command.add_option("workloads", o.words,
                     "workloads (heddle list workloads); all without any. With --exec: a program and its arguments");
  command.add_flag("--exec", o.exec,
                   "a CUDA program instead of workloads: heddle sweep --exec [options] -- ./app arguments");
  command.add_option("--mechanisms", o.mechanisms, "mechanisms; short for --vary mechanism=A,B")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--vary", o.vary,
                  "KEY=VALUES: a key of the machine or the mechanism, or lanes, schedule, preset, size, compiler; "
                  "values A,B,C, numbers also FROM..TO, FROM..TO+STEP, FROM..TO*FACTOR, with k and m for 1024 and "
                  "1024 x 1024; repeatable: the product of all")
      ->allow_extra_args(false);
  command.add_option("--csv", o.csv, "write every run as a row of a table; - is standard output");
  command.add_flag("--details", o.details, "also every point on every workload");
  command.add_flag("--list", o.list, "how many runs it takes, and how many have been measured");
  command.add_option("--results", o.results, "folder in which results are kept, so that nothing is run twice")
      ->capture_default_str();
  command.add_option("--jobs", o.jobs, "runs at once; 0: one per core of the host")->capture_default_str();
  o.cluster.declare(command);
  o.machine.declare(command);
  return [options] { return sweep(*options); };
}

}  // namespace heddle::cli
