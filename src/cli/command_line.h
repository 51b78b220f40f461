// The command line: picks the verb, runs it, turns errors into a message and an exit code.
#pragma once

namespace heddle::cli {

int run_command_line(int argc, const char* const* argv);

}  // namespace heddle::cli
