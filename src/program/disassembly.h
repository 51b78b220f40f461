// A decoded kernel for a person: as text, and as a Graphviz graph of its control flow.
#pragma once

#include <string>
#include <vector>

#include "program/kernel.h"

namespace heddle {

struct DisassemblyOptions {
  bool slots = false;     // register slots read and written
  bool barriers = false;  // where threads enter, leave and meet at convergence barriers, and where they yield
};
std::string disassembly(const Kernel& kernel, const DisassemblyOptions& options = {});
std::string control_flow_dot(const Kernel& kernel);

// The facts both are made of.
std::string instruction_text(const Kernel& kernel, Pc pc);  // as it was written, guard included, on one line
std::string source_place(const Kernel& kernel, Pc pc);      // "kernel.cu:7", or empty without .loc
std::vector<std::string> kernel_facts(const Kernel& kernel);
std::string function_facts(const FunctionRange& function);
std::vector<std::string> block_facts(const Kernel& kernel, uint32_t block);
std::string branch_facts(const Kernel& kernel, Pc pc);  // empty for what is no control instruction

}  // namespace heddle
