#include "library/launch_spec.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heddle::library {
namespace {

Error bad_option(std::string_view option, std::string_view why) {
  return Error(ExitCode::Usage, fmt::format("option {}: {}", option, why));
}

// One of two words.
bool is_first(std::string_view option, std::string_view value, std::string_view first, std::string_view second) {
  if (value != first && value != second) throw bad_option(option, fmt::format("expected {} or {}", first, second));
  return value == first;
}

void add_option(RunSpec& spec, std::string_view option) {
  const size_t equals = option.find('=');
  if (equals == std::string_view::npos) throw bad_option(option, "expected key=value");
  const std::string_view key = option.substr(0, equals), value = option.substr(equals + 1);
  if (key == "level") {
    spec.timed = is_first(option, value, "cycle", "emulate");
  } else if (key == "preset") {
    spec.preset = value;
  } else if (key == "mechanism") {
    spec.mechanism = value;
  } else if (key == "lanes") {
    spec.lanes = value;
  } else if (key == "schedule") {
    spec.schedule = value;
  } else if (key == "check") {
    spec.checks = check::CheckSet(value);
  } else if (key == "cooperative") {
    spec.launch.cooperative = is_first(option, value, "true", "false");
  } else if (key == "name") {
    spec.program = value;
  } else {
    spec.settings.emplace_back(option);
  }
}

std::string sizes(const unsigned (&size)[3]) { return fmt::format("{},{},{}", size[0], size[1], size[2]); }

}  // namespace

RunSpec spec_of(const heddle_launch& launch) {
  RunSpec spec;
  spec.kind = RunSpec::Kind::PtxFile;
  spec.program = "kernel.ptx";
  spec.timed = false;
  if (!launch.ptx || !*launch.ptx) throw Error(ExitCode::Usage, "no PTX text is given");
  if (!launch.arguments && launch.argument_count > 0)
    throw Error(ExitCode::Usage, fmt::format("{} arguments at NULL", launch.argument_count));
  spec.text = launch.ptx;
  if (launch.kernel) spec.kernel = launch.kernel;
  spec.launch.grid = sizes(launch.grid);
  spec.launch.block = sizes(launch.block);
  spec.launch.shared = launch.shared_bytes;
  for (const char* const* option = launch.options; option && *option; ++option) add_option(spec, *option);
  return spec;
}

}  // namespace heddle::library
