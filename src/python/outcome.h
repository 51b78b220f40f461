// What a run leaves, as Python takes it.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "run/run_result.h"

namespace heddle::python {

struct Outcome {
  ExitCode code = ExitCode::Ok;
  std::string message;  // what went wrong, as the command line says it
  std::string json;     // docs/json.md; "" where nothing was launched
  std::string text;     // the table
  std::string printed;  // by kernels
  std::vector<std::string> warnings;
};

Outcome outcome_of(const RunResult& result, bool has_command = true);  // is there one that asks for it again?

void declare_outcome(pybind11::module_& module);

}  // namespace heddle::python
