#include "cli/program_options.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "report/table.h"
#include "run/program_source.h"

namespace heddle::cli {
namespace {

void refuse_given(const std::vector<CLI::Option*>& options, std::string_view program, std::string_view what) {
  for (const CLI::Option* option : options)
    if (option->count() > 0)
      throw Error(ExitCode::Usage,
                  fmt::format("{} does not go with {}, which is {}", option->get_name(), program, what));
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
  std::atomic<uint64_t> slots = 0;
  hooks.stop = stop_on_interrupt();
  hooks.progress = &slots;
  const Progress line(
      progress, [&] { return fmt::format("{}: {} issue slots of this launch", spec.program, grouped(slots.load())); });
  return execute(spec, hooks);
}

ExitCode print_verdict(const RunResult& result) {
  if (result.failure) {
    print_error(result.failure->message);
    return result.failure->code;
  }
  if (result.passed()) return ExitCode::Ok;
  print_error(fmt::format("the result of {} is wrong: {}", result.spec.program, result.check->detail));
  return ExitCode::CheckFailed;
}

}  // namespace heddle::cli
