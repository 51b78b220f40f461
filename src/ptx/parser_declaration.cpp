// Declarations of variables and parameters: .global .align 4 .v2 .u32 name[4][2], …
#include <fmt/format.h>

#include <bit>

#include "ptx/parser.h"

namespace heddle::ptx {
namespace {

constexpr uint64_t max_bytes = uint64_t{1} << 40;  // more than any GPU has
constexpr uint32_t max_numbered = 1 << 16;         // variables that the name<n> of a module may stand for

std::optional<Space> space_named(std::string_view directive) {
  if (directive == ".param") return Space::Param;
  if (directive == ".global") return Space::Global;
  if (directive == ".shared") return Space::Shared;
  if (directive == ".local") return Space::Local;
  if (directive == ".const") return Space::Const;
  if (directive == ".reg") return Space::Reg;
  if (directive == ".tex") return Space::Global;  // of old: a texture is a global
  return std::nullopt;
}

bool is_opaque(std::string_view name) { return name == "texref" || name == "samplerref" || name == "surfref"; }

}  // namespace

bool Parser::at_space() const { return token_.kind == TokenKind::Dotted && space_named(token_.text).has_value(); }

Variable Parser::parse_declaration_head() {
  Variable variable;
  variable.space = *space_named(token_.text);
  if (at_directive(".tex")) variable.opaque = "texref";
  advance();
  while (token_.kind == TokenKind::Dotted && parse_declaration_attribute(variable)) {
  }
  if (variable.type == Type::None) unexpected("a type such as .b32");
  if (variable.type == Type::Pred && variable.space != Space::Reg)
    fail(previous_.place, "only registers can be of type .pred");
  return variable;
}

// One of what may stand between the space and the name, in any order.
bool Parser::parse_declaration_attribute(Variable& variable) {
  if (accept_directive(".align")) {
    const Token at = token_;
    variable.align = expect_u32("an alignment");
    if (!std::has_single_bit(variable.align)) fail(at.place, "expected a power of two as alignment");
    return true;
  }
  if (at_directive(".ptr")) return parse_pointer_attribute(), true;
  if (at_directive(".attribute")) {
    variable.is_managed |= parse_attribute_list();
    return true;
  }
  const std::string_view name = token_.name();
  if (name == "v2" || name == "v4" || name == "v8") {
    variable.vector = static_cast<uint32_t>(name[1] - '0');
  } else if (is_opaque(name)) {
    variable.opaque = name;
    variable.type = Type::B64;
  } else if (const std::optional<Type> type = type_named(name); type && variable.type == Type::None) {
    variable.type = *type;
  } else {
    unexpected("a type such as .b32");
  }
  advance();
  return true;
}

// .ptr .global .align 8: what the parameter points to. Nothing here depends on it.
void Parser::parse_pointer_attribute() {
  advance();
  if (at_space()) advance();
  if (accept_directive(".align")) expect_u32("an alignment");
}

// .attribute(.managed, .unified(1, 2))
bool Parser::parse_attribute_list() {
  bool is_managed = false;
  advance();
  expect('(');
  do {
    if (token_.kind != TokenKind::Dotted) unexpected("an attribute such as .managed");
    is_managed |= at_directive(".managed");
    advance();
    if (token_.is('(')) skip_balanced();
  } while (accept(','));
  expect(')');
  return is_managed;
}

std::vector<Variable> Parser::parse_variables(const Linkage& linkage) {
  Variable head = parse_declaration_head();
  head.is_extern = linkage.is_extern;
  head.is_visible = linkage.is_visible;
  head.is_weak = linkage.is_weak;
  head.is_common = linkage.is_common;
  std::vector<Variable> variables;
  do {
    parse_declarator(head, variables);
  } while (accept(','));
  expect(';');
  return variables;
}

// name, name[4], name[] = {…}, name = …, or name<4> for name0 … name3
void Parser::parse_declarator(Variable variable, std::vector<Variable>& variables) {
  variable.place = token_.place;
  variable.name = expect_word("the name of a variable");
  if (token_.is('<')) {
    const Token at = token_;
    const uint32_t count = parse_count();
    if (count > max_numbered - numbered_)
      fail(at.place, fmt::format("more than {} numbered variables in a module", max_numbered));
    numbered_ += count;
    const std::string stem = variable.name;
    for (uint32_t i = 0; i < count; ++i) {
      variable.name = stem + std::to_string(i);
      variables.push_back(variable);
    }
    return;
  }
  parse_dimensions(variable);
  if (accept('=')) parse_initialiser(variable);
  check_size(variable);
  variables.push_back(std::move(variable));
}

uint32_t Parser::parse_count() {
  expect('<');
  const Token at = token_;
  if (at.kind != TokenKind::Number && !at.is_word("WARP_SZ")) unexpected("a number of registers");
  const Immediate value = parse_primary();
  if (value.kind != Immediate::Kind::Integer || value.bits > UINT32_MAX)
    fail(at.place, fmt::format("expected a number of at most 32 bits, found {}", describe(at)));
  expect('>');
  return static_cast<uint32_t>(value.bits);
}

void Parser::parse_dimensions(Variable& variable) {
  while (accept('[')) {
    variable.is_array = true;
    const bool may_be_open = variable.dimensions.empty();
    if (may_be_open && accept(']')) {
      variable.dimensions.push_back(0);
      continue;
    }
    variable.dimensions.push_back(parse_unsigned_constant("the size of the array"));
    expect(']');
    if (variable.dimensions.size() > 64) fail(previous_.place, "expected at most 64 dimensions");
    check_size(variable);
  }
}

// Also keeps the products in count() and bytes() from overflowing, an open first dimension aside.
void Parser::check_size(const Variable& variable) const {
  uint64_t bytes = uint64_t{bytes_of(variable.type)} * variable.vector;
  for (uint64_t dimension : variable.dimensions) {
    if (dimension == 0) continue;
    if (dimension > max_bytes / (bytes != 0 ? bytes : 1))
      fail(variable.place, fmt::format("'{}' is larger than {} bytes", variable.name, max_bytes));
    bytes *= dimension;
  }
}

}  // namespace heddle::ptx
