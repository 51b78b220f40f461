// Emphasis for those who read on a terminal: none in files and pipes, none where NO_COLOR is set (no-color.org) or the
// terminal is dumb.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace heddle {

bool has_colours(std::FILE* stream);

// The text as it is where the stream has no colours.
std::string bold(std::string_view text, std::FILE* stream);
std::string red(std::string_view text, std::FILE* stream);
std::string green(std::string_view text, std::FILE* stream);
std::string yellow(std::string_view text, std::FILE* stream);

}  // namespace heddle
