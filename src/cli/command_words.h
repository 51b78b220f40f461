// The command line as completions and manual pages tell it: verbs, their options, and what values those take. Taken
// from what the verbs declare, so that it cannot fall behind.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace heddle::cli {

struct OptionWords {
  std::vector<std::string> names;  // "-o", "--output"
  std::string value;               // "TEXT"; "" for a flag
  std::string summary, group;
  std::vector<std::string> choices;  // values to offer; none: files
};

struct VerbWords {
  std::string name, summary, usage, group, examples;
  std::vector<OptionWords> options;
  std::vector<std::string> choices;  // for what is no option; files are offered too
};

// Verbs that help shows, in its order.
std::vector<VerbWords> command_words(const CLI::App& app);

}  // namespace heddle::cli
