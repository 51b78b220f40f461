#include "config/config.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace heddle {
namespace {

// "kernel:4", or "4" for those that are not named.
struct Count {
  std::string_view kernel, number;
};
Count count_of(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {"", text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

bool parse_integer(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

struct Range {
  int64_t low = 0, high = INT64_MAX;
};
Range limits_of(const Key& key) {
  Range range;
  const auto limits = split(key.choices, ' ');
  if (limits.size() == 2) parse_integer(limits[0], range.low), parse_integer(limits[1], range.high);
  return range;
}

bool in_range(const Key& key, std::string_view text) {
  int64_t number = 0;
  const Range range = limits_of(key);
  return parse_integer(text, number) && number >= range.low && number <= range.high;
}

bool are_counts(const Key& key, std::string_view text) {
  const auto counts = split(text, ',');
  return !counts.empty() && std::all_of(counts.begin(), counts.end(), [&](std::string_view each) {
    return !each.starts_with(':') && in_range(key, count_of(each).number);
  });
}

std::vector<int64_t> numbers_in(std::string_view text) {
  std::vector<int64_t> numbers;
  for (std::string_view each : split(text, ',')) parse_integer(each, numbers.emplace_back());
  return numbers;
}

bool are_rising(const Key& key, std::string_view text) {
  const auto all = split(text, ',');
  const std::vector<int64_t> numbers = numbers_in(text);
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](auto each) { return in_range(key, each); }) &&
         std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end();
}

std::string range_of(const Key& key) {
  const Range range = limits_of(key);
  return fmt::format("from {} to {}", range.low, range.high);
}

toml::table parse(std::string_view text, std::string_view name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw Error(ExitCode::Usage, fmt::format("{}:{}:{}: {}", name, error.source().begin.line,
                                             error.source().begin.column, error.description()));
  }
}

std::string place_of(std::string_view file, const toml::node& node) {
  return fmt::format("{}:{}", file, node.source().begin.line);
}

std::string value_of(std::string_view key, const toml::node& node, std::string_view place) {
  if (const auto* string = node.as_string()) return string->get();
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  throw Error(ExitCode::Usage, fmt::format("{}: {} must be a number, a word or true/false", place, key));
}

Plausible plausible_of(std::string_view key, const toml::node& node, std::string_view place) {
  Plausible plausible{std::string(key), {}};
  const toml::array* values = node.as_array();
  if (!values || values->empty())
    throw Error(ExitCode::Usage, fmt::format("{}: the plausible values of {} must be a list", place, key));
  for (const toml::node& value : *values) plausible.values.push_back(value_of(key, value, place));
  return plausible;
}

}  // namespace

Config::Config(std::vector<Key> keys) : keys_(std::move(keys)) {
  for (const Key& key : keys_) values_.emplace_back(key.initial);
}

size_t Config::index_of(std::string_view name, std::string_view place) const {
  for (size_t i = 0; i < keys_.size(); ++i)
    if (keys_[i].name == name) return i;
  std::vector<std::string_view> names;
  for (const Key& key : keys_) names.push_back(key.name);
  throw Error(ExitCode::Usage, fmt::format("{}: unknown key '{}'{}", place, name, did_you_mean(name, names)));
}

void Config::check(size_t index, const std::string& value, std::string_view place) const {
  const Key& key = keys_[index];
  const auto refuse = [&](std::string_view expected) {
    throw Error(ExitCode::Usage, fmt::format("{}: '{}' is no value for {}: {}", place, value, key.name, expected));
  };
  switch (key.kind) {
    case Key::Kind::Boolean:
      if (value != "true" && value != "false") refuse("true or false");
      break;
    case Key::Kind::Choice: {
      const auto choices = split(key.choices, ' ');
      if (std::find(choices.begin(), choices.end(), value) == choices.end()) refuse("one of " + joined(choices));
      break;
    }
    case Key::Kind::Names:
    case Key::Kind::Text: break;
    case Key::Kind::Integer:
      if (!in_range(key, value)) refuse(fmt::format("a number {}", range_of(key)));
      break;
    case Key::Kind::Numbers:
      if (!are_rising(key, value))
        refuse(fmt::format("numbers {}, each larger than the one before, with commas between", range_of(key)));
      break;
    case Key::Kind::PerKernel:
      if (!are_counts(key, value))
        refuse(fmt::format("a number {}, or KERNEL:NUMBER with commas between", range_of(key)));
      break;
  }
}

void Config::assign(size_t index, std::string value, std::string_view place) {
  check(index, value, place);
  values_[index] = std::move(value);
}

void Config::set(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error(ExitCode::Usage, fmt::format("--set {}: expected key=value", assignment));
  const std::string place = fmt::format("--set {}", assignment);
  assign(index_of(assignment.substr(0, equals), place), std::string(assignment.substr(equals + 1)), place);
}

void Config::load_toml(std::string_view text, std::string_view name) {
  const toml::table table = parse(text, name);
  plausible_.clear();
  for (const auto& [key, node] : table) {
    if (key.str() == "summary" || (key.str() == "plausible" && node.is_table())) continue;
    const std::string place = place_of(name, node);
    assign(index_of(key.str(), place), value_of(key.str(), node, place), place);
  }
  const toml::table* plausible = table["plausible"].as_table();
  if (!plausible) return;
  for (const auto& [key, node] : *plausible) {
    const std::string place = place_of(name, node);
    const size_t index = index_of(key.str(), place);
    plausible_.push_back(plausible_of(key.str(), node, place));
    for (const std::string& value : plausible_.back().values) check(index, value, place);
  }
}

Config Config::only(std::span<const Key> keys) const {
  Config part({keys.begin(), keys.end()});
  for (size_t i = 0; i < keys.size(); ++i) part.values_[i] = text(keys[i].name);
  return part;
}

const std::string& Config::text(std::string_view key) const { return values_[index_of(key, "configuration")]; }
bool Config::boolean(std::string_view key) const { return text(key) == "true"; }
std::vector<int64_t> Config::numbers(std::string_view key) const { return numbers_in(text(key)); }
bool Config::names(std::string_view key, std::string_view kernel) const {
  const auto all = split(text(key), ',');
  return std::find(all.begin(), all.end(), kernel) != all.end();
}
int64_t Config::per_kernel(std::string_view key, std::string_view kernel) const {
  int64_t own = 0, others = 0;
  bool named = false;
  for (std::string_view each : split(text(key), ',')) {
    const Count count = count_of(each);
    if (count.kernel.empty()) parse_integer(count.number, others);
    if (count.kernel == kernel) named = parse_integer(count.number, own);
  }
  return named ? own : others;
}
std::vector<std::string_view> Config::kernels_named(const Key& key) const {
  std::vector<std::string_view> kernels;
  if (key.kind == Key::Kind::Names) kernels = split(text(key.name), ',');
  if (key.kind == Key::Kind::PerKernel)
    for (std::string_view each : split(text(key.name), ','))
      if (const Count count = count_of(each); !count.kernel.empty()) kernels.push_back(count.kernel);
  return kernels;
}
int64_t Config::integer(std::string_view key) const {
  int64_t value = 0;
  parse_integer(text(key), value);
  return value;
}

}  // namespace heddle
