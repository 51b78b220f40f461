#include "ptx/parser.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace heddle::ptx {
namespace {

constexpr uint32_t max_depth = 256;

}  // namespace

Parser::Parser(std::shared_ptr<const Source> source) : source_(std::move(source)), lexer_(*source_) {
  token_ = lexer_.next();
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (parser.depth_ == max_depth)
    parser.fail(parser.token_.place, fmt::format("nested more than {} levels deep", max_depth));
  ++parser.depth_;
}

void Parser::advance() {
  previous_ = token_;
  token_ = lexer_.next();
}

void Parser::restore(const Position& position) {
  lexer_ = position.lexer;
  token_ = position.token;
  previous_ = position.previous;
}

bool Parser::accept(char c) {
  if (!token_.is(c)) return false;
  advance();
  return true;
}

void Parser::expect(char c) {
  if (!accept(c)) missing(fmt::format("'{}'", c));
}

bool Parser::at_directive(std::string_view name) const {
  return token_.kind == TokenKind::Dotted && token_.text == name;
}

bool Parser::accept_directive(std::string_view name) {
  if (!at_directive(name)) return false;
  advance();
  return true;
}

std::string_view Parser::expect_word(const char* what) {
  if (token_.kind != TokenKind::Word) unexpected(what);
  advance();
  return previous_.text;
}

std::string_view Parser::expect_name(const char* what) {
  const char* begin = expect_word(what).data();
  while (token_.kind == TokenKind::Dotted && token_.text.data() == previous_.end()) advance();
  return {begin, static_cast<size_t>(previous_.end() - begin)};
}

std::string_view Parser::expect_string() {
  if (token_.kind != TokenKind::String) unexpected("a string");
  advance();
  return previous_.text.substr(1, previous_.text.size() - 2);
}

uint32_t Parser::expect_u32(const char* what) {
  const Token at = token_;
  const uint64_t value = parse_unsigned_constant(what);
  if (value > std::numeric_limits<uint32_t>::max())
    fail(at.place, fmt::format("expected {} of at most 32 bits, found {}", what, value));
  return static_cast<uint32_t>(value);
}

void Parser::unexpected(const std::string& expected) const {
  const std::string message = fmt::format("expected {}, found {}", expected, describe(token_));
  throw Unexpected(source_->error(token_.place, message));
}

// What is missing at the end of a line is missed there, not where the next line begins.
void Parser::missing(const std::string& expected) const {
  if (previous_.place.line == token_.place.line) unexpected(expected);
  Place place = previous_.place;
  place.column += static_cast<uint32_t>(previous_.text.size());
  const std::string message = fmt::format("expected {}, found {}", expected, describe(token_));
  throw Unexpected(source_->error(place, message));
}

void Parser::fail(Place place, const std::string& message) const { throw source_->error(place, message); }

void Parser::skip_balanced() {
  const Token opening = token_;
  std::string closers;
  do {
    if (token_.is('{')) closers += '}';
    if (token_.is('[')) closers += ']';
    if (token_.is('(')) closers += ')';
    if (token_.is('}') || token_.is(']') || token_.is(')')) {
      if (!token_.is(closers.back())) unexpected(fmt::format("'{}'", closers.back()));
      closers.pop_back();
    }
    if (token_.kind == TokenKind::End)
      fail(opening.place, fmt::format("expected '{}' to close this, found end of file", closers.front()));
    advance();
  } while (!closers.empty());
}

Parser::Linkage Parser::parse_linkage() {
  Linkage linkage;
  for (;;) {
    if (accept_directive(".visible"))
      linkage.is_visible = true;
    else if (accept_directive(".extern"))
      linkage.is_extern = true;
    else if (accept_directive(".weak"))
      linkage.is_weak = true;
    else if (accept_directive(".common"))
      linkage.is_common = true;
    else
      return linkage;
  }
}

Module parse(std::shared_ptr<const Source> source) { return Parser(std::move(source)).parse_module(); }

}  // namespace heddle::ptx
