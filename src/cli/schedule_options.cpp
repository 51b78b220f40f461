#include "cli/schedule_options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "run/command.h"
#include "run/schedules.h"

namespace heddle::cli {
namespace {

struct Scheduled {
  std::string outcome;
  bool differs = false;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A mechanism that cannot run it says nothing about the program.
Scheduled judged(const RunResult& result, const ProgramOutput& output, const ProgramOutput* expected) {
  if (result.failure && result.failure->code == ExitCode::Refused) return {first_line(result.failure->message)};
  if (result.failure) return {first_line(result.failure->message), true};
  if (result.check && !result.check->passed) return {"wrong: " + result.check->detail, true};
  if (!expected) return {"what the others are compared with"};
  std::string text = difference(output, *expected);
  const bool same = text.empty();
  return {same ? "the same" : std::move(text), !same};
}

}  // namespace

void ScheduleOptions::declare(CLI::App& command) {
  command.add_option("--schedules", count,
                     "run it so many times in emulation, by other mechanisms and in random orders of its warps, and "
                     "compare what it gives (docs/checks.md)");
}

ExitCode ScheduleOptions::run(const RunSpec& spec, const RunHooks& hooks, const std::string& json) const {
  OutputFile file(json);
  nlohmann::ordered_json data{{"schema", "heddle-schedules-1"}, {"runs", nlohmann::ordered_json::array()}};
  ProgramOutput expected;
  bool differs = false;
  for (const RunSpec& run : schedules_of(spec, count)) {
    ProgramOutput output;
    const bool first = data["runs"].empty();
    RunHooks own = hooks;
    own.stop = stop_on_interrupt();
    const RunResult result = execute(run, std::move(own), first ? expected : output);
    const Scheduled scheduled = judged(result, output, first ? nullptr : &expected);
    fmt::print(stderr, "{:<24} {}\n", schedule_text(run), scheduled.outcome);
    data["runs"].push_back({{"command", command_of(run)},
                            {"schedule", schedule_text(run)},
                            {"differs", scheduled.differs},
                            {"outcome", scheduled.outcome}});
    if (result.failure && result.failure->code == ExitCode::Interrupted) return ExitCode::Interrupted;
    differs = differs || scheduled.differs;
    if (first && scheduled.differs) break;  // there is nothing to compare with
  }
  data["differs"] = differs;
  file.write(data);
  return differs ? ExitCode::Found : ExitCode::Ok;
}

}  // namespace heddle::cli
