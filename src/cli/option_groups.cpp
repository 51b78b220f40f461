#include "cli/option_groups.h"

#include <string_view>

namespace heddle::cli {
namespace {

struct Group {
  const char* name;
  std::vector<std::string_view> members;
};

const Group kVerbGroups[] = {
    {"Run programs", {"run", "exec", "cc"}},
    {"Measure and compare", {"compare", "sweep", "reproduce", "validate", "profile", "view", "report"}},
    {"Look around", {"list", "disasm"}},
};

// By an option's first name.
const Group kOptionGroups[] = {
    {"Machine", {"preset", "mechanism", "mechanisms", "vary", "lanes", "schedule", "set", "emulate"}},
    {"Program", {"size", "compiler", "kernel", "grid", "block", "shared", "cooperative", "arg", "strict", "gallery"}},
    {"What is watched",
     {"check", "schedules", "taint", "scores", "branches", "sample", "sample-file", "profile", "what-if", "trace-steps",
      "trace-block", "trace-warp", "trace-slots", "timeline", "timeline-cycles", "events"}},
    {"Limits", {"max-slots", "max-cycles", "sample-launches", "no-skip", "threads", "jobs"}},
    {"More machines", {"shard", "slurm", "sbatch"}},
    {"Output",
     {"output", "json", "csv", "html", "markdown", "rows", "details", "keep-ptx", "results", "originals", "quiet"}},
};

template <class Groups>
const char* group_of(const Groups& groups, std::string_view name) {
  for (const Group& group : groups)
    if (std::find(group.members.begin(), group.members.end(), name) != group.members.end()) return group.name;
  return nullptr;
}

}  // namespace

void put_into_groups(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands({})) {
    if (const char* group = group_of(kVerbGroups, verb->get_name()); group && !verb->get_group().empty())
      verb->group(group);
    for (CLI::Option* option : verb->get_options()) {
      if (option->get_lnames().empty() || option->get_group() != "Options") continue;
      if (const char* group = group_of(kOptionGroups, option->get_lnames().front())) option->group(group);
    }
  }
}

}  // namespace heddle::cli
