// heddle report: results as one web page.
#include <fmt/format.h>

#include <memory>

#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/verb.h"
#include "report/page/page.h"

namespace heddle::cli {
namespace {

struct ReportOptions {
  std::string results, output = "report.html";
  bool quiet = false;
};

ExitCode report(const ReportOptions& options) {
  const ReportData results = read_report_data(options.results);
  for (const std::string& file : results.ignored) print_warning(fmt::format("left out: {}", file));
  OutputFile page(options.output);
  try {
    page.write(report_html(results, fmt::format("heddle report {} -o {}", options.results, options.output)));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ExitCode::Usage,
                fmt::format("'{}' is not as heddle writes it (docs/json.md): {}", options.results, error.what()));
  }
  if (!options.quiet && !page.to_stdout())
    fmt::print("{}: {} runs, {} profiles, {} tables of claims, {} validations\n", options.output, results.runs.size(),
               results.profiles.size(), results.claims.size(), results.validations.size());
  return ExitCode::Ok;
}

}  // namespace

Action declare_report(CLI::App& command) {
  auto options = std::make_shared<ReportOptions>();
  command
      .add_option(
          "results", options->results,
          "JSON of run, compare, sweep, profile, reproduce or validate, or a folder with such files, at any depth")
      ->required();
  command.add_option("-o,--output", options->output, "the page; - is standard output")->capture_default_str();
  command.add_flag("--quiet", options->quiet, "print errors only");
  return [options] { return report(*options); };
}

}  // namespace heddle::cli
