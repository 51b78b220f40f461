// heddle._heddle: what the package python/heddle is made of.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "base/error.h"
#include "base/version.h"
#include "divergence/lane_map.h"
#include "divergence/registry.h"
#include "gpu/key_owners.h"
#include "gpu/presets.h"
#include "python/device.h"
#include "python/outcome.h"
#include "python/runs.h"
#include "python/spec.h"
#include "python/under_way.h"
#include "schedule/registry.h"
#include "workloads/workload.h"

namespace heddle::python {
namespace {

namespace py = pybind11;

// Names and what they mean, in the order of the registry.
template <class Rows>
py::dict named(const Rows& rows) {
  py::dict summaries;
  for (const auto& row : rows) summaries[py::str(std::string(row.name))] = std::string(row.summary);
  return summaries;
}

py::dict keys() {
  py::dict all;
  for (const KeyGroup& group : key_groups())
    for (const Key& key : group.keys) all[py::str(std::string(key.name))] = std::string(key.summary);
  return all;
}

// An Error is the exception of its exit code (heddle/errors.py), and so is what this machine lacks. Others are
// pybind11's.
void translate(std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param)
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const std::exception& error) {
    if (!dynamic_cast<const Error*>(&error) && code_of(error) != ExitCode::Host) throw;
    const py::object made =
        py::module_::import("heddle.errors").attr("error_of")(static_cast<int>(code_of(error)), text_of(error));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

}  // namespace
}  // namespace heddle::python

PYBIND11_MODULE(_heddle, module) {
  using namespace heddle::python;  // NOLINT(google-build-using-namespace)
  module.def("version", [] { return std::string(heddle::version()); });
  module.def("build_text", [] { return std::string(heddle::build_text()); });
  module.def("workloads", [] { return named(heddle::workloads::all()); });
  module.def("mechanisms", [] { return named(heddle::mechanisms()); });
  module.def("schedulers", [] { return named(heddle::schedulers()); });
  module.def("lanes", [] { return named(heddle::LaneMap::all()); });
  module.def("presets", [] { return named(heddle::all_presets()); });
  module.def("keys", &keys);
  declare_spec(module);
  declare_outcome(module);
  declare_runs(module);
  declare_device(module);
  UnderWay::end_with_python();
  pybind11::register_exception_translator(&translate);
}
