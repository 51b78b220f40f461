#include "python/outcome.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "report/check_report.h"
#include "report/run_json.h"
#include "report/run_table.h"

namespace heddle::python {
namespace {

void judge(const RunResult& result, Outcome& outcome) {
  if (result.failure) {
    outcome.code = result.failure->code;
    outcome.message = result.failure->message;
  } else if (!result.passed()) {
    outcome.code = ExitCode::CheckFailed;
    outcome.message = fmt::format("the result of {} is wrong: {}", result.spec.program, result.check->detail);
  } else if (check::harmful(result.findings) > 0) {
    outcome.code = ExitCode::Found;
    outcome.message = check_text(result);
  }
}

}  // namespace

Outcome outcome_of(const RunResult& result, bool has_command) {
  Outcome outcome;
  judge(result, outcome);
  if (result.launches.empty()) return outcome;
  nlohmann::ordered_json json = run_json(result);
  if (!has_command) json["command"] = nullptr;
  json["exit_code"] = static_cast<int>(outcome.code);
  outcome.json = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  outcome.text = run_table(result);
  return outcome;
}

void declare_outcome(pybind11::module_& module) {
  pybind11::class_<Outcome>(module, "Outcome")
      .def_property_readonly("code", [](const Outcome& outcome) { return static_cast<int>(outcome.code); })
      .def_readonly("message", &Outcome::message)
      .def_readonly("json", &Outcome::json)
      .def_readonly("text", &Outcome::text)
      .def_readonly("printed", &Outcome::printed)
      .def_readonly("warnings", &Outcome::warnings);
}

}  // namespace heddle::python
