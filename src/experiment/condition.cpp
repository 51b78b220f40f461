#include "experiment/condition.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/error.h"

namespace heddle {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

double number(std::string_view text, std::string_view whole, std::string_view place) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
  throw Error(ExitCode::Usage,
              fmt::format("{}: '{}' is no condition; expected > 1, >= 1, < 1, <= 1, = 1 or 0.9 .. 1.1", place, whole));
}

}  // namespace

Condition Condition::parse(std::string_view text, std::string_view place) {
  const std::string_view words = trimmed(text);
  Condition result;
  if (const size_t dots = words.find(".."); dots != std::string_view::npos) {
    result.low = number(words.substr(0, dots), text, place);
    result.high = number(words.substr(dots + 2), text, place);
    if (result.low > result.high) throw Error(ExitCode::Usage, fmt::format("{}: no number lies in '{}'", place, text));
    return result;
  }
  const bool with = words.size() > 1 && words[1] == '=';
  const auto rest = [&] { return number(words.substr(with ? 2 : 1), text, place); };
  if (words.starts_with('>')) {
    result.low = rest();
    result.with_low = with;
  } else if (words.starts_with('<')) {
    result.high = rest();
    result.with_high = with;
  } else if (words.starts_with('=')) {
    result.low = result.high = rest();
  } else {
    number("", text, place);
  }
  return result;
}

std::string Condition::text() const {
  if (std::isinf(low) && std::isinf(high)) return "any";
  if (std::isinf(high)) return fmt::format("{} {:g}", with_low ? ">=" : ">", low);
  if (std::isinf(low)) return fmt::format("{} {:g}", with_high ? "<=" : "<", high);
  if (low == high) return fmt::format("= {:g}", low);
  return fmt::format("{:g} .. {:g}", low, high);
}

}  // namespace heddle
