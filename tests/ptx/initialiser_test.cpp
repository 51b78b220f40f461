#include <bit>

#include "parse_text.h"

namespace heddle::ptx {
namespace {

using Value = Variable::Value;

Variable initialised_variable(const std::string& text) { return parse_text(".version 8.0\n" + text).variables.at(0); }

std::vector<std::pair<uint64_t, uint64_t>> numbers_of(const Variable& variable) {
  std::vector<std::pair<uint64_t, uint64_t>> numbers;
  for (const Value& value : variable.initialiser) numbers.emplace_back(value.index, value.number.bits);
  return numbers;
}

using Numbers = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(Initialiser, OfAScalarIsAValue) {
  EXPECT_EQ(numbers_of(initialised_variable(".global .s32 x = -5;")), (Numbers{{0, static_cast<uint64_t>(-5)}}));
  EXPECT_EQ(numbers_of(initialised_variable(".global .u32 x = 3 * (4 + 1);")), (Numbers{{0, 15}}));
}

TEST(Initialiser, OfAnArrayIsAListThatMayBeShort) {
  EXPECT_EQ(numbers_of(initialised_variable(".global .b8 x[8] = {1, 2, 0x7F};")), (Numbers{{0, 1}, {1, 2}, {2, 127}}));
  EXPECT_TRUE(initialised_variable(".global .b8 x[8] = {};").initialiser.empty());
}

TEST(Initialiser, OfNestedArraysCountsInRowMajorOrder) {
  EXPECT_EQ(numbers_of(initialised_variable(".global .u32 x[2][3] = {{1}, {4, 5}};")),
            (Numbers{{0, 1}, {3, 4}, {4, 5}}));
}

TEST(Initialiser, OfVectorsHasAListForEach) {
  EXPECT_EQ(numbers_of(initialised_variable(".global .v2 .u32 x[2] = {{1, 2}, {3}};")),
            (Numbers{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(Initialiser, GivesAnOpenArrayItsSize) {
  const Variable variable = initialised_variable(".global .u32 x[][2] = {{1, 2}, {3}, {}};");
  EXPECT_EQ(variable.dimensions, (std::vector<uint64_t>{3, 2}));
  EXPECT_EQ(variable.bytes(), 24u);
}

TEST(Initialiser, FloatingPointKeepsItsKind) {
  const Variable variable = initialised_variable(".global .f32 x[3] = {0f3F800000, -1.5, 2};");
  EXPECT_EQ(variable.initialiser[0].number.kind, Immediate::Kind::F32Bits);
  EXPECT_EQ(variable.initialiser[1].number.kind, Immediate::Kind::Decimal);
  EXPECT_EQ(variable.initialiser[1].number.bits, std::bit_cast<uint64_t>(-1.5));
  EXPECT_EQ(variable.initialiser[2].number.kind, Immediate::Kind::Integer);
}

void expect_symbol(const Value& value, const std::string& symbol, bool generic, uint64_t offset, uint64_t mask) {
  EXPECT_EQ(value.symbol, symbol);
  EXPECT_EQ(value.generic, generic);
  EXPECT_EQ(value.number.bits, offset);
  EXPECT_EQ(value.mask, mask);
}

TEST(Initialiser, MayBeTheAddressOfASymbol) {
  const Variable variable = initialised_variable(".global .u64 x[5] = {f, y+8, generic(y), generic(y)+16, 7};");
  const uint64_t all = ~uint64_t{0};
  ASSERT_EQ(variable.initialiser.size(), 5u);
  expect_symbol(variable.initialiser[0], "f", false, 0, all);
  expect_symbol(variable.initialiser[1], "y", false, 8, all);
  expect_symbol(variable.initialiser[2], "y", true, 0, all);
  expect_symbol(variable.initialiser[3], "y", true, 16, all);
  expect_symbol(variable.initialiser[4], "", false, 7, all);
}

TEST(Initialiser, MayBeOneByteOfAnAddress) {
  const Variable variable = initialised_variable(".global .u8 x[3] = {0xFF(f), 0xFF00(generic(y)+3), 12};");
  ASSERT_EQ(variable.initialiser.size(), 3u);
  expect_symbol(variable.initialiser[0], "f", false, 0, 0xFF);
  expect_symbol(variable.initialiser[1], "y", true, 3, 0xFF00);
  expect_symbol(variable.initialiser[2], "", false, 12, ~uint64_t{0});
}

TEST(Initialiser, AVariableMayBeNamedGeneric) {
  EXPECT_EQ(initialised_variable(".global .u64 x = generic;").initialiser.at(0).symbol, "generic");
}

TEST(Initialiser, TooManyValuesAreAnErrorAtTheFirstThatIsTooMuch) {
  EXPECT_EQ(complaint_of(".global .u32 x[2] = {1, 2, 3};"), "1:28: error: expected '}', 'x' has only 2 elements here");
  EXPECT_EQ(complaint_of(".global .u32 x[2][1] = {{1}, {2, 3}};"),
            "1:34: error: expected '}', 'x' has only 1 elements here");
}

TEST(Initialiser, BracesFollowTheDimensions) {
  EXPECT_EQ(complaint_of(".global .u32 x[2][2] = {1, 2};"), "1:25: error: expected '{', found '1'");
  EXPECT_EQ(complaint_of(".global .u32 x[2] = 1;"), "1:21: error: expected '{', found '1'");
  EXPECT_EQ(complaint_of(".global .u32 x[2] = {{1}};"),
            "1:22: error: expected a constant or the name of a symbol, found '{'");
}

TEST(Initialiser, StringsAreNotPtx) {
  EXPECT_EQ(complaint_of(".global .b8 x[4] = {\"abc\"};"),
            "1:21: error: expected a constant or the name of a symbol, found a string");
}

TEST(Initialiser, ATrailingCommaIsAnError) {
  EXPECT_EQ(complaint_of(".global .u32 x[2] = {1,};"),
            "1:24: error: expected a constant or the name of a symbol, found '}'");
}

}  // namespace
}  // namespace heddle::ptx
