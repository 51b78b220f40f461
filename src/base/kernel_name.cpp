#include "base/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace heddle {
namespace {

constexpr std::string_view kUnnamed = "(anonymous namespace)::";

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  std::string result = status == 0 ? text.get() : name;
  for (size_t at; (at = result.find(kUnnamed)) != std::string::npos;) result.erase(at, kUnnamed.size());
  return result;
}

// Where the parameters begin: at the bracket that the last one closes. The whole length if there are none.
size_t parameters_of(const std::string& text) {
  if (!text.ends_with(')')) return text.size();
  int depth = 0;
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return text.size();
}

// Where the name begins: behind the last space outside of brackets, where a template's return type ends.
size_t name_of(const std::string& text, size_t end) {
  int depth = 0;
  for (size_t at = end; at-- > 0;) {
    if (text[at] == ')' || text[at] == '>') ++depth;
    if (text[at] == '(' || text[at] == '<') --depth;
    if (text[at] == ' ' && depth == 0) return at + 1;
  }
  return 0;
}

}  // namespace

std::string name_with_parameters(const std::string& kernel) {
  const std::string text = demangled(kernel);
  return text.substr(name_of(text, parameters_of(text)));
}

std::string readable_name(const std::string& kernel) {
  const std::string text = name_with_parameters(kernel);
  return text.substr(0, parameters_of(text));
}

}  // namespace heddle
