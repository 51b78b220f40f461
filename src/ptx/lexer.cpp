#include "ptx/lexer.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace heddle::ptx {
namespace {

enum CharacterClass : uint8_t { Blank = 1, WordStart = 2, WordPart = 4, Digit = 8 };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> classes{};
  for (char c : {' ', '\t', '\r', '\n', '\v', '\f'}) classes[static_cast<unsigned char>(c)] = Blank;
  for (int c = '0'; c <= '9'; ++c) classes[c] = WordPart | Digit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = WordStart | WordPart;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = WordStart | WordPart;
  classes['_'] = classes['$'] = WordStart | WordPart;
  return classes;
}

constexpr std::array<uint8_t, 256> classes = make_classes();

bool is(char c, uint8_t wanted) { return (classes[static_cast<unsigned char>(c)] & wanted) != 0; }

const char* end_of_word(const char* at) {
  while (is(*at, WordPart)) ++at;  // stops at the NUL behind the text
  return at;
}

bool pairs_up(char first, char second) {
  switch (first) {
    case '<': return second == '<' || second == '=';
    case '>': return second == '>' || second == '=';
    case '=': return second == '=';
    case '!': return second == '=';
    case '&': return second == '&';
    case '|': return second == '|';
  }
  return false;
}

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == TokenKind::End) return "end of file";
  if (token.kind == TokenKind::String) return "a string";
  constexpr size_t longest = 60;
  if (token.text.size() > longest) return fmt::format("'{}…'", token.text.substr(0, longest));
  return fmt::format("'{}'", token.text);
}

Lexer::Lexer(const Source& source)
    : source_(&source), at_(source.text().data()), end_(at_ + source.text().size()), line_start_(at_) {
  if (source.text().starts_with("\xEF\xBB\xBF")) at_ += 3;
}

Place Lexer::place_of(const char* where) const { return {line_, static_cast<uint32_t>(where - line_start_) + 1}; }

Token Lexer::take(TokenKind kind, const char* end) {
  Token token{kind, 0, place_of(at_), std::string_view(at_, static_cast<size_t>(end - at_))};
  at_ = end;
  return token;
}

Token Lexer::next() {
  skip_blank();
  if (at_ == end_) return take(TokenKind::End, at_);
  const char c = *at_;
  if (is(c, WordStart)) return take(TokenKind::Word, end_of_word(at_ + 1));
  if (c == '.' && is(at_[1], WordPart)) {
    const bool fraction = is(at_[1], Digit) && (at_ == source_->text().data() || !is(at_[-1], WordPart));
    if (fraction) return take(TokenKind::Number, end_of_number(at_));
    return take(TokenKind::Dotted, end_of_dotted(at_ + 1));
  }
  if (c == '%' && is(at_[1], WordPart)) return take(TokenKind::Word, end_of_word(at_ + 1));
  if (is(c, Digit)) return take(TokenKind::Number, end_of_number(at_));
  if (c == '"') return take_string();
  return take_symbol();
}

void Lexer::skip_blank() {
  while (at_ < end_) {
    if (*at_ == '\n') {
      line_start_ = ++at_;
      ++line_;
    } else if (is(*at_, Blank)) {
      ++at_;
    } else if (*at_ == '/' && at_[1] == '/') {
      skip_line();
    } else if (*at_ == '/' && at_[1] == '*') {
      skip_comment();
    } else if (*at_ == '#' && source_->line(line_).find_first_not_of(" \t") == static_cast<size_t>(at_ - line_start_)) {
      skip_line();
    } else {
      return;
    }
  }
}

void Lexer::skip_line() {
  const void* newline = std::memchr(at_, '\n', static_cast<size_t>(end_ - at_));
  at_ = newline != nullptr ? static_cast<const char*>(newline) : end_;
}

void Lexer::skip_comment() {
  const Place begin = place_of(at_);
  for (at_ += 2; at_ < end_; ++at_) {
    if (*at_ == '*' && at_[1] == '/') {
      at_ += 2;
      return;
    }
    if (*at_ == '\n') {
      line_start_ = at_ + 1;
      ++line_;
    }
  }
  throw source_->error(begin, "expected '*/' to close this comment, found end of file");
}

// Takes what could belong to the number and lets the reader of literals judge it, so that `12ab` is one
// bad literal and not a number and a word.
const char* Lexer::end_of_number(const char* from) const {
  const char* at = from;
  const char second = *at == '0' ? at[1] : '\0';
  const bool has_prefix = second != '\0' && std::strchr("xXbBfFdD", second) != nullptr;
  if (has_prefix) return end_of_word(at);
  while (is(*at, WordPart) || *at == '.') {
    const bool exponent = *at == 'e' || *at == 'E';
    ++at;
    if (exponent && (*at == '+' || *at == '-')) ++at;
  }
  return at;
}

const char* Lexer::end_of_dotted(const char* from) const {
  const char* at = end_of_word(from);
  while (at[0] == ':' && at[1] == ':' && is(at[2], WordPart)) at = end_of_word(at + 2);
  return at;
}

Token Lexer::take_string() {
  const char* at = at_ + 1;
  while (at < end_ && *at != '"' && *at != '\n') at += *at == '\\' && at + 1 < end_ && at[1] != '\n' ? 2 : 1;
  if (at >= end_ || *at != '"')
    throw source_->error(place_of(at_), "expected '\"' to close this string, found the end of the line");
  return take(TokenKind::String, at + 1);
}

Token Lexer::take_symbol() {
  const char c = *at_;
  const bool known = c != '\0' && std::strchr("{}[]();,:.<>=!&|^~+-*/%?@", c) != nullptr;
  if (!known) {
    const auto byte = static_cast<unsigned char>(c);
    const bool printable = byte >= ' ' && byte < 127;
    throw source_->error(place_of(at_), printable ? fmt::format("'{}' begins nothing in PTX", c)
                                                  : fmt::format("byte 0x{:02X} begins nothing in PTX", byte));
  }
  const bool two = pairs_up(c, at_[1]);
  Token token = take(TokenKind::Symbol, at_ + (two ? 2 : 1));
  token.code = two ? symbol(c, token.text[1]) : symbol(c);
  return token;
}

}  // namespace heddle::ptx
