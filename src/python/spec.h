// RunSpec as Python fills it in.
#pragma once

#include <pybind11/pybind11.h>

namespace heddle::python {

void declare_spec(pybind11::module_& module);

}  // namespace heddle::python
