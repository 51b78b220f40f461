// heddle view: a run, or several mechanisms side by side, as a page that plays it.
#include "report/view/view.h"

#include <fmt/format.h>

#include <memory>

#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/program_options.h"
#include "cli/verb.h"
#include "cli/view_gallery.h"
#include "report/table.h"
#include "run/command.h"
#include "run/kernel_choice.h"
#include "run/program_source.h"
#include "runtime/temporary_program.h"

namespace heddle::cli {
namespace {

struct ViewOptions : ProgramOptions {
  std::vector<std::string> arguments;  // of a CUDA program
  std::vector<std::string> mechanisms;
  bool gallery = false;
  TraceFilter traced;
  std::string traced_slots, output = "view.html";
  uint64_t events = 200'000;

  const std::string& program() const { return machine.spec.program; }
};

// The program under each mechanism.
std::vector<RunSpec> specs_of(const ViewOptions& options) {
  ProgramOptions program = options;
  if (!options.mechanisms.empty()) program.machine.spec.mechanism = options.mechanisms[0];
  std::vector<RunSpec> specs{is_cuda(options.program()) ? program.complete_cuda(options.arguments)
                                                        : program.complete()};
  for (size_t i = 1; i < options.mechanisms.size(); ++i) {
    specs.push_back(specs[0]);
    specs[i].mechanism = options.mechanisms[i];
  }
  check_runs(specs);
  return specs;
}

TraceFilter filter_of(const ViewOptions& options) {
  TraceFilter filter = options.traced;
  if (!options.traced_slots.empty()) filter.slots = range_of(options.traced_slots, "slots");
  if (const std::string& name = options.machine.spec.kernel; !name.empty())
    filter.kernel = [name](const std::string& kernel) { return means(name, kernel); };
  return filter;
}

// What a CUDA program prints is printed once, under the first mechanism.
Shown shown(const ViewOptions& options, const RunSpec& spec, bool silent) {
  const auto recorder = std::make_shared<Recorder>(filter_of(options), options.events);
  RunHooks hooks;
  hooks.complain = &print_error;
  if (!options.machine.quiet) hooks.warn = &print_warning;
  hooks.silent = silent;
  hooks.observers.push_back(recorder);
  RunResult result = run_program(spec, std::move(hooks), !options.machine.quiet);
  return {std::move(result), recorder->recording()};
}

void warn_of(const Shown& run) {
  const Recording& recording = run.recording;
  const std::string& mechanism = run.result.spec.mechanism;
  if (recording.matched > recording.events.size())
    print_warning(
        fmt::format("{}: the page shows the first {} of {} issue slots; choose others with --kernel, "
                    "--trace-block, --trace-warp or --trace-slots, or show more with --events",
                    mechanism, grouped(recording.events.size()), grouped(recording.matched)));
  if (recording.matched == 0 && !run.result.failure)
    print_warning(fmt::format("{}: no issue slot goes through the filters", mechanism));
}

// Asks for the page again.
std::string command_of(const ViewOptions& options, const std::vector<RunSpec>& specs) {
  std::vector<std::string> mechanisms, filters;
  for (const RunSpec& spec : specs) mechanisms.push_back(spec.mechanism);
  const auto add = [&](const char* name, const std::string& value) { filters.insert(filters.end(), {name, value}); };
  if (options.traced.block) add("--trace-block", fmt::to_string(*options.traced.block));
  if (options.traced.warp) add("--trace-warp", fmt::to_string(*options.traced.warp));
  if (!options.traced_slots.empty()) add("--trace-slots", options.traced_slots);
  if (options.events != ViewOptions().events) add("--events", fmt::to_string(options.events));
  RunSpec spec = specs[0];
  spec.program = options.program();  // which was compiled for this
  return view_command(spec, mechanisms, filters);
}

// Of a CUDA program its own exit code.
ExitCode verdict(const std::vector<Shown>& runs) {
  ExitCode code = ExitCode::Ok;
  for (const Shown& run : runs) {
    const std::optional<int> ended_with = run.result.ended_with;
    const ExitCode one = ended_with ? static_cast<ExitCode>(*ended_with) : print_verdict(run.result);
    if (code == ExitCode::Ok) code = one;
  }
  return code;
}

struct Pages {
  OutputFile json, page;
  explicit Pages(const ViewOptions& options) : json(options.machine.json), page(options.output) {}

  void write(const std::vector<ViewExample>& examples, const std::string& command) {
    const auto data = view_json(examples, command);
    json.write(data);
    page.write(view_html(data));
  }
};

ExitCode view_program(const ViewOptions& options) {
  if (options.program().empty())
    throw Error(ExitCode::Usage, "no program given: heddle view bitonic --mechanism tbc,pdom, or --gallery");
  if (!options.arguments.empty() && !is_cuda(options.program()))
    throw Error(ExitCode::Usage, fmt::format("'{}': {} is no CUDA program, and takes no words", options.arguments[0],
                                             options.program()));
  std::vector<RunSpec> specs = specs_of(options);
  filter_of(options);  // a range that is none fails before anything is run
  Pages pages(options);
  std::unique_ptr<runtime::TemporaryProgram> compiled;
  if (is_cuda_source(options.program())) compiled = std::make_unique<runtime::TemporaryProgram>(options.program());
  ViewExample example{options.program(), title_of(specs[0]), "", options.program(), {}};
  for (RunSpec& spec : specs) {
    if (compiled) spec.program = compiled->path();
    example.runs.push_back(shown(options, spec, !example.runs.empty()));
    if (!options.machine.quiet) warn_of(example.runs.back());
  }
  pages.write({example}, command_of(options, specs));
  return verdict(example.runs);
}

ExitCode view(const ViewOptions& options) {
  if (options.machine.json == "-" && options.output == "-")
    throw Error(ExitCode::Usage, "--output and --json cannot both be standard output");
  if (!options.gallery) return view_program(options);
  if (!options.program().empty())
    throw Error(ExitCode::Usage, fmt::format("--gallery shows its own examples, not '{}'", options.program()));
  Pages pages(options);
  pages.write(play_gallery(options.mechanisms, options.events, options.machine.quiet), "heddle view --gallery");
  return ExitCode::Ok;
}

}  // namespace

Action declare_view(CLI::App& command) {
  auto options = std::make_shared<ViewOptions>();
  ViewOptions& o = *options;
  o.machine.spec.size = "tiny";  // one to look at
  o.declare(command);
  command.get_option("program")
      ->description("a workload (heddle list workloads), FILE.ptx, FILE.cu or a CUDA program")
      ->required(false);
  command.add_option("arguments", o.arguments, "of a CUDA program; put -- before it where they begin with -");
  command.remove_option(command.get_option("--mechanism"));
  command
      .add_option("--mechanism", o.mechanisms,
                  "divergence mechanisms (heddle list mechanisms), to be seen side by side; pdom without it")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--gallery", o.gallery, "the papers' worked examples, under every mechanism that can run them");
  command.add_option("--trace-block", o.traced.block, "this block of the grid only, by its number");
  command.add_option("--trace-warp", o.traced.warp, "this warp only, as --trace-steps numbers them");
  command.add_option("--trace-slots", o.traced_slots, "these issue slots of each launch only: FROM:TO");
  command
      .add_option("--events", o.events, "issue slots shown of each mechanism, the first that go through the filters")
      ->capture_default_str();
  command.add_option("-o,--output", o.output, "the page; - is standard output")->capture_default_str();
  return [options] { return view(*options); };
}

}  // namespace heddle::cli
