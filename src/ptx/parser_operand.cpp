// Operands: names, d|p pairs, !p, immediates, addresses, vectors.
#include <fmt/format.h>

#include "ptx/literal.h"
#include "ptx/parser.h"

namespace heddle::ptx {
namespace {

constexpr int multiplicative = 10;  // see precedence() of constants

}  // namespace

Operand Parser::parse_operand() {
  if (token_.kind == TokenKind::Word && token_.text != "WARP_SZ") return parse_name_or_pair();
  if (token_.is('[')) return parse_address();
  if (token_.is('{')) return parse_vector();
  if (token_.is('!')) return parse_negated();
  const bool absent = token_.is(',') || token_.is(';') || token_.is(')') || token_.is(']') || token_.is('}');
  if (absent) fail(token_.place, fmt::format("expected an operand, found {}", describe(token_)));
  if (!at_constant()) unexpected("an operand");
  const Place place = token_.place;
  return {place, false, parse_constant()};
}

// -a, or what else an operand may be.
Operand Parser::parse_signed_operand() {
  const Position start = position();
  if (accept('-') && token_.kind == TokenKind::Word && token_.text != "WARP_SZ") {
    Operand operand = parse_plain_name();
    operand.place = start.token.place;
    operand.minus = true;
    return operand;
  }
  restore(start);
  return parse_operand();
}

// !p, or a constant expression that begins with '!'.
Operand Parser::parse_negated() {
  const Position start = position();
  advance();
  if (token_.kind == TokenKind::Word && token_.text != "WARP_SZ") {
    Operand operand = parse_plain_name();
    operand.place = start.token.place;
    operand.negated = true;
    return operand;
  }
  restore(start);
  return {start.token.place, false, parse_constant()};
}

Operand Parser::parse_name_or_pair() {
  Operand operand = parse_plain_name();
  if (token_.is('+') || token_.is('-')) {
    Name* name = std::get_if<Name>(&operand.value);
    if (name == nullptr) unexpected("',' or ';'");
    name->offset = parse_offset();
  } else if (accept('|')) {
    Pair pair;
    pair.both.reserve(2);
    const Place place = operand.place;
    pair.both.push_back(std::move(operand));
    pair.both.push_back(parse_plain_name());
    return {place, false, std::move(pair)};
  }
  return operand;
}

Operand Parser::parse_plain_name() {
  const Place place = token_.place;
  const std::string_view name = expect_name("a name");
  if (name == "_") return {place, false, Sink{}};
  return {place, false, Name{std::string(name), 0}};
}

// [base], [base+offset], [offset], and of textures [base, {x, y}]
Operand Parser::parse_address() {
  const Place place = token_.place;
  advance();
  AddressOf address;
  if (at_constant()) {
    const Token at = token_;
    const Immediate value = parse_constant();
    if (!is_integer(value)) fail(at.place, "expected an address, a whole number");
    address.offset = static_cast<int64_t>(value.bits);
  } else {
    address.base = expect_name("an address");
    address.offset = parse_offset();
  }
  if (accept(',')) {
    if (!token_.is('{')) unexpected("the coordinates of a texture, in braces");
    address.coordinates = std::move(std::get<Vector>(parse_vector().value).elements);
  }
  expect(']');
  return {place, false, std::move(address)};
}

Operand Parser::parse_vector() {
  Nesting nesting(*this);
  const Place place = token_.place;
  advance();
  Vector vector;
  vector.elements.reserve(4);
  do {
    vector.elements.push_back(parse_operand());
  } while (accept(','));
  expect('}');
  return {place, false, std::move(vector)};
}

// What follows a name: nothing, +8, -8, +-8, +4*2, +4+4. Wraps as addresses do.
int64_t Parser::parse_offset() {
  uint64_t sum = 0;
  while (token_.is('+') || token_.is('-')) {
    const bool minus = token_.is('-');
    advance();
    const Token at = token_;
    const Immediate term = parse_binary(multiplicative);
    if (!is_integer(term)) fail(at.place, "expected an offset, a whole number");
    sum += minus ? -term.bits : term.bits;
  }
  return static_cast<int64_t>(sum);
}

}  // namespace heddle::ptx
