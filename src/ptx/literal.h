// Numbers as PTX writes them, and the arithmetic of its constant expressions (PTX ISA, "Constants").
#pragma once

#include <optional>
#include <string_view>

#include "ptx/lexer.h"
#include "ptx/module.h"

namespace heddle::ptx {

// The value of a Number token: decimal, 0x, 0b, leading 0 for octal, U suffix, 0f and 0d bits, decimal
// floating point. Error for anything else and for what does not fit 64 bits.
Immediate literal_value(const Token& token, const Source& source);

// `operation` is the token's code, see symbol(). Integers are 64 bits wide and wrap; an operation on a
// signed and an unsigned integer is unsigned; one on any floating-point number is done in f64. Nothing
// comes back where there is no result: division by zero, `%` on floating point.
std::optional<Immediate> apply_unary(uint16_t operation, const Immediate& x);
std::optional<Immediate> apply_binary(uint16_t operation, const Immediate& x, const Immediate& y);

Immediate integer(int64_t value);
bool is_integer(const Immediate& x);
bool is_true(const Immediate& x);

}  // namespace heddle::ptx
