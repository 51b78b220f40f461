#include "report/instruction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "program/isa.h"
#include "program/special.h"

namespace heddle {
namespace {

// "@rnd/approx" -> ".rn/.rz/.rm/.rp/.approx"
std::string choice(std::string_view text) {
  std::string result;
  for (std::string_view word : split(text, '/')) {
    if (!result.empty()) result += "/";
    if (word.starts_with('@')) {
      std::string members;
      for (std::string_view member : group_members(word))
        members += fmt::format("{}.{}", members.empty() ? "" : "/", member);
      result += members;
    } else {
      result += fmt::format(".{}", word);
    }
  }
  return result;
}

// What stands between opcode and type: optional choices in brackets.
std::string modifiers(const Form& form) {
  std::string result;
  for (std::string_view word : split(form.mods, ' ')) {
    const bool optional = word.ends_with('?');
    if (optional) word.remove_suffix(1);
    result += optional                                      ? fmt::format("[{}]", choice(word))
              : choice(word).find('/') == std::string::npos ? choice(word)
                                                            : fmt::format("({})", choice(word));
  }
  return result;
}

// "u32,s32<f16" -> ".u32/.s32 from .f16"
std::string types(const Form& form) {
  std::string result;
  for (std::string_view entry : split(form.types, ' ')) {
    std::string text = ".";
    for (char c : entry) {
      if (c == ',')
        text += "/.";
      else if (c == '<')
        text += " from .";
      else
        text += c;
    }
    result += (result.empty() ? "" : ", ") + text;
  }
  return result;
}

}  // namespace

std::string instruction_table() {
  std::string text;
  for (const Form& form : forms()) text += fmt::format("{:<12} {:<60} {}\n", form.opcode, modifiers(form), types(form));
  return text;
}

std::string instruction_table_markdown() {
  std::map<std::string_view, std::vector<const Form*>> by_opcode;
  for (const Form& form : forms()) by_opcode[form.opcode].push_back(&form);
  std::string text = fmt::format(
      "# PTX support\n\n"
      "Written by `heddle list instructions --markdown` from the table in `src/program/isa.cpp`: {} instructions in {} "
      "forms. Modifiers in brackets may be left out; of a choice in parentheses one must stand there. Their order does "
      "not matter. `A from B`: destination and source type. What is not here is reported when a module is loaded, with "
      "its place and the kernels it affects; other kernels of the module run.\n\n"
      "| instruction | modifiers | types |\n|---|---|---|\n",
      by_opcode.size(), forms().size());
  for (const auto& [opcode, rows] : by_opcode)
    for (const Form* form : rows) {
      const std::string mods = modifiers(*form);
      text += fmt::format("| `{}` | {} | {} |\n", opcode, mods.empty() ? "" : fmt::format("`{}`", mods), types(*form));
    }
  text += "\nBesides: calls of `vprintf` and `__assertfail`; the special registers ";
  std::string specials;
  for (std::string_view name : special_names()) specials += fmt::format("{}`{}`", specials.empty() ? "" : " ", name);
  return text + specials + " and the clocks.\n";
}

}  // namespace heddle
