#include "divergence/support/limits.h"

#include <fmt/format.h>

#include "program/disassembly.h"

namespace heddle {
namespace {

// " at file.ptx:12:5: brx.idx …"; kernels made by hand have no text.
std::string place_of(const Kernel& kernel, Pc pc) {
  if (!kernel.source) return fmt::format(" at instruction {}", pc);
  return fmt::format(" at {}: {}", kernel.where(pc), instruction_text(kernel, pc));
}

}  // namespace

std::string recursion_in(const Kernel& kernel) {
  std::string names;
  for (const FunctionRange& function : kernel.functions)
    if (function.recursive) names += (names.empty() ? "" : ", ") + function.name;
  if (names.empty()) return "";
  return fmt::format("it has no recursion, and the kernel reaches functions that call themselves: {}", names);
}

std::string indirection_in(const Kernel& kernel) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    const Instruction& instruction = kernel.code[pc];
    if (instruction.op == Op::Brx)
      return fmt::format("it has no indirect branches, and there is one{}", place_of(kernel, pc));
    if (instruction.op == Op::Call && kernel.calls[instruction.table].indirect)
      return fmt::format("it has no indirect branches, and a function is called through a pointer{}",
                         place_of(kernel, pc));
  }
  return "";
}

std::string call_in(const Kernel& kernel) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    if (kernel.code[pc].op == Op::Call)
      return fmt::format("it has no function calls, and one is not inlined{}", place_of(kernel, pc));
  return "";
}

}  // namespace heddle
