// Help for the terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

namespace heddle::cli {

// The text with its headings in bold, where the stream has colours.
std::string with_headings(const std::string& help, std::FILE* stream);

}  // namespace heddle::cli
