// heddle help: the same as --help.
#include "cli/help.h"

#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "base/terminal.h"
#include "cli/verb.h"

namespace heddle::cli {

std::string with_headings(const std::string& help, std::FILE* stream) {
  std::istringstream lines(help);
  std::string text;
  bool blank = false;
  for (std::string line; std::getline(lines, line); blank = line.empty()) {
    if (line.empty() && blank) continue;  // between groups of options there are two
    const bool heading = !line.empty() && line.front() != ' ' && line.ends_with(':');
    text += (heading ? bold(line, stream) : line) + "\n";
  }
  return text;
}

Action declare_help(CLI::App& command) {
  auto verb = std::make_shared<std::string>();
  command.add_option("verb", *verb, "the verb to explain; all of them without it");
  return [verb, &command] {
    const CLI::App& all = *command.get_parent();
    const auto asked = all.get_subcommands([&](const CLI::App* each) { return each->get_name() == *verb; });
    if (asked.empty() && !verb->empty())
      throw Error(ExitCode::Usage, fmt::format("no verb '{}' (see heddle --help)", *verb));
    // Asked for its own help, an app would show that of the verb that was given, which is this one.
    const std::string help = asked.empty()
                                 ? all.get_formatter()->make_help(&all, all.get_name(), CLI::AppFormatMode::Normal)
                                 : asked.front()->help(all.get_name());
    fmt::print("{}", with_headings(help, stdout));
    return ExitCode::Ok;
  };
}

}  // namespace heddle::cli
