#include <bit>

#include "parse_text.h"

namespace heddle::ptx {
namespace {

using Kind = Immediate::Kind;

Immediate value_of(const std::string& text) { return std::get<Immediate>(parse_operand_text(text).value); }

void expect_integer(const std::string& text, uint64_t bits, bool is_unsigned = false) {
  const Immediate value = value_of(text);
  EXPECT_EQ(value.kind, Kind::Integer) << text;
  EXPECT_EQ(value.bits, bits) << text;
  EXPECT_EQ(value.is_unsigned, is_unsigned) << text;
}

void expect_decimal(const std::string& text, double expected) {
  const Immediate value = value_of(text);
  EXPECT_EQ(value.kind, Kind::Decimal) << text;
  EXPECT_EQ(value.bits, std::bit_cast<uint64_t>(expected)) << text;
}

std::string complaint_about(const std::string& operand) { return complaint_of(in_kernel("op " + operand + ";")); }

constexpr uint64_t minus(uint64_t x) { return -x; }

TEST(Literal, IntegersAreDecimalHexadecimalOctalAndBinary) {
  expect_integer("42", 42);
  expect_integer("0x1F", 31);
  expect_integer("0XaB", 171);
  expect_integer("017", 15);
  expect_integer("0b101", 5);
  expect_integer("0", 0);
}

TEST(Literal, IntegersAreUnsignedBySuffixOrByNeed) {
  expect_integer("7U", 7, true);
  expect_integer("0U", 0, true);
  expect_integer("0xFFU", 255, true);
  expect_integer("0x7FFFFFFFFFFFFFFF", 0x7FFFFFFFFFFFFFFF, false);
  expect_integer("0xFFFFFFFFFFFFFFFF", ~uint64_t{0}, true);
  expect_integer("18446744073709551615", ~uint64_t{0}, true);
}

TEST(Literal, BitsOfFloatingPointAreKept) {
  const Immediate single = value_of("0f3F800000"), wide = value_of("0d3FF0000000000000");
  EXPECT_EQ(single.kind, Kind::F32Bits);
  EXPECT_EQ(single.bits, 0x3F800000u);
  EXPECT_EQ(wide.kind, Kind::F64Bits);
  EXPECT_EQ(wide.bits, 0x3FF0000000000000u);
  EXPECT_EQ(value_of("0F7fC00000").bits, 0x7FC00000u);
  EXPECT_EQ(value_of("0DFFF0000000000000").bits, 0xFFF0000000000000u);
}

TEST(Literal, DecimalFloatingPointIsF64) {
  expect_decimal("1.5", 1.5);
  expect_decimal("-1e-3", -1e-3);
  expect_decimal("1.", 1);
  expect_decimal(".5", .5);
  expect_decimal("1e308", 1e308);
}

TEST(Literal, WarpSizeIs32) { expect_integer("WARP_SZ", 32); }

TEST(Literal, WhatIsNoNumberIsAnErrorAtTheLiteral) {
  EXPECT_EQ(complaint_about("12ab"), "2:4: error: expected a number in base 10, found '12ab'");
  EXPECT_EQ(complaint_about("08"), "2:4: error: expected a number in base 8, found '08'");
  EXPECT_EQ(complaint_about("0b12"), "2:4: error: expected a number in base 2, found '0b12'");
  EXPECT_EQ(complaint_about("0x"), "2:4: error: expected a number in base 16, found '0x'");
  EXPECT_EQ(complaint_about("1.5.2"), "2:4: error: expected a number, found '1.5.2'");
  EXPECT_EQ(complaint_about("0f3F80000"), "2:4: error: expected 8 hexadecimal digits after '0f', found '3F80000'");
  EXPECT_EQ(complaint_about("0d3F800000"), "2:4: error: expected 16 hexadecimal digits after '0d', found '3F800000'");
}

TEST(Literal, WhatDoesNotFitIsAnError) {
  EXPECT_EQ(complaint_about("18446744073709551616"), "2:4: error: '18446744073709551616' does not fit 64 bits");
  EXPECT_EQ(complaint_about("1e400"), "2:4: error: '1e400' does not fit f64");
}

TEST(ConstantExpression, PrecedenceIsThatOfC) {
  expect_integer("2 + 3 * 4", 14);
  expect_integer("(2 + 3) * 4", 20);
  expect_integer("1 | 6 & 3 ^ 8", 11);
  expect_integer("1 << 2 + 1", 8);
  expect_integer("10 - 3 - 2", 5);
  expect_integer("1 < 2 == 1", 1);
  expect_integer("0 || 2 && 0", 0);
  expect_integer("7 % 4 / 2", 1);
}

TEST(ConstantExpression, UnaryOperatorsBindTightest) {
  expect_integer("-1", minus(1));
  expect_integer("~0", ~uint64_t{0});
  expect_integer("!0 + 1", 2);
  expect_integer("- -3", 3);
  expect_integer("-2 * +3", minus(6));
}

TEST(ConstantExpression, TheConditionChooses) {
  expect_integer("1 ? 2 : 3", 2);
  expect_integer("2 > 3 ? 4 : 5 > 4 ? 6 : 7", 6);
}

TEST(ConstantExpression, OneUnsignedOperandMakesItUnsigned) {
  expect_integer("-8 / 2", minus(4));
  expect_integer("-8 / 2U", minus(8) / 2, true);
  expect_integer("-1 < 1", 1);
  expect_integer("-1 < 1U", 0);
}

TEST(ConstantExpression, ShiftsFollowTheirLeftOperand) {
  expect_integer("-8 >> 1", minus(4));
  expect_integer("(.u64)-8 >> 1", minus(8) >> 1, true);
  expect_integer("-8 >> 1U", minus(4));
  expect_integer("1 << 64", 0);
  expect_integer("-1 >> 200", minus(1));
}

TEST(ConstantExpression, CastsChangeTheSign) {
  expect_integer("(.s64)0xFFFFFFFFFFFFFFFF / 1", minus(1));
  expect_integer("(.u64)5", 5, true);
}

TEST(ConstantExpression, FloatingPointIsComputedInF64) {
  expect_decimal("1.0 / 4", .25);
  expect_decimal("0f3F800000 + 0d3FF0000000000000", 2);
  expect_integer("1.5 > 1", 1);
}

TEST(ConstantExpression, AMinusKeepsTheKindOfItsBits) {
  const Immediate value = value_of("-0f3F800000");
  EXPECT_EQ(value.kind, Kind::F32Bits);
  EXPECT_EQ(value.bits, 0xBF800000u);
}

TEST(ConstantExpression, TheSmallestIntegerDividedByMinusOneWraps) {
  expect_integer("(.s64)0x8000000000000000 / -1", uint64_t{1} << 63);
  expect_integer("(.s64)0x8000000000000000 % -1", 0);
}

TEST(ConstantExpression, WhatHasNoResultIsAnErrorAtTheOperator) {
  EXPECT_EQ(complaint_about("1 / 0"), "2:6: error: '/' has no result here");
  EXPECT_EQ(complaint_about("1 % (2 - 2)"), "2:6: error: '%' has no result here");
  EXPECT_EQ(complaint_about("1.5 % 2"), "2:8: error: '%' has no result here");
  EXPECT_EQ(complaint_about("~1.5"), "2:4: error: '~' has no result here");
  EXPECT_EQ(complaint_about("(.s64)1.5"), "2:5: error: expected an integer to cast to .s64");
}

}  // namespace
}  // namespace heddle::ptx
