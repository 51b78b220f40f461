// heddle view: a run, or several mechanisms side by side, as a page that plays it.
#include "report/view/view.h"

#include <fmt/format.h>

#include <memory>

#include "cli/interrupt.h"
#include "cli/many_runs.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/program_options.h"
#include "cli/verb.h"
#include "report/table.h"
#include "report/view/gallery.h"
#include "run/command.h"
#include "run/kernel_choice.h"

namespace heddle::cli {
namespace {

struct ViewOptions : ProgramOptions {
  std::vector<std::string> words, mechanisms;
  bool gallery = false;
  TraceFilter traced;
  std::string traced_slots, output = "view.html";
  uint64_t events = 200'000;
};

// What the words name, under each mechanism.
std::vector<RunSpec> specs_of(const ViewOptions& options) {
  ProgramOptions program = options;
  program.machine.spec.program = options.words[0];
  const RunSpec spec = program.complete();
  if (options.mechanisms.empty()) return {spec};
  std::vector<RunSpec> specs(options.mechanisms.size(), spec);
  for (size_t i = 0; i < specs.size(); ++i) specs[i].mechanism = options.mechanisms[i];
  check_runs(specs);
  return specs;
}

TraceFilter filter_of(const ViewOptions& options, const RunSpec& spec) {
  TraceFilter filter = options.traced;
  if (!options.traced_slots.empty()) filter.slots = range_of(options.traced_slots, "slots");
  if (!spec.kernel.empty())
    filter.kernel = [name = spec.kernel](const std::string& kernel) { return means(name, kernel); };
  return filter;
}

Shown shown(const ViewOptions& options, const RunSpec& spec) {
  const auto recorder = std::make_shared<Recorder>(filter_of(options, spec), options.events);
  RunHooks hooks;
  hooks.complain = &print_error;
  if (!options.machine.quiet) hooks.warn = &print_warning;
  hooks.observers.push_back(recorder);
  RunResult result = run_program(spec, std::move(hooks), !options.machine.quiet);
  return {std::move(result), recorder->recording()};
}

void warn_if_cut(const Shown& run) {
  const Recording& recording = run.recording;
  if (recording.matched > recording.events.size())
    print_warning(
        fmt::format("{}: the page shows the first {} of {} issue slots; choose others with --kernel, --trace-block, "
                    "--trace-warp or "
                    "--trace-slots, or show more with --events",
                    run.result.spec.mechanism, grouped(recording.events.size()), grouped(recording.matched)));
}

ExitCode verdict(const std::vector<Shown>& runs) {
  ExitCode code = ExitCode::Ok;
  for (const Shown& run : runs)
    if (const ExitCode one = print_verdict(run.result); code == ExitCode::Ok) code = one;
  return code;
}

void write(const ViewOptions& options, const nlohmann::ordered_json& data, OutputFile& json, OutputFile& page) {
  json.write(data);
  page.write(view_html(data));
  if (!options.machine.quiet && !json.to_stdout() && !page.to_stdout()) fmt::print("{}\n", options.output);
}

// Asks for the page again.
std::string command_of(const ViewOptions& options, const std::vector<RunSpec>& specs) {
  std::vector<std::string> mechanisms;
  for (const RunSpec& spec : specs) mechanisms.push_back(spec.mechanism);
  std::string filters;
  if (options.traced.block) filters += fmt::format(" --trace-block {}", *options.traced.block);
  if (options.traced.warp) filters += fmt::format(" --trace-warp {}", *options.traced.warp);
  if (!options.traced_slots.empty()) filters += fmt::format(" --trace-slots {}", options.traced_slots);
  if (options.events != ViewOptions().events) filters += fmt::format(" --events {}", options.events);
  std::string command = view_command(specs[0], mechanisms);
  return command.insert(std::min(command.find(" -- "), command.size()), filters);
}

ExitCode view_program(const ViewOptions& options) {
  if (options.words.empty()) throw Error(ExitCode::Usage, "no program given: heddle view bitonic --mechanism tbc,pdom");
  const std::vector<RunSpec> specs = specs_of(options);
  OutputFile json(options.machine.json), page(options.output);
  ViewExample example{specs[0].program, title_of(specs[0]), "", specs[0].program, {}};
  for (const RunSpec& spec : specs) {
    example.runs.push_back(shown(options, spec));
    if (!options.machine.quiet) warn_if_cut(example.runs.back());
  }
  write(options, view_json({example}, command_of(options, specs)), json, page);
  return verdict(example.runs);
}

// That a mechanism refuses an example, or never ends on it, is what the gallery shows.
ExitCode view_gallery(const ViewOptions& options) {
  if (!options.words.empty())
    throw Error(ExitCode::Usage, fmt::format("--gallery shows its own examples, not '{}'", options.words[0]));
  std::vector<ViewExample> examples;
  std::vector<std::pair<size_t, RunSpec>> runs;
  for (const GalleryExample& example : gallery()) {
    for (const std::string& mechanism : options.mechanisms.empty() ? mechanisms_for(example) : options.mechanisms) {
      runs.emplace_back(examples.size(), example.spec);
      runs.back().second.mechanism = mechanism;
      check_names(runs.back().second);
    }
    examples.push_back({example.name, example.title, example.text, example.spec.program, {}});
  }
  OutputFile json(options.machine.json), page(options.output);
  std::vector<Recording> recordings(runs.size());
  RunHooks hooks;
  hooks.stop = stop_on_interrupt();
  std::vector<RunResult> results = run_many({runs.size(), 0, options.machine.quiet}, [&](size_t i) {
    const auto recorder = std::make_shared<Recorder>(TraceFilter{}, options.events);
    RunHooks own = hooks;
    own.observers.push_back(recorder);
    RunResult result = execute(runs[i].second, own);
    recordings[i] = recorder->recording();
    return result;
  });
  if (*hooks.stop) throw Error(ExitCode::Interrupted, "interrupted");
  for (size_t i = 0; i < runs.size(); ++i)
    examples[runs[i].first].runs.push_back({std::move(results[i]), std::move(recordings[i])});
  write(options, view_json(examples, "heddle view --gallery"), json, page);
  return ExitCode::Ok;
}

ExitCode view(const ViewOptions& options) {
  if (options.machine.json == "-" && options.output == "-")
    throw Error(ExitCode::Usage, "--output and --json cannot both be standard output");
  return options.gallery ? view_gallery(options) : view_program(options);
}

}  // namespace

Action declare_view(CLI::App& command) {
  auto options = std::make_shared<ViewOptions>();
  ViewOptions& o = *options;
  o.machine.spec.size = "tiny";  // one to look at
  o.declare(command);
  for (const char* name : {"program", "--mechanism"}) command.remove_option(command.get_option(name));
  command.add_option("program", o.words, "a workload, FILE.ptx, or behind -- a CUDA program and its arguments");
  command
      .add_option("--mechanism", o.mechanisms,
                  "divergence mechanisms (heddle list mechanisms), to be seen side by side")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("pdom");
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
