// What goes to standard error.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "base/terminal.h"

namespace heddle::cli {

inline void print_message(std::string_view kind, std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::fflush(stdout);
  fmt::print(stderr, "heddle: {}: {}\n", kind, text);
}
inline void print_error(std::string_view text) { print_message(red("error", stderr), text); }
inline void print_warning(std::string_view text) { print_message(yellow("warning", stderr), text); }

}  // namespace heddle::cli
