// A table of a TOML file, read key by key: a key that nobody asked for is an error that names the nearest.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class TomlReader {
 public:
  TomlReader(const toml::table& table, std::string file);

  std::optional<std::string> text(std::string_view key);
  std::string required_text(std::string_view key);
  std::optional<double> number(std::string_view key);
  bool boolean(std::string_view key, bool otherwise);
  // "a" or ["a", "b"]; empty if it is not there.
  std::vector<std::string> texts(std::string_view key);
  const toml::node* node(std::string_view key);  // or null
  const toml::table* table(std::string_view key);
  const toml::array* array(std::string_view key);
  void finish() const;  // Error if a key is left that was not asked for

  std::string place() const { return place_of(table_); }
  std::string place_of(const toml::node& node) const;
  std::vector<std::string> texts_of(const toml::node& node, std::string_view key) const;

 private:
  [[noreturn]] void refuse(const toml::node& node, std::string_view key, std::string_view expected) const;

  const toml::table& table_;
  std::string file_;
  std::vector<std::string> asked_;
};

}  // namespace heddle
