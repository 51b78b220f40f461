// The C functions: nothing of C++ gets out, no exception either.
#include "library/heddle.h"

#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "library/host_arguments.h"
#include "library/launch_spec.h"
#include "library/plain_surroundings.h"
#include "report/check_report.h"
#include "report/run_json.h"
#include "run/runner.h"

struct heddle_result {
  std::string error, warnings, printed, json;
};

namespace heddle::library {
namespace {

ExitCode verdict(const RunResult& run, heddle_result& result) {
  if (run.failure) {
    result.error = run.failure->message;
    return run.failure->code;
  }
  if (check::harmful(run.findings) == 0) return ExitCode::Ok;
  result.error = check_text(run);
  return ExitCode::Found;
}

ExitCode run(const heddle_launch& launch, heddle_result& result) {
  RunSpec spec = spec_of(launch);
  HostArguments arguments({launch.arguments, launch.argument_count});
  spec.launch.arguments = arguments.in_words();
  check_runs({&spec, 1});
  RunHooks hooks;
  hooks.warn = [&](const std::string& text) { result.warnings += text + '\n'; };
  hooks.arguments = &arguments;
  hooks.printed = &result.printed;
  const RunResult run = execute(spec, hooks);
  const ExitCode code = verdict(run, result);
  if (run.launches.empty()) return code;
  nlohmann::ordered_json json = run_json(run);
  json["exit_code"] = static_cast<int>(code);
  result.json = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return code;
}

ExitCode run_or_say_why(const heddle_launch& launch, heddle_result& result) {
  const PlainSurroundings plain;
  try {
    return run(launch, result);
  } catch (const std::exception& error) {
    result.error = text_of(error);
    return code_of(error);
  }
}

}  // namespace
}  // namespace heddle::library

int heddle_run(const heddle_launch* launch, heddle_result** result) {
  if (result) *result = nullptr;
  std::unique_ptr<heddle_result> made(new (std::nothrow) heddle_result);
  if (!made) return HEDDLE_HOST;
  if (!launch) made->error = "no launch is given";
  const int code = launch ? static_cast<int>(heddle::library::run_or_say_why(*launch, *made)) : HEDDLE_USAGE;
  if (result) *result = made.release();
  return code;
}

const char* heddle_error(const heddle_result* result) { return result ? result->error.c_str() : ""; }
const char* heddle_warnings(const heddle_result* result) { return result ? result->warnings.c_str() : ""; }
const char* heddle_printed(const heddle_result* result) { return result ? result->printed.c_str() : ""; }
const char* heddle_json(const heddle_result* result) { return result ? result->json.c_str() : ""; }
void heddle_release(heddle_result* result) { delete result; }

const char* heddle_version() {
  static const std::string version(heddle::version());
  return version.c_str();
}
