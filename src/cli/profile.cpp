// heddle profile: what each line and each branch of a kernel costs.
#include "report/profile/profile.h"

#include <fmt/format.h>

#include <memory>

#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/program_run.h"
#include "cli/verb.h"
#include "divergence/registry.h"
#include "report/page/page.h"

namespace heddle::cli {
namespace {

struct ProfileOptions : ProgramOptions {
  unsigned rows = 15;
  std::string html;
};

// The options that launch a kernel of a file again; a workload knows its launches.
std::string launch_of(const ProfileOptions& options) {
  std::string text;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : " ", name, value);
  };
  add("--kernel", options.kernel);
  add("--grid", options.grid);
  add("--block", options.block);
  if (options.shared > 0) add("--shared", std::to_string(options.shared));
  for (const std::string& argument : options.arguments) add("--arg", argument);
  return text + (options.cooperative ? " --cooperative" : "");
}

ExitCode profile(const ProfileOptions& options) {
  if (options.machine.json == "-" && options.html == "-")
    throw Error(ExitCode::Usage, "--html and --json cannot both be standard output");
  ProgramRun program(options);
  if (mechanism_named(options.mechanism).bound)
    throw Error(ExitCode::Usage,
                fmt::format("'{}' is a bound, which loses no lanes: there is nothing to profile", options.mechanism));
  GpuOptions how = program.gpu_options();
  how.instruments.profile = true;
  OutputFile json(options.machine.json), page(options.html);
  const RunResult result = program.run(std::move(how), true);
  const Profile measured = profile_of(result);
  if (!options.machine.quiet && !json.to_stdout() && !page.to_stdout() && !result.launches.empty())
    fmt::print("{}", profile_table(result, measured, options.rows));
  auto data = profile_json(result, measured);
  data["launch"] = launch_of(options);
  json.write(data);
  ReportData report;
  report.add(data);
  if (page.wanted()) page.write(report_html(report, fmt::format("heddle profile {} …", options.program)));
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
