#include "parse_text.h"

namespace heddle::ptx {
namespace {

std::vector<Variable> variables_of(const std::string& text) { return parse_text(".version 8.0\n" + text).variables; }

Variable variable_of(const std::string& text) { return variables_of(text).at(0); }

TEST(Declaration, HasSpaceTypeAndName) {
  const Variable variable = variable_of(".global .u32 counter;");
  EXPECT_EQ(variable.space, Space::Global);
  EXPECT_EQ(variable.type, Type::U32);
  EXPECT_EQ(variable.name, "counter");
  EXPECT_FALSE(variable.is_array);
  EXPECT_EQ(variable.bytes(), 4u);
  EXPECT_EQ(variable.alignment(), 4u);
  EXPECT_EQ(variable.place.line, 2u);
  EXPECT_EQ(variable.place.column, 14u);
}

TEST(Declaration, ArraysHaveDimensions) {
  const Variable variable = variable_of(".const .align 16 .f32 m[2][WARP_SZ/8];");
  EXPECT_EQ(variable.space, Space::Const);
  EXPECT_EQ(variable.dimensions, (std::vector<uint64_t>{2, 4}));
  EXPECT_TRUE(variable.is_array);
  EXPECT_EQ(variable.count(), 8u);
  EXPECT_EQ(variable.bytes(), 32u);
  EXPECT_EQ(variable.alignment(), 16u);
}

TEST(Declaration, VectorsCountTheirElements) {
  const Variable variable = variable_of(".shared .v4 .f32 v[3];");
  EXPECT_EQ(variable.count(), 12u);
  EXPECT_EQ(variable.bytes(), 48u);
  EXPECT_EQ(variable.alignment(), 16u);
}

TEST(Declaration, AnOpenArrayHasNoBytesYet) {
  const Variable variable = variable_of(".extern .shared .align 16 .b8 dynamic[];");
  EXPECT_TRUE(variable.is_extern);
  EXPECT_TRUE(variable.is_array);
  EXPECT_EQ(variable.dimensions, std::vector<uint64_t>{0});
  EXPECT_EQ(variable.bytes(), 0u);
}

TEST(Declaration, LinkageIsKept) {
  EXPECT_TRUE(variable_of(".visible .global .u32 x;").is_visible);
  EXPECT_TRUE(variable_of(".weak .global .u32 x;").is_weak);
  EXPECT_TRUE(variable_of(".common .global .u32 x;").is_common);
  EXPECT_FALSE(variable_of(".global .u32 x;").is_visible);
}

TEST(Declaration, AttributesMayComeInAnyOrder) {
  const Variable variable = variable_of(".global .attribute(.managed, .unified(1, 2)) .align 8 .v2 .b32 x;");
  EXPECT_TRUE(variable.is_managed);
  EXPECT_EQ(variable.align, 8u);
  EXPECT_EQ(variable.vector, 2u);
}

TEST(Declaration, SeveralNamesShareOneHead) {
  const std::vector<Variable> variables = variables_of(".global .u16 a, b[3], c = 5;");
  ASSERT_EQ(variables.size(), 3u);
  EXPECT_FALSE(variables[0].is_array);
  EXPECT_EQ(variables[1].bytes(), 6u);
  EXPECT_EQ(variables[2].type, Type::U16);
  EXPECT_EQ(variables[2].initialiser.at(0).number.bits, 5u);
}

TEST(Declaration, NumberedNamesStandForManyVariables) {
  const std::vector<Variable> variables = variables_of(".global .u32 x<3>;");
  ASSERT_EQ(variables.size(), 3u);
  EXPECT_EQ(variables[0].name, "x0");
  EXPECT_EQ(variables[2].name, "x2");
}

TEST(Declaration, OpaqueTypesAreHandles) {
  const std::vector<Variable> variables =
      variables_of(".global .texref t; .global .samplerref s = {addr_mode_0 = wrap, filter_mode = linear};");
  ASSERT_EQ(variables.size(), 2u);
  EXPECT_EQ(variables[0].opaque, "texref");
  EXPECT_EQ(variables[1].opaque, "samplerref");
  EXPECT_EQ(variables[0].bytes(), 8u);
}

TEST(Declaration, AnAlignmentIsAPowerOfTwo) {
  EXPECT_EQ(complaint_of(".global .align 3 .u32 x;"), "1:16: error: expected a power of two as alignment");
  EXPECT_EQ(complaint_of(".global .align 0 .u32 x;"), "1:16: error: expected a power of two as alignment");
}

TEST(Declaration, OnlyRegistersArePredicates) {
  EXPECT_EQ(complaint_of(".global .pred x;"), "1:9: error: only registers can be of type .pred");
}

TEST(Declaration, SizesThatOverflowAreErrors) {
  const std::string large = "error: 'x' is larger than 1099511627776 bytes";
  EXPECT_EQ(complaint_of(".global .b8 x[1099511627777];"), "1:13: " + large);
  EXPECT_EQ(complaint_of(".global .b8 x[4294967296][4294967296];"), "1:13: " + large);
  EXPECT_EQ(complaint_of(".global .b8 x[][18446744073709551615];"), "1:13: " + large);
  EXPECT_EQ(complaint_of(".global .v4 .b64 x[1099511627776];"), "1:18: " + large);
  EXPECT_EQ(variable_of(".global .b8 x[1099511627776];").bytes(), uint64_t{1} << 40);
}

TEST(Declaration, ASizeIsAWholeNumberFromZero) {
  EXPECT_EQ(complaint_of(".global .b8 x[-1];"), "1:15: error: expected the size of the array, a whole number from 0");
  EXPECT_EQ(complaint_of(".global .b8 x[1.5];"), "1:15: error: expected the size of the array, a whole number from 0");
  EXPECT_EQ(complaint_of(".global .b8 x[n];"), "1:15: error: expected the size of the array, found 'n'");
  EXPECT_EQ(complaint_of(".global .b8 x[2][];"), "1:18: error: expected the size of the array, found ']'");
}

TEST(Declaration, NumberedNamesAreBounded) {
  EXPECT_EQ(complaint_of(".global .u32 x<65537>;"), "1:15: error: more than 65536 numbered variables in a module");
  EXPECT_EQ(complaint_of(".global .u32 x<65536>, y<1>;"),
            "1:25: error: more than 65536 numbered variables in a module");
}

TEST(Declaration, AMissingNameIsAnError) {
  EXPECT_EQ(complaint_of(".global .u32 ;"), "1:14: error: expected the name of a variable, found ';'");
}

}  // namespace
}  // namespace heddle::ptx
