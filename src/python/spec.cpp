#include "python/spec.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "base/error.h"
#include "base/nearest.h"
#include "run/program_source.h"

namespace heddle::python {
namespace {

// Instruments have names; a few take a number, which is 0 for the others.
void watch(RunSpec& spec, const std::string& name, uint64_t number) {
  std::vector<std::string_view> names;
  for (const InstrumentRow& row : instrument_rows()) {
    if (row.help.empty()) continue;  // of a verb
    names.push_back(row.name);
    if (row.name != name) continue;
    if (row.timed && !spec.timed)
      throw Error(ExitCode::Usage, fmt::format("watch {}: emulation has no clock (timed=True)", name));
    if (row.takes_number != (number > 0))
      throw Error(ExitCode::Usage,
                  fmt::format("watch {}: {}", name, row.takes_number ? "takes a number above 0" : "takes no number"));
    spec.instruments.add(row.name, row.takes_number ? number : 1);
    return;
  }
  throw Error(ExitCode::Usage,
              fmt::format("watch {}: nothing has that name{} ({})", name, did_you_mean(name, names), joined(names)));
}

void set_program(RunSpec& spec, const std::string& program) {
  spec.program = program;
  spec.kind = workload_or_file(program) ? RunSpec::Kind::Workload : RunSpec::Kind::PtxFile;
}

void set_text(RunSpec& spec, const std::string& name, const std::string& text) {
  if (text.empty()) throw Error(ExitCode::Usage, "no PTX text is given");
  spec.kind = RunSpec::Kind::PtxFile;
  spec.program = name;
  spec.text = text;
}

}  // namespace

void declare_spec(pybind11::module_& module) {
  pybind11::class_<RunSpec>(module, "Spec")
      .def(pybind11::init<>())
      .def_readwrite("size", &RunSpec::size)
      .def_readwrite("compiler", &RunSpec::compiler)
      .def_readwrite("kernel", &RunSpec::kernel)
      .def_readwrite("preset", &RunSpec::preset)
      .def_readwrite("settings", &RunSpec::settings)
      .def_readwrite("mechanism", &RunSpec::mechanism)
      .def_readwrite("lanes", &RunSpec::lanes)
      .def_readwrite("schedule", &RunSpec::schedule)
      .def_readwrite("timed", &RunSpec::timed)
      .def_property_readonly("is_workload", [](const RunSpec& spec) { return spec.kind == RunSpec::Kind::Workload; })
      .def("set_program", &set_program, pybind11::arg("program"))
      .def("set_text", &set_text, pybind11::arg("name"), pybind11::arg("text"))
      .def(
          "set_launch",
          [](RunSpec& spec, const std::string& grid, const std::string& block, uint32_t shared, bool cooperative) {
            spec.launch = {grid, block, shared, cooperative, {}};
          },
          pybind11::arg("grid"), pybind11::arg("block"), pybind11::arg("shared"), pybind11::arg("cooperative"))
      .def(
          "check", [](RunSpec& spec, const std::string& names) { spec.checks = check::CheckSet(names); },
          pybind11::arg("names"))
      .def("watch", &watch, pybind11::arg("name"), pybind11::arg("number"));
}

}  // namespace heddle::python
