// heddle validate: the simulated GPU beside a real one, thing by thing.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/nearest.h"
#include "cli/interrupt.h"
#include "cli/machine_options.h"
#include "cli/many_runs.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/verb.h"
#include "report/page/page.h"
#include "run/command.h"
#include "run/runner.h"
#include "validation/validation.h"

namespace heddle::cli {
namespace {

struct ValidateOptions {
  std::vector<std::string> names;
  std::string hardware = "h200", html, markdown;
  bool micro_only = false, kernels_only = false;
  unsigned jobs = 0;
  MachineOptions machine;
};

// Without a name, everything that was measured; else what is called so or begins so.
bool chosen(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& wanted) {
           return name == wanted || (wanted.ends_with('.') && name.starts_with(wanted));
         });
}

struct Plan {
  std::vector<HardwareData::Micro> micro;
  std::vector<RunSpec> runs;  // of workloads
  size_t count() const { return micro.size() + runs.size(); }
};

bool is_measured(const HardwareData& data, const std::string& workload) {
  return std::any_of(data.kernels.begin(), data.kernels.end(),
                     [&](const HardwareData::Kernel& kernel) { return kernel.workload == workload; });
}

// Every name must be that of something: one that is none would be left out without a word.
void check_names(const ValidateOptions& options, const HardwareData& data) {
  std::vector<std::string_view> known;
  for (const HardwareData::Micro& micro : data.micro) known.push_back(micro.name);
  for (const HardwareData::Kernel& kernel : data.kernels) known.push_back(kernel.workload);
  known.erase(std::unique(known.begin(), known.end()), known.end());  // kernels of a workload stand together
  for (const std::string& name : options.names)
    if (std::none_of(known.begin(), known.end(),
                     [&](std::string_view each) { return chosen({name}, std::string(each)); }))
      throw Error(ExitCode::Usage, fmt::format("nothing called '{}' was measured on {}{}", name, data.device,
                                               did_you_mean(name, known)));
}

Plan plan_of(const ValidateOptions& options, const Validation& validation) {
  Plan plan;
  if (!options.kernels_only)
    for (const HardwareData::Micro& micro : validation.hardware.micro)
      if (chosen(options.names, micro.name)) plan.micro.push_back(micro);
  if (!options.micro_only)
    for (const workloads::Workload& workload : workloads::all()) {
      if (!is_measured(validation.hardware, std::string(workload.name))) continue;
      // The fifty of the papers are meant; others are asked for by name.
      if (options.names.empty() && workload.kind != workloads::Kind::Usual) continue;
      if (!chosen(options.names, std::string(workload.name))) continue;
      plan.runs.push_back(validation.machine);
      plan.runs.back().program = workload.name;
    }
  if (plan.count() == 0)
    throw Error(ExitCode::Usage, fmt::format("{} has nothing of what was asked for", options.hardware));
  return plan;
}

ExitCode verdict(const Validation& validation, bool stopped) {
  if (stopped) {
    print_error("interrupted");
    return ExitCode::Interrupted;
  }
  for (const ValidatedMicro& row : validation.micro)
    if (!row.failure.empty()) {
      print_error(fmt::format("{}: {}", row.name, row.failure));
      return ExitCode::CheckFailed;
    }
  for (const ValidatedKernel& row : validation.kernels)
    if (!row.failure.empty()) {
      print_error(fmt::format("{} of {}: {}", row.kernel, row.workload, row.failure));
      return ExitCode::CheckFailed;
    }
  return ExitCode::Ok;
}

std::string command_of(const ValidateOptions& options) {
  std::vector<std::string> more;
  if (options.hardware != ValidateOptions().hardware) more = {"--hardware", options.hardware};
  if (options.micro_only) more.emplace_back("--micro");
  if (options.kernels_only) more.emplace_back("--kernels");
  return validate_command(options.machine.complete(), options.names, more);
}

class ValidationFiles {
 public:
  explicit ValidationFiles(const ValidateOptions& options)
      : json_(options.machine.json), html_(options.html), markdown_(options.markdown) {
    if (json_.to_stdout() + html_.to_stdout() + markdown_.to_stdout() > 1)
      throw Error(ExitCode::Usage, "only one of --json, --html and --markdown can be standard output");
  }
  bool to_stdout() const { return json_.to_stdout() || html_.to_stdout() || markdown_.to_stdout(); }

  void write(const Validation& validation, const std::string& command) {
    const auto results = validation_json(validation, command);
    if (json_.wanted()) json_.write(results);
    if (html_.wanted()) html_.write(report_html(results));
    if (markdown_.wanted()) markdown_.write(validation_markdown(validation, command));
  }

 private:
  OutputFile json_, html_, markdown_;
};

ExitCode validate(const ValidateOptions& options) {
  if (options.machine.emulate) throw Error(ExitCode::Usage, "validate compares cycles, and --emulate has no clock");
  Validation validation;
  validation.hardware = read_hardware_data(options.hardware);
  validation.machine = as_measured(options.machine.complete(), validation.hardware);
  check_names(options, validation.hardware);
  const Plan plan = plan_of(options, validation);
  if (!plan.runs.empty()) check_runs(plan.runs);
  ValidationFiles files(options);
  RunHooks hooks;
  hooks.stop = stop_on_interrupt();
  validation.micro.resize(plan.micro.size());
  std::vector<std::vector<ValidatedKernel>> kernels(plan.runs.size());
  const auto name = [&](size_t i) {
    return i < plan.micro.size() ? plan.micro[i].name : plan.runs[i - plan.micro.size()].program;
  };
  for_many({plan.count(), options.jobs, options.machine.quiet, name, name}, [&](size_t i) {
    if (*hooks.stop) return;
    if (i < plan.micro.size())
      validation.micro[i] = validate_micro(plan.micro[i], validation.machine);
    else
      kernels[i - plan.micro.size()] =
          validate_kernels(validation.hardware, execute(plan.runs[i - plan.micro.size()], hooks));
  });
  for (std::vector<ValidatedKernel>& rows : kernels)
    validation.kernels.insert(validation.kernels.end(), rows.begin(), rows.end());
  if (!options.machine.quiet && !files.to_stdout() && !*hooks.stop) fmt::print("{}", validation_table(validation));
  if (!*hooks.stop) files.write(validation, command_of(options));
  return verdict(validation, *hooks.stop);
}

}  // namespace

Action declare_validate(CLI::App& command) {
  auto options = std::make_shared<ValidateOptions>();
  ValidateOptions& o = *options;
  o.machine.spec.preset = "h200";
  o.machine.spec.size = "paper";
  o.machine.spec.mechanism = "its";
  command.add_option("names", o.names,
                     "workloads and microbenchmarks, of these also groups (latency., rate., …); all without any");
  command.add_option("--hardware", o.hardware, "what the real GPU gave: a file of bench/hardware/record, or h200")
      ->capture_default_str();
  CLI::Option* const micro = command.add_flag("--micro", o.micro_only, "microbenchmarks alone");
  command.add_flag("--kernels", o.kernels_only, "workloads alone")->excludes(micro);
  command.add_option("--html", o.html, "write the validation as a web page");
  command.add_option("--markdown", o.markdown, "write it as the results of docs/validation.md; - is standard output");
  command.add_option("--jobs", o.jobs, "runs at once; 0: one per core of the host")->capture_default_str();
  o.machine.declare_mechanism(command);
  o.machine.declare(command);
  return [options] { return validate(*options); };
}

}  // namespace heddle::cli
