#include "python/runs.h"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"
#include "experiment/sweep.h"
#include "library/host_arguments.h"
#include "python/arguments.h"
#include "python/interruptible.h"
#include "python/outcome.h"
#include "run/program_source.h"
#include "run/runner.h"

namespace heddle::python {
namespace {

namespace py = pybind11;

Outcome executed(const RunSpec& spec, library::HostArguments* arguments) {
  std::atomic<bool> stop = false;
  std::string printed;
  std::vector<std::string> warnings;
  RunHooks hooks;
  hooks.stop = &stop;
  hooks.printed = &printed;
  hooks.warn = [&](const std::string& text) { warnings.push_back(text); };
  hooks.arguments = arguments;
  Outcome outcome = interruptible(stop, [&] { return outcome_of(execute(spec, hooks)); });
  outcome.printed = std::move(printed);
  outcome.warnings = std::move(warnings);
  return outcome;
}

Outcome run(const RunSpec& spec) {
  check_runs({&spec, 1});
  return executed(spec, nullptr);
}

Outcome run_kernel(RunSpec spec, const py::sequence& given) {
  check_names(spec);
  const std::shared_ptr<const Program> program = load_file(spec, nullptr);
  spec = with_kernel(std::move(spec), *program);
  const HostValues values(given, parameters_of(*program, spec.kernel, given.size()), address_bytes_of(*program));
  library::HostArguments arguments(values.arguments());
  spec.launch.arguments = arguments.in_words();
  check_runs({&spec, 1});
  return executed(spec, &arguments);
}

using Axes = std::vector<std::pair<std::string, std::vector<std::string>>>;

nlohmann::ordered_json ended(ExitCode code, const std::string& error) {
  return {{"exit_code", static_cast<int>(code)}, {"error", error}, {"total", nlohmann::ordered_json::object()}};
}

nlohmann::ordered_json row(const Sweep& sweep, const Batch& batch, size_t point, size_t workload) {
  const Batch::Run* const run = sweep.run(batch, point, workload);
  nlohmann::ordered_json json{{"workload", sweep.workloads()[workload]}, {"values", sweep.values(point)}};
  if (run && run->record)
    json.update({{"exit_code", run->record->exit_code}, {"error", run->record->error}, {"total", run->record->total}});
  else if (run)
    json.update(ended(ExitCode::Host, batch.lacking()));
  else
    json.update(ended(ExitCode::Usage, "cannot be: " + sweep.contradiction(point)));
  return json;
}

std::string table(const Sweep& sweep, const Batch& batch) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (size_t point = 0; point < sweep.points(); ++point)
    for (size_t workload = 0; workload < sweep.workloads().size(); ++workload)
      rows.push_back(row(sweep, batch, point, workload));
  return rows.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string swept(const RunSpec& base, const std::vector<std::string>& workloads, const Axes& given, unsigned jobs,
                  const std::optional<std::string>& results, const std::string& temporary) {
  std::vector<Axis> axes;
  for (const auto& [name, values] : given) axes.push_back({name, values});
  std::atomic<bool> stop = false;
  return interruptible(stop, [&] {
    Sweep sweep(base, workloads, axes);
    std::optional<TemporaryFolder> own;
    const Store store(results ? std::filesystem::path(*results) : own.emplace(temporary).path());
    Batch batch(store);
    if (!stop) sweep.need(batch);
    batch.run(jobs, &stop);
    return stop ? std::string() : table(sweep, batch);
  });
}

}  // namespace

void declare_runs(py::module_& module) {
  module.def("run", &run, py::arg("spec"));
  module.def("run_kernel", &run_kernel, py::arg("spec"), py::arg("arguments"));
  module.def("sweep", &swept, py::arg("base"), py::arg("workloads"), py::arg("axes"), py::arg("jobs"),
             py::arg("results"), py::arg("temporary"));
}

}  // namespace heddle::python
