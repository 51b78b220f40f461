// Which numbers divisions and roots call a function for, against what an H200 did with all pairs of exponents
// (program/machine/slow_paths.h): the pairs at the edges, as timed there.
#include "program/machine/slow_paths.h"

#include <gtest/gtest.h>

namespace heddle::test::slow_paths_test {
namespace {

Instruction instruction_of(Op op, Type type) {
  Instruction made;
  made.op = op;
  made.type = type;
  return made;
}

// The number with this exponent, as it is stored, and some mantissa.
uint64_t single(unsigned exponent) { return uint64_t{exponent} << 23 | 0x123456; }
uint64_t twice(unsigned exponent) { return uint64_t{exponent} << 52 | 0x123456789abcd; }

bool slow(const Instruction& instruction, uint64_t first, uint64_t second = 0) {
  return value_range(instruction, first, second) != ValueRange::Usual;
}

TEST(SlowPaths, OfQuotientsOfSinglePrecision) {
  const Instruction divide = instruction_of(Op::Div, Type::F32);
  struct Edge {
    unsigned dividend, last_slow, first_slow;  // divisors up to the one and from the other on
  };
  for (const Edge& edge : {Edge{25, 1, 150}, Edge{26, 1, 151}, Edge{100, 1, 225}, Edge{126, 1, 251}, Edge{127, 1, 252},
                           Edge{128, 1, 252}, Edge{129, 2, 252}, Edge{146, 19, 252}, Edge{254, 127, 252}})
    for (unsigned divisor = 0; divisor < 256; ++divisor)
      EXPECT_EQ(slow(divide, single(edge.dividend), single(divisor)),
                divisor <= edge.last_slow || divisor >= edge.first_slow)
          << edge.dividend << " / " << divisor;
  for (const unsigned dividend : {0U, 1U, 24U, 255U})
    for (unsigned divisor = 0; divisor < 256; ++divisor) EXPECT_TRUE(slow(divide, single(dividend), single(divisor)));
}

TEST(SlowPaths, OfQuotientsOfDoublePrecision) {
  const Instruction divide = instruction_of(Op::Div, Type::F64);
  struct Edge {
    unsigned dividend, last_slow, first_slow;
  };
  for (const Edge& edge : {Edge{60, 0, 1082}, Edge{1000, 0, 2022}, Edge{1017, 0, 2039}, Edge{1018, 0, 2040},
                           Edge{1019, 1, 2040}, Edge{1500, 482, 2040}, Edge{2046, 1028, 2040}})
    for (unsigned divisor = 0; divisor < 2048; ++divisor)
      EXPECT_EQ(slow(divide, twice(edge.dividend), twice(divisor)),
                divisor <= edge.last_slow || divisor >= edge.first_slow)
          << edge.dividend << " / " << divisor;
  for (const unsigned dividend : {0U, 53U, 2047U}) EXPECT_TRUE(slow(divide, twice(dividend), twice(dividend)));
  EXPECT_FALSE(slow(divide, twice(54), twice(54)));
}

TEST(SlowPaths, OfReciprocalsAndRoots) {
  struct Edge {
    Op op;
    Type type;
    unsigned first_usual, last_usual;
  };
  for (const Edge& edge :
       {Edge{Op::Rcp, Type::F32, 1, 252}, Edge{Op::Sqrt, Type::F32, 26, 254}, Edge{Op::Rcp, Type::F64, 1, 2044},
        Edge{Op::Sqrt, Type::F64, 53, 2046}, Edge{Op::Rsqrt, Type::F64, 1, 2046}}) {
    const Instruction instruction = instruction_of(edge.op, edge.type);
    const auto number = edge.type == Type::F64 ? twice : single;
    for (unsigned exponent = 0; exponent < (edge.type == Type::F64 ? 2048U : 256U); ++exponent)
      EXPECT_EQ(slow(instruction, number(exponent)), exponent < edge.first_usual || exponent > edge.last_usual)
          << static_cast<int>(edge.op) << " of " << exponent;
  }
}

TEST(SlowPaths, RootsOfNegativeNumbersAreSpecial) {
  EXPECT_EQ(value_range(instruction_of(Op::Sqrt, Type::F32), 0xbf80'0000, 0), ValueRange::Special);
  EXPECT_EQ(value_range(instruction_of(Op::Rcp, Type::F32), 0xbf80'0000, 0), ValueRange::Usual);
}

TEST(SlowPaths, ApproximationsHaveNone) {
  Instruction approximate = instruction_of(Op::Div, Type::F32);
  EXPECT_TRUE(has_slow_path(approximate));
  approximate.mods.set(static_cast<size_t>(Mod::Approx));
  EXPECT_FALSE(has_slow_path(approximate));
  EXPECT_FALSE(has_slow_path(instruction_of(Op::Div, Type::U32)));
}

}  // namespace
}  // namespace heddle::test::slow_paths_test
