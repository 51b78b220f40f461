// Constant expressions: C's operators and precedence over 64-bit integers and f64.
#include <fmt/format.h>

#include "ptx/literal.h"
#include "ptx/parser.h"

namespace heddle::ptx {
namespace {

constexpr int lowest = 1;

int precedence(uint16_t operation) {
  switch (operation) {
    case symbol('|', '|'): return 1;
    case symbol('&', '&'): return 2;
    case symbol('|'): return 3;
    case symbol('^'): return 4;
    case symbol('&'): return 5;
    case symbol('=', '='):
    case symbol('!', '='): return 6;
    case symbol('<'):
    case symbol('>'):
    case symbol('<', '='):
    case symbol('>', '='): return 7;
    case symbol('<', '<'):
    case symbol('>', '>'): return 8;
    case symbol('+'):
    case symbol('-'): return 9;
    case symbol('*'):
    case symbol('/'):
    case symbol('%'): return 10;
  }
  return 0;
}

}  // namespace

bool Parser::at_constant() const {
  if (token_.kind == TokenKind::Number || token_.is_word("WARP_SZ")) return true;
  return token_.is('-') || token_.is('+') || token_.is('~') || token_.is('!') || token_.is('(');
}

Immediate Parser::parse_constant() {
  Nesting nesting(*this);
  Immediate condition = parse_binary(lowest);
  if (!accept('?')) return condition;
  const Immediate yes = parse_constant();
  expect(':');
  const Immediate no = parse_constant();
  return is_true(condition) ? yes : no;
}

Immediate Parser::parse_binary(int min_precedence) {
  Immediate left = parse_unary();
  for (;;) {
    const Token operation = token_;
    const int level = precedence(operation.code);
    if (level == 0 || level < min_precedence) return left;
    advance();
    const Immediate right = parse_binary(level + 1);
    const std::optional<Immediate> result = apply_binary(operation.code, left, right);
    if (!result) fail(operation.place, fmt::format("'{}' has no result here", operation.text));
    left = *result;
  }
}

Immediate Parser::parse_unary() {
  if (token_.kind == TokenKind::Number || !at_constant() || token_.is('(')) return parse_primary();
  if (token_.kind == TokenKind::Word) return parse_primary();
  Nesting nesting(*this);
  const Token operation = token_;
  advance();
  const std::optional<Immediate> result = apply_unary(operation.code, parse_unary());
  if (!result) fail(operation.place, fmt::format("'{}' has no result here", operation.text));
  return *result;
}

Immediate Parser::parse_primary() {
  if (token_.kind == TokenKind::Number) {
    advance();
    return literal_value(previous_, *source_);
  }
  if (token_.is_word("WARP_SZ")) {
    advance();
    return integer(32);
  }
  if (accept('(')) return parse_parenthesised();
  unexpected("a constant");
}

// Behind the '(' of (x), (.s64)x or (.u64)x.
Immediate Parser::parse_parenthesised() {
  Nesting nesting(*this);
  const bool to_signed = at_directive(".s64"), to_unsigned = at_directive(".u64");
  if (!to_signed && !to_unsigned) {
    const Immediate inner = parse_constant();
    expect(')');
    return inner;
  }
  const Token cast = token_;
  advance();
  expect(')');
  Immediate value = parse_unary();
  if (!is_integer(value)) fail(cast.place, fmt::format("expected an integer to cast to {}", cast.text));
  value.is_unsigned = to_unsigned;
  return value;
}

uint64_t Parser::parse_unsigned_constant(const char* what) {
  const Token at = token_;
  if (!at_constant()) unexpected(what);
  const Immediate value = parse_constant();
  const bool negative = is_integer(value) && !value.is_unsigned && static_cast<int64_t>(value.bits) < 0;
  if (!is_integer(value) || negative) fail(at.place, fmt::format("expected {}, a whole number from 0", what));
  return value.bits;
}

}  // namespace heddle::ptx
