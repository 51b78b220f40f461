// heddle list: what the registries hold.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "cli/interrupt.h"
#include "cli/many_runs.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/verb.h"
#include "divergence/lane_map.h"
#include "divergence/registry.h"
#include "gpu/key_owners.h"
#include "gpu/presets.h"
#include "report/instruction_table.h"
#include "report/table.h"
#include "report/workload_list.h"
#include "run/runner.h"
#include "runtime/cuda_functions.h"
#include "schedule/registry.h"
#include "workloads/workload.h"

namespace heddle::cli {
namespace {

template <class Rows>
std::string list_named(const Rows& rows) {
  Table table({{"name", false}, {"what it is", false}});
  for (const auto& row : rows) table.add({std::string(row.name), std::string(row.summary)});
  return table.text();
}

std::string list_mechanisms() { return list_named(mechanisms()); }
std::string list_lanes() { return list_named(LaneMap::all()); }
std::string list_presets() { return list_named(all_presets()); }

std::string list_schedulers() {
  return list_named(schedulers()) +
         "(emulation asks one only where warps are interleaved: under dwf, or with --set interleave=true)\n";
}

std::string values_of(const Key& key) {
  switch (key.kind) {
    case Key::Kind::Boolean: return "true, false";
    case Key::Kind::Choice: return std::string(key.choices);
    case Key::Kind::Names: return "names, separated by commas";
    case Key::Kind::Text: return "text";
    case Key::Kind::Numbers: return "numbers, separated by commas";
    case Key::Kind::Integer:
    case Key::Kind::PerKernel: break;
  }
  const size_t space = key.choices.find(' ');
  if (space == std::string_view::npos) return "a number";
  return fmt::format("{} to {}{}", key.choices.substr(0, space), key.choices.substr(space + 1),
                     key.kind == Key::Kind::PerKernel ? ", or KERNEL:N,…" : "");
}

std::string list_keys() {
  Table table({{"key", false}, {"default", false}, {"values", false}, {"what it sets", false}});
  for (const KeyGroup& group : key_groups()) {
    table.add({fmt::format("# {}", group.name)});
    for (const Key& key : group.keys)
      table.add({std::string(key.name), std::string(key.initial), values_of(key), std::string(key.summary)});
  }
  return table.text();
}

std::string list_cuda() {
  using Answer = runtime::CudaFunction::Answer;
  constexpr std::string_view kAnswers[] = {"implemented", "succeeds, with nothing to do", "not supported"};
  Table table({{"function", false}, {"under heddle exec", false}});
  for (const Answer answer : {Answer::Implemented, Answer::Harmless, Answer::NotSupported})
    for (const runtime::CudaFunction& function : runtime::cuda_functions())
      if (function.answer == answer)
        table.add({std::string(function.name), std::string(kAnswers[static_cast<size_t>(answer)])});
  return table.text();
}

struct Listing {
  std::string_view name;
  std::string (*text)();
};
constexpr Listing kListings[] = {
    {"workloads", &workload_names},       {"mechanisms", &list_mechanisms},
    {"schedulers", &list_schedulers},     {"lanes", &list_lanes},
    {"presets", &list_presets},           {"keys", &list_keys},
    {"instructions", &instruction_table}, {"cuda", &list_cuda},
};

struct ListOptions {
  std::string wanted, size = "tiny", compiler = "nvcc", json;
  bool markdown = false, no_measure = false;
  std::vector<CLI::Option*> of_workloads;
};

ExitCode verdict(const std::vector<ListedWorkload>& listed) {
  for (const auto& [workload, run] : listed) {
    if (run.passed()) continue;
    print_error(fmt::format("{}: {}", workload->name, run.failure ? run.failure->message : run.check->detail));
    return run.failure ? run.failure->code : ExitCode::CheckFailed;
  }
  return ExitCode::Ok;
}

constexpr std::string_view kForThoseThatWait = "its";  // which never end under pdom

// Every workload, under pdom in emulation: what it is like does not depend on a clock.
ExitCode list_workloads(const ListOptions& options) {
  workloads::size_named(options.size);
  const workloads::Compiler compiler = workloads::compiler_named(options.compiler);
  RunSpec spec;
  spec.size = options.size;
  spec.compiler = options.compiler;
  spec.timed = false;
  RunHooks hooks;
  hooks.stop = stop_on_interrupt();
  std::vector<const workloads::Workload*> known;
  for (const workloads::Workload& workload : workloads::all())
    if (workloads::find_ptx(workload.name, compiler)) known.push_back(&workload);
  OutputFile json(options.json);
  std::vector<RunResult> runs = run_many({.count = known.size()}, [&](size_t i) {
    RunSpec own = spec;
    own.program = known[i]->name;
    if (known[i]->kind == workloads::Kind::Waits) own.mechanism = kForThoseThatWait;
    return execute(own, hooks);
  });
  std::vector<ListedWorkload> listed;
  for (size_t i = 0; i < known.size(); ++i) listed.push_back({known[i], std::move(runs[i])});
  if (json.wanted()) json.write(workload_list_json(listed));
  if (options.markdown && !json.to_stdout()) fmt::print("{}", workload_table_markdown(listed));
  if (!options.markdown && !json.to_stdout())
    fmt::print(
        "{}measured at size {} (of tiny, small and paper: --size) under {} (where lanes of a warp wait for each other: "
        "{}),\nwithout a clock; divergent: below {:.0f} %\n",
        workload_table(listed), options.size, spec.mechanism, kForThoseThatWait, 100 * kDivergentBelow);
  return verdict(listed);
}

ExitCode list_instructions_markdown() {
  fmt::print("{}", instruction_table_markdown());
  return ExitCode::Ok;
}

ExitCode list(const ListOptions& options) {
  const std::string& wanted = options.wanted;
  if (options.markdown && wanted == "instructions") return list_instructions_markdown();
  if (wanted == "workloads" && !options.no_measure) return list_workloads(options);
  for (const CLI::Option* option : options.of_workloads)
    if (option->count() > 0 && (wanted != "workloads" || option->get_name() != "--no-measure"))
      throw Error(ExitCode::Usage,
                  fmt::format("{} goes with 'heddle list workloads' that measures them{}", option->get_name(),
                              option->get_name() == "--markdown" ? ", and 'heddle list instructions'" : ""));
  std::vector<std::string_view> names;
  for (const Listing& listing : kListings) {
    names.push_back(listing.name);
    if (listing.name != wanted) continue;
    fmt::print("{}", listing.text());
    return ExitCode::Ok;
  }
  if (!wanted.empty())
    throw Error(ExitCode::Usage, fmt::format("there is no list of '{}'{} (lists: {})", wanted,
                                             did_you_mean(wanted, names), joined(names)));
  for (const Listing& listing : kListings)
    if (listing.name != "instructions" && listing.name != "cuda")  // long: only when asked for
      fmt::print("{}{}:\n{}", &listing == kListings ? "" : "\n", listing.name, listing.text());
  return ExitCode::Ok;
}

}  // namespace

Action declare_list(CLI::App& command) {
  auto options = std::make_shared<ListOptions>();
  ListOptions& o = *options;
  command.add_option(
      "what", o.wanted,
      "workloads, mechanisms, schedulers, lanes, presets, keys, instructions or cuda; all but the last two without it");
  o.of_workloads = {
      command.add_option("--size", o.size, "workloads: the size to measure them at: tiny, small or paper")
          ->capture_default_str(),
      command.add_option("--compiler", o.compiler, "workloads: which PTX: what nvcc made, clang, or era")
          ->capture_default_str(),
      command.add_option("--json", o.json, "workloads: write what is measured as JSON; - is standard output"),
      command.add_flag("--no-measure", o.no_measure, "workloads: what they are, nothing measured"),
      command.add_flag("--markdown", o.markdown,
                       "workloads as in docs/workloads.md, instructions as docs/ptx-support.md"),
  };
  return [options] { return list(*options); };
}

}  // namespace heddle::cli
