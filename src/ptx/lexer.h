// PTX text → tokens. A token is a view into the source text; nothing is copied or allocated.
//
// The lexer knows no grammar. A word and the dotted names that follow it stay apart ("add" ".s32",
// "%tid" ".x"); the parser joins those that touch where it wants a register name. Comments and lines that
// begin with '#' are blank space.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/source.h"

namespace heddle::ptx {

enum class TokenKind : uint8_t {
  End,
  Word,    // add  %r1  $L__BB0_2  _
  Dotted,  // .reg  .b32  .L1::no_allocate: the text has its dot
  Number,  // 12  0x1F  0f3F800000  1.5e-3: not checked yet
  String,  // "…" with its quotes
  Symbol,  // one or two characters of punctuation
};

// One or two characters as an integer, so that a token can be compared and switched on.
constexpr uint16_t symbol(char first, char second = 0) {
  return static_cast<uint16_t>(static_cast<unsigned char>(first) | static_cast<unsigned char>(second) << 8);
}

struct Token {
  TokenKind kind = TokenKind::End;
  uint16_t code = 0;  // of a Symbol, see symbol()
  Place place;
  std::string_view text;

  bool is(char c) const { return code == symbol(c); }
  bool is_word(std::string_view word) const { return kind == TokenKind::Word && text == word; }
  std::string_view name() const { return text.substr(1); }  // of a Dotted, without its dot
  const char* end() const { return text.data() + text.size(); }
};

// 'text' or "end of file", for messages.
std::string describe(const Token& token);

class Lexer {
 public:
  explicit Lexer(const Source& source);
  Token next();  // Error for characters that begin no token, open comments and strings

 private:
  void skip_blank();
  void skip_line();
  void skip_comment();
  const char* end_of_number(const char* from) const;
  const char* end_of_dotted(const char* from) const;
  Token take(TokenKind kind, const char* end);
  Token take_string();
  Token take_symbol();
  Place place_of(const char* where) const;

  const Source* source_;
  const char* at_;
  const char* end_;  // the text is followed by a NUL, so at_[1] may be read where at_ < end_
  const char* line_start_;
  uint32_t line_ = 1;
};

}  // namespace heddle::ptx
