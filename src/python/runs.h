// Runs and sweeps, for Python.
#pragma once

#include <pybind11/pybind11.h>

namespace heddle::python {

void declare_runs(pybind11::module_& module);

}  // namespace heddle::python
