#include "experiment/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle {

TomlReader::TomlReader(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

std::string TomlReader::place_of(const toml::node& node) const {
  return fmt::format("{}:{}", file_, node.source().begin.line);
}

void TomlReader::refuse(const toml::node& node, std::string_view key, std::string_view expected) const {
  throw Error(ExitCode::Usage, fmt::format("{}: {}: expected {}", place_of(node), key, expected));
}

const toml::node* TomlReader::node(std::string_view key) {
  asked_.emplace_back(key);
  return table_.get(key);
}

std::optional<std::string> TomlReader::text(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_string()) refuse(*found, key, "a text");
  return found->value<std::string>();
}

std::string TomlReader::required_text(std::string_view key) {
  std::optional<std::string> found = text(key);
  if (!found) throw Error(ExitCode::Usage, fmt::format("{}: '{}' is missing", place(), key));
  return *found;
}

std::optional<double> TomlReader::number(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_number()) refuse(*found, key, "a number");
  return found->value<double>();
}

bool TomlReader::boolean(std::string_view key, bool otherwise) {
  const toml::node* found = node(key);
  if (!found) return otherwise;
  if (!found->is_boolean()) refuse(*found, key, "true or false");
  return *found->value<bool>();
}

std::vector<std::string> TomlReader::texts_of(const toml::node& node, std::string_view key) const {
  if (node.is_string()) return {*node.value<std::string>()};
  if (!node.is_array()) refuse(node, key, "a text or a list of texts");
  std::vector<std::string> result;
  for (const toml::node& each : *node.as_array()) {
    if (!each.is_string()) refuse(each, key, "a text");
    result.push_back(*each.value<std::string>());
  }
  return result;
}

std::vector<std::string> TomlReader::texts(std::string_view key) {
  const toml::node* found = node(key);
  return found ? texts_of(*found, key) : std::vector<std::string>{};
}

const toml::table* TomlReader::table(std::string_view key) {
  const toml::node* found = node(key);
  if (found && !found->is_table()) refuse(*found, key, "a table");
  return found ? found->as_table() : nullptr;
}

const toml::array* TomlReader::array(std::string_view key) {
  const toml::node* found = node(key);
  if (found && !found->is_array()) refuse(*found, key, "a list");
  return found ? found->as_array() : nullptr;
}

void TomlReader::finish() const {
  const std::vector<std::string_view> known(asked_.begin(), asked_.end());
  for (const auto& [key, node] : table_)
    if (std::find(known.begin(), known.end(), key.str()) == known.end())
      throw Error(ExitCode::Usage,
                  fmt::format("{}: unknown key '{}'{}", place_of(node), key.str(), did_you_mean(key.str(), known)));
}

}  // namespace heddle
