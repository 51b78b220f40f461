// A decoded kernel as text for a person, and as a Graphviz graph.
#pragma once

#include <string>

#include "program/kernel.h"
#include "program/program.h"

namespace heddle {

// The instruction as it was written, guard included, on one line.
std::string instruction_text(const Kernel& kernel, Pc pc);
std::string source_place(const Kernel& kernel, Pc pc);  // "kernel.cu:7", or empty without .loc

struct DisassemblyOptions {
  bool slots = false;  // register slots read and written
};
std::string disassembly(const Kernel& kernel, const DisassemblyOptions& options = {});
std::string control_flow_dot(const Kernel& kernel);

}  // namespace heddle
