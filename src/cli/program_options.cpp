#include "cli/program_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kernel_name.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "report/table.h"
#include "run/program_source.h"
#include "run/runs_under_way.h"

namespace heddle::cli {
namespace {

void refuse_given(const std::vector<CLI::Option*>& options, std::string_view program, std::string_view what) {
  for (const CLI::Option* option : options)
    if (option->count() > 0)
      throw Error(ExitCode::Usage,
                  fmt::format("{} does not go with {}, which is {}", option->get_name(), program, what));
}

// The blocks that are left take as long as those that are done.
std::string estimate(const LaunchProgress::Now& now) {
  if (now.blocks_done == 0) return "no estimate yet";
  const double all = now.seconds_at_block / static_cast<double>(now.blocks_done) * static_cast<double>(now.blocks);
  return fmt::format("about {} left", duration_text(std::max(0.0, all - now.seconds)));
}

std::string progress_text(const LaunchProgress::Now& now) {
  if (now.launch == 0) return "no launch yet";
  return fmt::format("launch {}, {}: {} of {} blocks done, {} issue slots, {}", now.launch, now.kernel,
                     grouped(now.blocks_done), grouped(now.blocks), grouped(now.slots), estimate(now));
}

// How far it came, in one line.
std::string interrupted_text(const RunResult& result) {
  const KernelStats& total = result.total.stats;
  if (result.launches.empty()) return "interrupted before the first launch";
  const std::string cycles = result.spec.timed ? fmt::format(", {} cycles", grouped(result.timing().cycles)) : "";
  return fmt::format("interrupted after {} in launch {}, {}: {} issue slots{} until then",
                     duration_text(result.seconds), result.launches.size(),
                     readable_name(result.launches.back().stats.kernel), grouped(total.issue_slots), cycles);
}

}  // namespace

void ProgramOptions::declare(CLI::App& command) {
  RunSpec& spec = machine.spec;
  KernelLaunch& launch = spec.launch;
  command.add_option("program", spec.program, "a workload (heddle list workloads) or FILE.ptx")->required();
  machine.declare_mechanism(command);
  machine.declare(command);
  of_workload = {command.get_option("--size"), command.get_option("--compiler")};
  command.add_option("--kernel", spec.kernel,
                     "kernel of the file, may be left out if there is one; of a workload: show its launches only");
  of_file = {command.add_option("--grid", launch.grid, "blocks: X[,Y[,Z]]"),
             command.add_option("--block", launch.block, "threads of a block: X[,Y[,Z]]"),
             command.add_option("--shared", launch.shared, "bytes of dynamic shared memory"),
             command.add_flag("--cooperative", launch.cooperative, "all blocks resident at once"),
             command
                 .add_option("--arg", launch.arguments,
                             "kernel argument: u32:7, s64:-1, f32:1.5, …; bytes:HEX for a structure; zeros:BYTES or "
                             "file:PATH for a buffer, @OUT.bin behind it writes it back; repeatable")
                 ->allow_extra_args(false)};
}

RunSpec ProgramOptions::complete() const {
  RunSpec spec = machine.complete();
  const bool is_workload = workload_or_file(spec.program) != nullptr;
  spec.kind = is_workload ? RunSpec::Kind::Workload : RunSpec::Kind::PtxFile;
  refuse_given(is_workload ? of_file : of_workload, spec.program, is_workload ? "a workload" : "a PTX file");
  check_runs({&spec, 1});
  return spec;
}

RunSpec ProgramOptions::complete_cuda(const std::vector<std::string>& arguments) const {
  RunSpec spec = machine.complete();
  spec.kind = RunSpec::Kind::CudaProgram;
  spec.arguments = arguments;
  for (const auto& options : {of_file, of_workload}) refuse_given(options, spec.program, "a CUDA program");
  check_runs({&spec, 1});
  return spec;
}

RunResult run_program(const RunSpec& spec, RunHooks hooks, bool progress) {
  LaunchProgress launch;
  hooks.stop = stop_on_interrupt();
  hooks.progress = &launch;
  const Progress line(progress, [&] { return fmt::format("{}: {}", spec.program, progress_text(launch.now())); });
  return execute(spec, hooks);
}

ExitCode print_verdict(const RunResult& result) {
  if (result.failure) {
    const bool interrupted = result.failure->code == ExitCode::Interrupted;
    print_error(interrupted ? interrupted_text(result) : result.failure->message);
    return result.failure->code;
  }
  if (result.passed()) return ExitCode::Ok;
  print_error(fmt::format("the result of {} is wrong: {}", result.spec.program, result.check->detail));
  return ExitCode::CheckFailed;
}

}  // namespace heddle::cli
