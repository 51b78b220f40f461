#include "observe/range.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"

namespace heddle {
namespace {

uint64_t number_in(std::string_view number, const std::string& text, const std::string& what) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size())
    throw Error(ExitCode::Usage, fmt::format("'{}' is no range of {}: FROM:TO, FROM: or :TO", text, what));
  return value;
}

}  // namespace

Range range_of(const std::string& text, const std::string& what) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos || text.size() == 1) number_in("", text, what);
  const std::string_view from = std::string_view(text).substr(0, colon), to = std::string_view(text).substr(colon + 1);
  Range range;
  if (!from.empty()) range.from = number_in(from, text, what);
  if (!to.empty()) range.to = number_in(to, text, what);
  if (range.from >= range.to) throw Error(ExitCode::Usage, fmt::format("the range of {} '{}' is empty", what, text));
  return range;
}

}  // namespace heddle
