// Parameters: every key is declared once with its default and a line of documentation; values come from a TOML
// preset and from --set, later ones win. A key nobody declared is an error that names the nearest.
//
// A preset may say which other values of a key are as plausible (table `plausible`: key = [values]), for those who ask
// how much hangs on what nobody knows.
//
// Who declares a key reads it: a component is given the Config of its own keys (only()), so that it cannot read
// another's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct Key {
  // Names: of kernels, separated by commas. Numbers: likewise, each larger than the one before. PerKernel: a number, or
  // numbers for kernels: "4", "first:2,second:8". Text: anything.
  enum class Kind : uint8_t { Integer, Boolean, Choice, Names, Numbers, PerKernel, Text };
  std::string_view name;
  Kind kind;
  std::string_view initial;
  std::string_view summary;
  std::string_view choices = "";  // Choice: "a b c". Integer, Numbers, PerKernel: "min max", or ""
  bool timed = false;             // of a mechanism: counts at cycle level only
};

struct Plausible {
  std::string key;
  std::vector<std::string> values;
};

// The key of "key=value".
inline std::string_view key_of(std::string_view assignment) { return assignment.substr(0, assignment.find('=')); }

class Config {
 public:
  explicit Config(std::vector<Key> keys);

  // Error (Usage) with file and line. `summary`, what the file says of itself, is no parameter.
  void load_toml(std::string_view text, std::string_view name);
  void set(std::string_view assignment);         // "key=value"
  Config only(std::span<const Key> keys) const;  // some of the keys, with their values

  int64_t integer(std::string_view key) const;
  bool boolean(std::string_view key) const;
  const std::string& text(std::string_view key) const;
  std::vector<int64_t> numbers(std::string_view key) const;
  bool names(std::string_view key, std::string_view kernel) const;          // is it among the names?
  int64_t per_kernel(std::string_view key, std::string_view kernel) const;  // 0 where nothing is said of it
  std::vector<std::string_view> kernels_named(const Key& key) const;        // in the key's value

  std::span<const Key> keys() const { return keys_; }
  std::span<const Plausible> plausible() const { return plausible_; }  // as the preset that was loaded last has them

 private:
  size_t index_of(std::string_view key, std::string_view place) const;
  void check(size_t index, const std::string& value, std::string_view place) const;
  void assign(size_t index, std::string value, std::string_view place);

  std::vector<Key> keys_;
  std::vector<std::string> values_;
  std::vector<Plausible> plausible_;
};

}  // namespace heddle
