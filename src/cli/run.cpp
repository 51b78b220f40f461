// heddle run: a workload with its check, or a kernel of a PTX file with arguments from the command line.
#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/interrupt.h"
#include "cli/kernel_argument.h"
#include "cli/machine_options.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/program_source.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "report/branch_table.h"
#include "report/run_json.h"
#include "report/run_table.h"
#include "report/step_printer.h"
#include "report/table.h"
#include "report/timing_json.h"

namespace heddle::cli {
namespace {

struct RunOptions {
  std::string program, mechanism = GpuOptions().mechanism, kernel, grid, block;
  uint32_t shared = 0;
  bool cooperative = false, trace = false, no_skip = false, branches = false;
  uint64_t sample = 0;
  std::string sample_file;
  std::vector<std::string> arguments;
  MachineOptions machine;
  std::vector<CLI::Option*> of_file, of_workload;  // options that make sense for one of the two only
};

void refuse_given(const std::vector<CLI::Option*>& options, std::string_view program, std::string_view what) {
  for (const CLI::Option* option : options)
    if (option->count() > 0)
      throw Error(ExitCode::Usage,
                  fmt::format("{} does not go with {}, which is {}", option->get_name(), program, what));
}

GpuOptions gpu_options(const RunOptions& options, std::atomic<uint64_t>& slots) {
  GpuOptions result = options.machine.gpu_options(options.mechanism, stop_on_interrupt());
  if (options.trace) result.tracer = step_printer(stdout);
  result.sample = options.sample;
  result.skip = !options.no_skip;
  result.branches = options.branches;
  result.progress = &slots;
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

std::string kernel_to_run(const RunOptions& options, const Program& program) {
  if (!options.kernel.empty()) return options.kernel;
  const std::vector<std::string> names = program.kernel_names();
  if (names.empty()) throw Error(ExitCode::BadProgram, fmt::format("{} has no kernel", options.program));
  if (names.size() == 1) return names[0];
  std::string list;
  for (const std::string& name : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  throw Error(ExitCode::Usage,
              fmt::format("{} has {} kernels; choose one with --kernel: {}", options.program, names.size(), list));
}

LaunchShape launch_shape(const RunOptions& options) {
  if (options.grid.empty() || options.block.empty())
    throw Error(ExitCode::Usage, "a kernel of a PTX file needs --grid and --block");
  return {parse_dimensions("--grid", options.grid), parse_dimensions("--block", options.block), options.shared,
          options.cooperative};
}

RunResult run_file(const RunOptions& options, Config config, GpuOptions how) {
  refuse_given(options.of_workload, options.program, "a PTX file");
  const LaunchShape shape = launch_shape(options);
  std::vector<KernelArgument> arguments;
  for (const std::string& text : options.arguments) arguments.push_back(parse_argument(text));
  const std::shared_ptr<const Program> program = load_file(options.program, options.machine.quiet);
  const std::string kernel = kernel_to_run(options, *program);
  program->kernel(kernel);  // fails before anything is launched
  Gpu gpu(std::move(config), std::move(how));
  gpu.load(program);
  const PlacedArguments placed(gpu, std::move(arguments));
  return measure(gpu, options.program, [&]() -> std::optional<workloads::Check> {
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

ExitCode finish(const RunResult& result, const RunOptions& options, OutputFile& json, OutputFile& samples) {
  const bool measured = !result.launches.empty();
  if (!options.machine.quiet && !json.to_stdout() && !samples.to_stdout() && measured)
    fmt::print("{}{}", run_table(result), options.branches ? '\n' + branch_table(result) : "");
  json.write(run_json(result));
  if (samples.wanted()) samples.write(samples_csv(result));
  if (result.failure) {
    print_error(result.failure->message);
    return result.failure->code;
  }
  if (result.passed()) return ExitCode::Ok;
  print_error(fmt::format("the result of {} is wrong: {}", result.program, result.check->detail));
  return ExitCode::CheckFailed;
}

ExitCode run(const RunOptions& options) {
  check_sampling(options);
  Config config = options.machine.config();
  std::atomic<uint64_t> slots = 0;
  GpuOptions how = gpu_options(options, slots);
  const workloads::Workload* workload = workload_or_file(options.program);
  if (workload) refuse_given(options.of_file, options.program, "a workload");
  const workloads::Size size = workloads::size_named(options.machine.size);
  const workloads::Compiler compiler = workloads::compiler_named(options.machine.compiler);
  if (workload) workload->ptx(compiler);  // fails before anything is run
  mechanism_named(options.mechanism);
  OutputFile json(options.machine.json), samples(options.sample_file);
  RunResult result = [&] {
    const Progress progress(!options.machine.quiet && !options.trace, [&] {
      return fmt::format("{}: {} issue slots of this launch", options.program, grouped(slots.load()));
    });
    if (workload) return run_workload(*workload, size, std::move(config), std::move(how), compiler);
    return run_file(options, std::move(config), std::move(how));
  }();
  result.preset = options.machine.preset;
  return finish(result, options, json, samples);
}

}  // namespace

Action declare_run(CLI::App& command) {
  auto options = std::make_shared<RunOptions>();
  RunOptions& o = *options;
  command.add_option("program", o.program, "a workload (heddle list workloads) or FILE.ptx")->required();
  command.add_option("--mechanism", o.mechanism, "divergence mechanism (heddle list mechanisms)")
      ->capture_default_str();
  o.machine.declare(command);
  o.of_workload = {command.get_option("--size"), command.get_option("--compiler")};
  o.of_file = {command.add_option("--kernel", o.kernel, "kernel of the file; may be left out if there is one"),
               command.add_option("--grid", o.grid, "blocks: X[,Y[,Z]]"),
               command.add_option("--block", o.block, "threads of a block: X[,Y[,Z]]"),
               command.add_option("--shared", o.shared, "bytes of dynamic shared memory"),
               command.add_flag("--cooperative", o.cooperative, "all blocks resident at once"),
               command
                   .add_option("--arg", o.arguments,
                               "kernel argument: u32:7, s64:-1, f32:1.5, …; bytes:HEX for a structure; zeros:BYTES or "
                               "file:PATH for a buffer, @OUT.bin behind it writes it back; repeatable")
                   ->allow_extra_args(false)};
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
