#include "cli/program_run.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/kernel_argument.h"
#include "cli/message.h"
#include "cli/program_source.h"
#include "cli/progress.h"
#include "report/table.h"

namespace heddle::cli {
namespace {

void refuse_given(const std::vector<CLI::Option*>& options, std::string_view program, std::string_view what) {
  for (const CLI::Option* option : options)
    if (option->count() > 0)
      throw Error(ExitCode::Usage,
                  fmt::format("{} does not go with {}, which is {}", option->get_name(), program, what));
}

std::string kernel_to_run(const ProgramOptions& options, const Program& program) {
  if (!options.kernel.empty()) return options.kernel;
  const std::vector<std::string> names = program.kernel_names();
  if (names.empty()) throw Error(ExitCode::BadProgram, fmt::format("{} has no kernel", options.program));
  if (names.size() == 1) return names[0];
  std::string list;
  for (const std::string& name : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  throw Error(ExitCode::Usage,
              fmt::format("{} has {} kernels; choose one with --kernel: {}", options.program, names.size(), list));
}

LaunchShape launch_shape(const ProgramOptions& options) {
  if (options.grid.empty() || options.block.empty())
    throw Error(ExitCode::Usage, "a kernel of a PTX file needs --grid and --block");
  return {parse_dimensions("--grid", options.grid), parse_dimensions("--block", options.block), options.shared,
          options.cooperative};
}

}  // namespace

void ProgramOptions::declare(CLI::App& command) {
  command.add_option("program", program, "a workload (heddle list workloads) or FILE.ptx")->required();
  command.add_option("--mechanism", mechanism, "divergence mechanism (heddle list mechanisms)")->capture_default_str();
  machine.declare(command);
  of_workload = {command.get_option("--size"), command.get_option("--compiler")};
  of_file = {command.add_option("--kernel", kernel, "kernel of the file; may be left out if there is one"),
             command.add_option("--grid", grid, "blocks: X[,Y[,Z]]"),
             command.add_option("--block", block, "threads of a block: X[,Y[,Z]]"),
             command.add_option("--shared", shared, "bytes of dynamic shared memory"),
             command.add_flag("--cooperative", cooperative, "all blocks resident at once"),
             command
                 .add_option("--arg", arguments,
                             "kernel argument: u32:7, s64:-1, f32:1.5, …; bytes:HEX for a structure; zeros:BYTES or "
                             "file:PATH for a buffer, @OUT.bin behind it writes it back; repeatable")
                 ->allow_extra_args(false)};
}

ProgramRun::ProgramRun(const ProgramOptions& options)
    : options_(options),
      config_(options.machine.config()),
      workload_(workload_or_file(options.program)),
      size_(workloads::size_named(options.machine.size)),
      compiler_(workloads::compiler_named(options.machine.compiler)) {
  if (workload_) refuse_given(options.of_file, options.program, "a workload");
  if (workload_) workload_->ptx(compiler_);  // fails before anything is run
  mechanism_named(options.mechanism);
}

GpuOptions ProgramRun::gpu_options() {
  GpuOptions result = options_.machine.gpu_options(options_.mechanism, stop_on_interrupt());
  result.progress = &slots_;
  return result;
}

RunResult ProgramRun::run(GpuOptions how, bool progress) {
  RunResult result = [&] {
    const Progress line(progress && !options_.machine.quiet, [&] {
      return fmt::format("{}: {} issue slots of this launch", options_.program, grouped(slots_.load()));
    });
    if (workload_) return run_workload(*workload_, size_, config_, std::move(how), compiler_);
    return run_file(std::move(how));
  }();
  result.preset = options_.machine.preset;
  return result;
}

RunResult ProgramRun::run_file(GpuOptions how) {
  refuse_given(options_.of_workload, options_.program, "a PTX file");
  const LaunchShape shape = launch_shape(options_);
  std::vector<KernelArgument> arguments;
  for (const std::string& text : options_.arguments) arguments.push_back(parse_argument(text));
  const std::shared_ptr<const Program> program = load_file(options_.program, options_.machine.quiet);
  const std::string kernel = kernel_to_run(options_, *program);
  program->kernel(kernel);  // fails before anything is launched
  Gpu gpu(config_, std::move(how));
  gpu.load(program);
  const PlacedArguments placed(gpu, std::move(arguments));
  return measure(gpu, options_.program, [&]() -> std::optional<workloads::Check> {
    try {
      gpu.launch(kernel, shape, placed.values());
    } catch (const Error&) {
      if (!gpu.launches().empty()) placed.write_back();  // what memory holds now
      throw;
    }
    placed.write_back();
    return std::nullopt;
  });
}

ExitCode print_verdict(const RunResult& result) {
  if (result.failure) {
    print_error(result.failure->message);
    return result.failure->code;
  }
  if (result.passed()) return ExitCode::Ok;
  print_error(fmt::format("the result of {} is wrong: {}", result.program, result.check->detail));
  return ExitCode::CheckFailed;
}

}  // namespace heddle::cli
