#include "parse_text.h"

namespace heddle::ptx {
namespace {

TEST(Operand, ANameKeepsTheDottedPartsThatTouchIt) {
  EXPECT_EQ(std::get<Name>(parse_operand_text("%r1").value).text, "%r1");
  EXPECT_EQ(std::get<Name>(parse_operand_text("%tid.x").value).text, "%tid.x");
  EXPECT_EQ(std::get<Name>(parse_operand_text("v.w").value).text, "v.w");
}

TEST(Operand, ASymbolMayHaveAnOffset) {
  const Name name = std::get<Name>(parse_operand_text("table+8-2*3").value);
  EXPECT_EQ(name.text, "table");
  EXPECT_EQ(name.offset, 2);
}

TEST(Operand, AnUnderscoreIsTheSink) {
  EXPECT_TRUE(std::holds_alternative<Sink>(parse_operand_text("_").value));
  EXPECT_EQ(std::get<Name>(parse_operand_text("_a").value).text, "_a");
}

TEST(Operand, AnExclamationMarkNegatesAName) {
  const Operand operand = parse_operand_text("!%p1");
  EXPECT_TRUE(operand.negated);
  EXPECT_EQ(std::get<Name>(operand.value).text, "%p1");
  EXPECT_FALSE(parse_operand_text("%p1").negated);
}

TEST(Operand, AMinusNegatesARegisterOfVmadAlone) {
  const Instruction vmad = parse_one("vmad.s32.s32.s32 %r1, -%r2.h0, -5, %r3;");
  ASSERT_EQ(vmad.operands.size(), 4u);
  EXPECT_TRUE(vmad.operands[1].minus);
  EXPECT_EQ(std::get<Name>(vmad.operands[1].value).text, "%r2.h0");
  EXPECT_FALSE(vmad.operands[2].minus);
  EXPECT_EQ(std::get<Immediate>(vmad.operands[2].value).bits, static_cast<uint64_t>(-5));
  EXPECT_FALSE(vmad.operands[3].minus);
  EXPECT_EQ(parse_one("vadd.s32.s32.s32 %r1, -%r2, %r3;").unparsed, "%r1, -%r2, %r3");
}

TEST(Operand, ABarMakesAPair) {
  const Pair pair = std::get<Pair>(parse_operand_text("%p1|_").value);
  ASSERT_EQ(pair.both.size(), 2u);
  EXPECT_EQ(std::get<Name>(pair.both[0].value).text, "%p1");
  EXPECT_TRUE(std::holds_alternative<Sink>(pair.both[1].value));
}

TEST(Operand, AVectorHoldsOperands) {
  const Vector vector = std::get<Vector>(parse_operand_text("{%r1, _, -5, %r4}").value);
  ASSERT_EQ(vector.elements.size(), 4u);
  EXPECT_EQ(std::get<Name>(vector.elements[0].value).text, "%r1");
  EXPECT_TRUE(std::holds_alternative<Sink>(vector.elements[1].value));
  EXPECT_EQ(std::get<Immediate>(vector.elements[2].value).bits, static_cast<uint64_t>(-5));
}

TEST(Operand, ATextureHasCoordinates) {
  const AddressOf address = std::get<AddressOf>(parse_operand_text("[%rd1, {%f1, %f2}]").value);
  EXPECT_EQ(address.base, "%rd1");
  ASSERT_EQ(address.coordinates.size(), 2u);
  EXPECT_EQ(std::get<Name>(address.coordinates[1].value).text, "%f2");
}

void expect_address(const std::string& text, const std::string& base, int64_t offset) {
  const AddressOf address = std::get<AddressOf>(parse_operand_text(text).value);
  EXPECT_EQ(address.base, base) << text;
  EXPECT_EQ(address.offset, offset) << text;
}

TEST(Operand, AnAddressIsABaseAndAnOffset) {
  expect_address("[%rd1]", "%rd1", 0);
  expect_address("[%rd1+8]", "%rd1", 8);
  expect_address("[%rd1+-4]", "%rd1", -4);
  expect_address("[%rd1-4]", "%rd1", -4);
  expect_address("[symbol + 4*4 + 1]", "symbol", 17);
  expect_address("[v.x+0x10]", "v.x", 16);
}

TEST(Operand, AnAddressMayBeANumber) {
  expect_address("[16]", "", 16);
  expect_address("[WARP_SZ*2]", "", 64);
}

TEST(Operand, KnowsItsPlace) {
  const Instruction instruction = parse_one("add.s32 %r1, [%r2], !%p;");
  EXPECT_EQ(instruction.operands[0].place.column, 9u);
  EXPECT_EQ(instruction.operands[1].place.column, 14u);
  EXPECT_EQ(instruction.operands[2].place.column, 21u);
  EXPECT_EQ(instruction.operands[2].place.line, 2u);
}

TEST(Operand, AnOffsetThatIsNoWholeNumberIsAnError) {
  EXPECT_EQ(complaint_of(in_kernel("op [a+1.5];")), "2:7: error: expected an offset, a whole number");
  EXPECT_EQ(complaint_of(in_kernel("op [1.5];")), "2:5: error: expected an address, a whole number");
}

TEST(Operand, AMissingOperandIsAnErrorWhereItShouldBe) {
  EXPECT_EQ(complaint_of(in_kernel("add a, ;")), "2:8: error: expected an operand, found ';'");
  EXPECT_EQ(complaint_of(in_kernel("add a, , b;")), "2:8: error: expected an operand, found ','");
  EXPECT_EQ(complaint_of(in_kernel("mov {a,}, b;")), "2:8: error: expected an operand, found '}'");
}

}  // namespace
}  // namespace heddle::ptx
