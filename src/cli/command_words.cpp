#include "cli/command_words.h"

#include <algorithm>

#include "divergence/lane_map.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"
#include "gpu/presets.h"
#include "schedule/registry.h"
#include "workloads/workload.h"

namespace heddle::cli {
namespace {

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> keys() {
  std::vector<std::string> words;
  const Config config = make_config();
  for (const Key& key : config.keys()) words.push_back(std::string(key.name) + "=");
  return words;
}

std::vector<std::string> choices_of(const std::string& option) {
  if (option == "--mechanism" || option == "--mechanisms" || option == "--what-if") return names_of(mechanisms());
  if (option == "--lanes") return names_of(LaneMap::all());
  if (option == "--schedule") return names_of(schedulers());
  if (option == "--preset") return names_of(all_presets());
  if (option == "--set") return keys();
  if (option == "--size") return {"tiny", "small", "paper"};
  return {};
}

std::vector<std::string> choices_of_verb(const std::string& verb) {
  if (verb == "run" || verb == "compare" || verb == "profile" || verb == "disasm") return names_of(workloads::all());
  if (verb == "list")
    return {"workloads", "mechanisms", "schedulers", "lanes", "presets", "keys", "instructions", "cuda"};
  return {};
}

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  if (option.get_expected_max() != 0)  // no flag
    words.value = option.get_type_name().empty() ? "TEXT" : option.get_type_name();
  words.summary = option.get_description();
  words.group = option.get_group();
  words.choices = choices_of(words.names.back());
  return words;
}

std::string usage_of(const CLI::App& verb) {
  std::string usage;
  for (const CLI::Option* option : verb.get_options())
    if (option->get_positional())
      usage += option->get_required() ? " " + option->get_name() : " [" + option->get_name() + "]";
  return usage;
}

}  // namespace

std::vector<VerbWords> command_words(const CLI::App& app) {
  std::vector<VerbWords> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
    VerbWords words;
    words.name = verb->get_name();
    words.summary = verb->get_description();
    words.usage = usage_of(*verb);
    words.group = verb->get_group();
    words.examples = verb->get_footer();
    words.choices = choices_of_verb(words.name);
    for (const CLI::Option* option : verb->get_options())
      if (option->nonpositional()) words.options.push_back(words_of(*option));
    const std::vector<std::string> groups = verb->get_groups();  // in the order of their first options, as in --help
    std::stable_sort(words.options.begin(), words.options.end(), [&](const OptionWords& a, const OptionWords& b) {
      return std::find(groups.begin(), groups.end(), a.group) < std::find(groups.begin(), groups.end(), b.group);
    });
    verbs.push_back(std::move(words));
  }
  return verbs;
}

}  // namespace heddle::cli
