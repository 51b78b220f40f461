// heddle disasm: decoded kernels for a person.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "cli/message.h"
#include "cli/verb.h"
#include "program/disassembly.h"
#include "program/structure.h"
#include "run/kernel_choice.h"
#include "run/program_source.h"

namespace heddle::cli {
namespace {

struct DisasmOptions {
  std::string program, kernel, compiler = "nvcc";
  const CLI::Option* of_workload = nullptr;
  bool dot = false, slots = false, barriers = false, structured = false;
};

void show(const Kernel& kernel, const DisasmOptions& options) {
  if (options.structured) return fmt::print("{}\n", structure_text(kernel));
  fmt::print("{}",
             options.dot ? control_flow_dot(kernel) : disassembly(kernel, {options.slots, options.barriers}) + "\n");
}

// Null for a kernel with problems; load_file() has named them.
std::shared_ptr<const Kernel> runnable(const Program& program, const std::string& name) {
  try {
    return program.kernel(name);
  } catch (const Error&) {
    return nullptr;
  }
}

ExitCode disasm(const DisasmOptions& options) {
  const workloads::Workload* workload = workload_or_file(options.program);
  if (!workload && options.of_workload->count() > 0)
    throw Error(ExitCode::Usage, fmt::format("--compiler does not go with {}, which is a PTX file", options.program));
  const workloads::Compiler compiler = workloads::compiler_named(options.compiler);
  const auto program = workload ? load_workload(*workload, compiler)
                                : load_file(options.program, options.kernel.empty() ? &print_warning : nullptr);
  if (!options.kernel.empty()) {
    show(*program->kernel(kernel_named(options.kernel, program->kernel_names(), options.program)), options);
    return ExitCode::Ok;
  }
  unsigned shown = 0;
  for (const std::string& name : program->kernel_names()) {
    const std::shared_ptr<const Kernel> kernel = runnable(*program, name);
    if (!kernel) continue;
    show(*kernel, options);
    ++shown;
  }
  if (shown == 0) throw Error(ExitCode::BadProgram, fmt::format("{} has no kernel that can be shown", options.program));
  return ExitCode::Ok;
}

}  // namespace

Action declare_disasm(CLI::App& command) {
  auto options = std::make_shared<DisasmOptions>();
  command.add_option("program", options->program, "a workload (heddle list workloads) or FILE.ptx")->required();
  command.add_option("--kernel", options->kernel, "this kernel only");
  options->of_workload =
      command
          .add_option("--compiler", options->compiler,
                      "which PTX of a workload: what nvcc made of it, clang, or clang as compilers of 2010 wrote (era)")
          ->capture_default_str();
  command.add_flag("--barriers", options->barriers,
                   "where threads enter, leave and meet at convergence barriers, and where they yield (its)");
  command.add_flag("--dot", options->dot, "the control-flow graph for Graphviz");
  command.add_flag("--slots", options->slots, "register slots each instruction writes and reads");
  command.add_flag("--structured", options->structured,
                   "nested regions, as chap, amd, pomp, gma and sandy-bridge run it");
  return [options] { return disasm(*options); };
}

}  // namespace heddle::cli
