// heddle list: what the registries hold.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/nearest.h"
#include "cli/verb.h"
#include "core/core_parameters.h"
#include "divergence/lane_map.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"
#include "memory/memory_parameters.h"
#include "report/instruction_table.h"
#include "report/table.h"
#include "schedule/registry.h"
#include "workloads/workload.h"

namespace heddle::cli {
namespace {

std::string list_workloads() {
  Table table({{"name", false}, {"block", false}, {"papers", false}, {"what it does", false}});
  for (const workloads::Workload& workload : workloads::all())
    table.add({std::string(workload.name), std::string(workload.block), std::string(workload.papers),
               std::string(workload.summary)});
  return table.text();
}

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
    case Key::Kind::Integer: break;
  }
  const size_t space = key.choices.find(' ');
  if (space == std::string_view::npos) return "a number";
  return fmt::format("{} to {}", key.choices.substr(0, space), key.choices.substr(space + 1));
}

bool has(std::span<const Key> keys, const Key& wanted) {
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == wanted.name; });
}

std::string_view group_of(const Key& key) {
  if (has(CoreParameters::keys(), key)) return "a core";
  if (has(MemoryParameters::keys(), key)) return "memory";
  for (const MechanismRow& row : mechanisms())
    if (has(row.keys, key)) return "mechanisms";
  for (const SchedulerRow& row : schedulers())
    if (has(row.keys, key)) return "schedulers";
  return "the machine";
}

std::string list_keys() {
  Table table({{"key", false}, {"default", false}, {"values", false}, {"what it sets", false}});
  const Config config = make_config();
  std::string_view group;
  for (const Key& key : config.keys()) {
    if (group != group_of(key)) table.add({fmt::format("# {}", group_of(key))});
    group = group_of(key);
    table.add({std::string(key.name), std::string(key.initial), values_of(key), std::string(key.summary)});
  }
  return table.text();
}

struct Listing {
  std::string_view name;
  std::string (*text)();
};
constexpr Listing kListings[] = {
    {"workloads", &list_workloads},       {"mechanisms", &list_mechanisms},
    {"schedulers", &list_schedulers},     {"lanes", &list_lanes},
    {"presets", &list_presets},           {"keys", &list_keys},
    {"instructions", &instruction_table},
};

ExitCode list(const std::string& wanted, bool markdown) {
  if (markdown) {
    if (wanted != "instructions") throw Error(ExitCode::Usage, "--markdown goes with 'heddle list instructions'");
    fmt::print("{}", instruction_table_markdown());
    return ExitCode::Ok;
  }
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
    if (listing.name != "instructions")  // long: only when asked for
      fmt::print("{}{}:\n{}", &listing == kListings ? "" : "\n", listing.name, listing.text());
  return ExitCode::Ok;
}

}  // namespace

Action declare_list(CLI::App& command) {
  auto wanted = std::make_shared<std::string>();
  auto markdown = std::make_shared<bool>(false);
  command.add_option(
      "what", *wanted,
      "workloads, mechanisms, schedulers, lanes, presets, keys or instructions; all but these without it");
  command.add_flag("--markdown", *markdown, "instructions as docs/ptx-support.md");
  return [wanted, markdown] { return list(*wanted, *markdown); };
}

}  // namespace heddle::cli
