#include "base/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string marked(std::string_view code, std::string_view text, std::FILE* stream) {
  return has_colours(stream) ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

}  // namespace

bool has_colours(std::FILE* stream) {
  return variable("NO_COLOR").empty() && variable("TERM") != "dumb" && isatty(fileno(stream));
}

std::string bold(std::string_view text, std::FILE* stream) { return marked("1", text, stream); }
std::string red(std::string_view text, std::FILE* stream) { return marked("1;31", text, stream); }
std::string green(std::string_view text, std::FILE* stream) { return marked("32", text, stream); }
std::string yellow(std::string_view text, std::FILE* stream) { return marked("1;33", text, stream); }

}  // namespace heddle
