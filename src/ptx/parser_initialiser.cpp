// Initial values of variables. As ptxas has it, braces follow the dimensions exactly: a list stands for
// each array and for each vector, a value for each scalar; lists may be shorter than what they fill.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/literal.h"
#include "ptx/parser.h"

namespace heddle::ptx {

// Behind the '='.
void Parser::parse_initialiser(Variable& variable) {
  if (!variable.opaque.empty() && token_.is('{')) return skip_balanced();  // {addr_mode_0 = wrap, …}
  std::vector<uint64_t> extents = variable.dimensions;
  if (variable.vector > 1) extents.push_back(variable.vector);
  if (extents.empty()) {
    variable.initialiser.push_back(parse_initial_value());
    return;
  }
  std::vector<uint64_t> strides(extents.size(), 1);
  for (size_t level = extents.size() - 1; level > 0; --level) strides[level - 1] = strides[level] * extents[level];
  parse_initialiser_list(variable, strides, 0, 0);
}

// Fills the array of `level` whose first element is `first`. An open first dimension grows to the list.
void Parser::parse_initialiser_list(Variable& variable, const std::vector<uint64_t>& strides, size_t level,
                                    uint64_t first) {
  Nesting nesting(*this);
  const bool is_open = level == 0 && variable.is_array && variable.dimensions[0] == 0;
  const uint64_t extent = level < variable.dimensions.size() ? variable.dimensions[level] : variable.vector;
  const bool innermost = level + 1 == strides.size();
  expect('{');
  uint64_t index = 0;
  if (!token_.is('}')) {
    do {
      if (index == extent && !is_open)
        fail(token_.place, fmt::format("expected '}}', '{}' has only {} elements here", variable.name, extent));
      const uint64_t element = first + index++ * strides[level];
      if (!innermost) {
        parse_initialiser_list(variable, strides, level + 1, element);
        continue;
      }
      variable.initialiser.push_back(parse_initial_value());
      variable.initialiser.back().index = element;
    } while (accept(','));
  }
  expect('}');
  if (is_open) variable.dimensions[0] = index;
}

// A constant, symbol+8, generic(symbol)+8, or 0xFF00(any of these) for one byte of an address.
Variable::Value Parser::parse_initial_value() {
  Variable::Value value;
  if (!at_constant()) {
    parse_symbol_value(value);
    return value;
  }
  const Token first = token_;
  value.number = parse_constant();
  if (first.kind != TokenKind::Number || !token_.is('(')) return value;
  if (!is_integer(value.number)) unexpected("',' or '}'");
  value.mask = value.number.bits;
  value.number = Immediate{};
  expect('(');
  parse_symbol_value(value);
  expect(')');
  return value;
}

void Parser::parse_symbol_value(Variable::Value& value) {
  value.symbol = expect_word("a constant or the name of a symbol");
  if (value.symbol == "generic" && accept('(')) {
    value.generic = true;
    value.symbol = expect_word("the name of a symbol");
    expect(')');
  }
  value.number = integer(parse_offset());
}

}  // namespace heddle::ptx
