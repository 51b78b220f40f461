// Which form of the table a written instruction is.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "program/isa.h"

namespace heddle {
namespace {

using ptx::Type;

// Instructions that PTX has and heddle has not, by what they belong to.
struct LeftOut {
  std::string_view what;
  std::vector<std::string_view> opcodes;
};
const std::vector<LeftOut>& left_out() {
  static const std::vector<LeftOut> table = {
      {"atomics on surfaces, and questions of types of images", {"sured", "istypep"}},
      {"tensor-core instructions of several warps", {"wgmma", "tcgen05"}},
      {"cluster and multi-device instructions", {"mapa", "getctarank", "multimem", "clusterlaunchcontrol"}},
      {"tensor maps", {"tensormap"}},
  };
  return table;
}

// Variants of instructions that heddle has, told by one modifier. Without an opcode it is so for all of them.
struct LeftOutVariant {
  std::string_view opcode, modifier, what;
};
constexpr LeftOutVariant kLeftOutVariants[] = {
    {"", "shared::cluster", "clusters and their shared memory"},
    {"barrier", "cluster", "clusters and their barriers"},
    {"cp", "tensor", "tensor maps"},
    {"cp", "multicast::cluster", "clusters and their shared memory"},
    {"fence", "tensormap::generic", "tensor maps"},
    {"mma", "sp", "sparse matrices"},
    {"mma", "sp::ordered_metadata", "sparse matrices"},
    {"prefetch", "tensormap", "tensor maps"},
    {"sust", "p", "formatted stores to surfaces"},
    {"suq", "memory_layout", "the layouts of surfaces"},
    {"tex", "2dms", "multi-sample textures"},
    {"tex", "a2dms", "multi-sample textures"},
    {"tex", "f16", "textures read as halves"},
    {"tex", "f16x2", "textures read as halves"},
    {"txq", "num_samples", "multi-sample textures"},
};

// What is to be said of a variant that is left out, or "".
std::string left_out_variant(std::string_view opcode, std::span<const std::string> modifiers) {
  const auto has = [&](std::string_view word) {
    return std::find(modifiers.begin(), modifiers.end(), word) != modifiers.end();
  };
  const bool own_block = opcode == "cp" && has("global");  // where there are no clusters, a block is its own
  for (const LeftOutVariant& each : kLeftOutVariants) {
    if (!each.opcode.empty() && each.opcode != opcode) continue;
    if (each.opcode.empty() && own_block) continue;
    if (has(each.modifier))
      return fmt::format("'{}' with '.{}' is not supported: {} are left out", opcode, each.modifier, each.what);
  }
  return "";
}

std::string unknown_opcode(std::string_view opcode, const std::vector<std::string_view>& names) {
  for (const LeftOut& group : left_out())
    if (std::find(group.opcodes.begin(), group.opcodes.end(), opcode) != group.opcodes.end())
      return fmt::format("'{}' is not supported: {} are left out", opcode, group.what);
  return fmt::format("unknown instruction '{}'{}", opcode, did_you_mean(opcode, names));
}

// A form made ready for matching.
struct Compiled {
  struct Choice {
    ModSet words;
    bool optional;
  };
  const Form* form;
  ModSet allowed;
  std::vector<Choice> choices;
  struct Types {
    std::vector<Type> columns[4];
  };
  std::vector<Types> types;  // empty: the instruction has none
};

void add_words(std::string_view word, ModSet& set) {
  if (word.starts_with('@')) {
    for (std::string_view member : group_members(word)) add_words(member, set);
    return;
  }
  const auto mod = mod_named(word);
  require(mod.has_value(), "the instruction table names an unknown modifier");
  set.set(static_cast<size_t>(*mod));
}

Compiled compile(const Form& form) {
  Compiled compiled{&form, {}, {}, {}};
  for (std::string_view word : split(form.mods, ' ')) {
    Compiled::Choice choice{{}, word.ends_with('?')};
    if (choice.optional) word.remove_suffix(1);
    for (std::string_view one : split(word, '/')) add_words(one, choice.words);
    compiled.allowed |= choice.words;
    compiled.choices.push_back(choice);
  }
  for (std::string_view entry : split(form.types, ' ')) {
    Compiled::Types types;
    size_t column = 0;
    for (std::string_view list : split(entry, '<')) {
      for (std::string_view name : split(list, ',')) types.columns[column].push_back(*ptx::type_named(name));
      ++column;
    }
    compiled.types.push_back(types);
  }
  return compiled;
}

const std::unordered_map<std::string_view, std::vector<Compiled>>& table() {
  static const auto by_opcode = [] {
    std::unordered_map<std::string_view, std::vector<Compiled>> map;
    for (const Form& form : forms()) map[form.opcode].push_back(compile(form));
    return map;
  }();
  return by_opcode;
}

bool types_fit(const Compiled& form, const std::vector<Type>& types) {
  if (form.types.empty()) return types.empty();
  return std::any_of(form.types.begin(), form.types.end(), [&](const Compiled::Types& row) {
    for (size_t column = 0; column < 4; ++column) {
      const auto& legal = row.columns[column];
      if (column >= types.size()) return legal.empty();
      if (std::find(legal.begin(), legal.end(), types[column]) == legal.end()) return false;
    }
    return types.size() <= 4;
  });
}

bool choices_fit(const Compiled& form, const ModSet& mods) {
  if ((mods & ~form.allowed).any()) return false;
  return std::all_of(form.choices.begin(), form.choices.end(), [&](const Compiled::Choice& choice) {
    const size_t chosen = (mods & choice.words).count();
    return chosen == 1 || (chosen == 0 && choice.optional);
  });
}

std::string explain(std::string_view opcode, const std::vector<Compiled>& candidates, const ModSet& mods,
                    const std::vector<Type>& types) {
  for (size_t i = 0; i < mods.size(); ++i) {
    if (!mods[i]) continue;
    const bool known = std::any_of(candidates.begin(), candidates.end(), [&](auto& c) { return c.allowed[i]; });
    if (!known) return fmt::format("'{}' has no modifier '.{}'", opcode, name_of(static_cast<Mod>(i)));
  }
  const bool types_known =
      std::any_of(candidates.begin(), candidates.end(), [&](auto& c) { return types_fit(c, types); });
  std::string listed;
  for (Type t : types) listed += fmt::format(".{}", ptx::name_of(t));
  if (!types_known) {
    if (types.empty()) return fmt::format("'{}' needs a type", opcode);
    return fmt::format("'{}' does not exist for the type '{}'", opcode, listed);
  }
  return fmt::format("this combination of modifiers does not exist for '{}'", opcode);
}

bool is_layout(std::string_view word) { return word == "row" || word == "col"; }

// The word at `at`; the layouts of two matrices, whose order matters, are one.
std::string next_word(std::span<const std::string> modifiers, size_t& at) {
  const std::string& word = modifiers[at++];
  if (!is_layout(word) || at == modifiers.size() || !is_layout(modifiers[at])) return word;
  return word + "." + modifiers[at++];
}

}  // namespace

Match match(std::string_view opcode, std::span<const std::string> modifiers, std::string& why) {
  const auto found = table().find(opcode);
  if (found == table().end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, forms] : table()) names.push_back(name);
    why = unknown_opcode(opcode, names);
    return {};
  }
  if (why = left_out_variant(opcode, modifiers); !why.empty()) return {};
  Match result;
  std::vector<Type> types;
  for (size_t at = 0; at < modifiers.size();) {
    const std::string word = next_word(modifiers, at);
    if (const auto mod = mod_named(word)) {
      result.mods.set(static_cast<size_t>(*mod));
    } else if (const auto type = ptx::type_named(word)) {
      types.push_back(*type);
    } else {
      why = fmt::format("unknown modifier '.{}' on '{}'", word, opcode);
      return {};
    }
  }
  for (const Compiled& candidate : found->second) {
    if (!types_fit(candidate, types) || !choices_fit(candidate, result.mods)) continue;
    result.form = candidate.form;
    result.type = types.empty() ? Type::None : types[0];
    result.source_type = types.size() > 1 ? types[1] : result.type;
    result.second_source_type = types.size() > 2 ? types[2] : result.source_type;
    result.third_source_type = types.size() > 3 ? types[3] : result.second_source_type;
    return result;
  }
  why = explain(opcode, found->second, result.mods, types);
  return {};
}

}  // namespace heddle
