#include "cli/check_options.h"

#include <fmt/format.h>

#include "report/check_report.h"

namespace heddle::cli {

void CheckOptions::declare(CLI::App& command) {
  command.add_option("--check", names,
                     "look for what is right only by luck: race, sync, init, leak, several with commas, or all "
                     "(docs/checks.md); what is found makes heddle end with 9");
}

void CheckOptions::add_to(RunSpec& spec) const {
  if (!names.empty()) spec.checks = check::CheckSet(names);
}

ExitCode CheckOptions::finish(const RunResult& result, ExitCode code) const {
  if (result.spec.checks.empty()) return code;
  std::fflush(stdout);
  fmt::print(stderr, "{}", check_text(result));
  return code == ExitCode::Ok && check::harmful(result.findings) > 0 ? ExitCode::Found : code;
}

}  // namespace heddle::cli
