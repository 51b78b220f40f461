#include "runtime/ptx_linker.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>

#include "ptx/lexer.h"

namespace heddle::runtime {
namespace {

using ptx::Token;
using ptx::TokenKind;

// A declaration or definition at the module's own level, or a directive there.
struct Item {
  enum class Linkage { Local, Visible, Weak, Extern } linkage = Linkage::Local;
  std::string_view directive;  // .func, .global, .version …: the last that is none of linkage
  std::string_view name;
  bool defines = false;
  size_t begin = 0, end = 0;  // tokens
};

struct Unit {
  explicit Unit(const std::string& text) : source("linked.ptx", text) {}
  ptx::Source source;
  std::vector<Token> tokens;
  std::vector<Item> items;
};

bool is_linkage(const Token& token, Item& item) {
  static const std::map<std::string_view, Item::Linkage> kNames = {{".visible", Item::Linkage::Visible},
                                                                   {".weak", Item::Linkage::Weak},
                                                                   {".common", Item::Linkage::Weak},
                                                                   {".extern", Item::Linkage::Extern}};
  const auto found = kNames.find(token.text);
  if (found == kNames.end()) return false;
  item.linkage = found->second;
  return true;
}

bool is_one_line(std::string_view directive) {
  for (const char* each : {".version", ".target", ".address_size", ".file"})
    if (directive == each) return true;
  return false;
}

// Takes a unit's tokens apart into items.
class Divider {
 public:
  explicit Divider(Unit& unit) : tokens_(unit.tokens), items_(unit.items) {}

  void divide() {
    while (at_ < tokens_.size()) items_.push_back(next());
  }

 private:
  Item next() {
    Item item;
    item.begin = at_;
    while (at_ < tokens_.size() && is_linkage(tokens_[at_], item)) ++at_;
    if (at_ < tokens_.size()) item.directive = tokens_[at_].text;
    if (is_one_line(item.directive))
      skip_line();
    else
      skip_declaration(item);
    item.end = at_;
    return item;
  }
  void skip_line() {
    const uint32_t line = tokens_[at_].place.line;
    while (at_ < tokens_.size() && tokens_[at_].place.line == line) ++at_;
  }
  // To its ';', or to the '}' of its body. The first word outside of brackets is its name.
  void skip_declaration(Item& item) {
    const bool is_code = item.directive == ".func" || item.directive == ".entry" || item.directive == ".section";
    item.defines = !is_code && item.linkage != Item::Linkage::Extern;
    int depth = 0;
    for (; at_ < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      if (depth == 0 && token.kind == TokenKind::Word && item.name.empty()) item.name = token.text;
      if (token.is('{') || token.is('(') || token.is('[')) ++depth;
      if (token.is('}') || token.is(')') || token.is(']')) --depth;
      if (depth > 0) continue;
      if (is_code && token.is('}')) item.defines = true;
      if (token.is(';') || (is_code && token.is('}'))) break;
    }
    if (at_ < tokens_.size()) ++at_;  // a text that is cut off has no end of it
  }

  const std::vector<Token>& tokens_;
  std::vector<Item>& items_;
  size_t at_ = 0;
};

void read(Unit& unit) {
  ptx::Lexer lexer(unit.source);
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) unit.tokens.push_back(token);
  Divider(unit).divide();
}

bool defines(const Unit& unit, std::string_view name) {
  return std::any_of(unit.items.begin(), unit.items.end(), [&](const Item& item) {
    return item.defines && item.linkage != Item::Linkage::Local && item.name == name;
  });
}

bool is_device_runtime(const Unit& unit) { return defines(unit, "cudaGetParameterBufferV2"); }

// Does another unit ask for something that this one has?
bool is_asked_for(const Unit& unit, const std::vector<std::unique_ptr<Unit>>& all) {
  for (const auto& other : all)
    for (const Item& item : other->items)
      if (other.get() != &unit && item.linkage == Item::Linkage::Extern && defines(unit, item.name)) return true;
  return false;
}

class Linker {
 public:
  std::string link(const std::vector<std::unique_ptr<Unit>>& units) {
    for (const auto& unit : units)
      for (const Item& item : unit->items)
        if (item.defines) enter(*unit, item);
    for (const auto& unit : units) append(*unit);
    return std::move(text_);
  }

 private:
  using Linkage = Item::Linkage;

  // Who keeps the name: a definition for all before a weak one, that before one of a single unit.
  static int rank(const Item& item) {
    return item.linkage == Linkage::Visible ? 2 : item.linkage == Linkage::Weak ? 1 : 0;
  }
  void enter(const Unit& unit, const Item& item) {
    const auto [entry, added] = owners_.try_emplace(item.name, &unit, &item);
    if (!added && rank(item) > rank(*entry->second.second)) entry->second = {&unit, &item};
  }

  bool stays(const Unit& unit, const Item& item) {
    if (item.directive == ".version" || item.directive == ".target" || item.directive == ".address_size")
      return headed_.insert(item.directive).second;
    if (item.directive == ".section") return false;
    if (item.directive == ".file" || item.name.empty()) return true;
    const auto owner = owners_.find(item.name);
    if (owner == owners_.end()) return declared_.insert(item.name).second;
    if (item.linkage == Linkage::Local && item.defines) return true;
    return item.defines ? owner->second == std::pair(&unit, &item) : owner->second.first == &unit;
  }

  void append(const Unit& unit) {
    std::set<std::string_view> renamed;
    for (const Item& item : unit.items)
      if (item.defines && item.linkage == Linkage::Local && owners_.at(item.name).first != &unit)
        renamed.insert(item.name);
    const unsigned files = files_;
    for (const Item& item : unit.items)
      if (stays(unit, item)) append(unit, item, renamed, files);
    ++units_;
  }

  void append(const Unit& unit, const Item& item, const std::set<std::string_view>& renamed, unsigned files) {
    const char* written = unit.tokens[item.begin].text.data();
    for (size_t i = item.begin; i < item.end; ++i) {
      const Token& token = unit.tokens[i];
      text_.append(written, token.text.data());
      written = token.end();
      if (token.kind == TokenKind::Word && renamed.contains(token.text))
        text_ += fmt::format("{}__unit{}", token.text, units_);
      else if (token.kind == TokenKind::Number && i > item.begin && is_before_file(unit.tokens[i - 1]))
        text_ += std::to_string(file(token.text, files));
      else
        text_ += token.text;
    }
    text_ += '\n';
  }

  static bool is_before_file(const Token& token) {
    return token.text == ".file" || token.text == ".loc" || token.text == "inlined_at";
  }
  unsigned file(std::string_view number, unsigned files) {
    unsigned value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    files_ = std::max(files_, files + value);
    return files + value;
  }

  std::map<std::string_view, std::pair<const Unit*, const Item*>> owners_;  // of names that are defined
  std::set<std::string_view> headed_, declared_;
  std::string text_;
  unsigned files_ = 0, units_ = 0;
};

}  // namespace

std::string link_ptx(const std::vector<std::string>& modules) {
  std::vector<std::unique_ptr<Unit>> units;
  for (const std::string& text : modules) {
    units.push_back(std::make_unique<Unit>(text));
    read(*units.back());
  }
  std::erase_if(units, [&](const auto& unit) { return is_device_runtime(*unit) && !is_asked_for(*unit, units); });
  return Linker().link(units);
}

}  // namespace heddle::runtime
