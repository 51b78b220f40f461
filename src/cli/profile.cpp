// heddle profile: what each line and each branch of a kernel costs.
#include "report/profile/profile.h"

#include <fmt/format.h>

#include <memory>

#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/program_options.h"
#include "cli/verb.h"
#include "divergence/registry.h"
#include "report/page/page.h"
#include "run/command.h"

namespace heddle::cli {
namespace {

struct ProfileOptions : ProgramOptions {
  unsigned rows = 15;
  std::string html;
};

ExitCode profile(const ProfileOptions& options) {
  if (options.machine.json == "-" && options.html == "-")
    throw Error(ExitCode::Usage, "--html and --json cannot both be standard output");
  RunSpec spec = options.complete();
  spec.instruments.add("profile");
  if (mechanism_named(spec.mechanism).bound)
    throw Error(ExitCode::Usage,
                fmt::format("'{}' is a bound, which loses no lanes: there is nothing to profile", spec.mechanism));
  OutputFile json(options.machine.json), page(options.html);
  RunHooks hooks;
  if (!options.machine.quiet) hooks.warn = &print_warning;
  const RunResult result = run_program(spec, std::move(hooks), !options.machine.quiet);
  const Profile measured = profile_of(result);
  if (!options.machine.quiet && !json.to_stdout() && !page.to_stdout() && !result.launches.empty())
    fmt::print("{}", profile_table(result, measured, options.rows));
  auto data = profile_json(result, measured);
  json.write(data);
  ReportData report;
  report.add(data);
  if (page.wanted()) page.write(report_html(report, command_of(spec)));
  return print_verdict(result);
}

}  // namespace

Action declare_profile(CLI::App& command) {
  auto options = std::make_shared<ProfileOptions>();
  options->declare(command);
  command.add_option("--rows", options->rows, "lines and branches shown, the costliest first; 0: all")
      ->capture_default_str();
  command.add_option("--html", options->html, "write it as a web page, with the source");
  return [options] { return profile(*options); };
}

}  // namespace heddle::cli
