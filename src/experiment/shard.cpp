#include "experiment/shard.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"

namespace heddle {
namespace {

bool read_number(std::string_view text, size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Shard Shard::of(std::string_view text) {
  const size_t slash = text.find('/');
  size_t number = 0, count = 0;
  const bool read = slash != std::string_view::npos && read_number(text.substr(0, slash), number) &&
                    read_number(text.substr(slash + 1), count);
  if (!read || number < 1 || number > count)
    throw Error(ExitCode::Usage, fmt::format("'{}' is no part of a whole: 1/4 to 4/4 are those of four", text));
  return {number - 1, count};
}

}  // namespace heddle
