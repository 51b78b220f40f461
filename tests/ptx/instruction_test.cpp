#include "parse_text.h"

namespace heddle::ptx {
namespace {

using Texts = std::vector<std::string>;

TEST(Instruction, HasAnOpcodeAndItsModifiersInOrder) {
  const Instruction instruction = parse_one("ld.global.L1::no_allocate.L2::128B.v2.f32 {%f1, %f2}, [%rd1];");
  EXPECT_EQ(instruction.opcode, "ld");
  EXPECT_EQ(instruction.modifiers, (Texts{"global", "L1::no_allocate", "L2::128B", "v2", "f32"}));
  EXPECT_EQ(instruction.operands.size(), 2u);
  EXPECT_EQ(instruction.guard, std::nullopt);
  EXPECT_EQ(instruction.call, nullptr);
  EXPECT_EQ(instruction.unparsed, "");
}

TEST(Instruction, MayHaveNoOperands) {
  const Instruction instruction = parse_one("bar.warp.sync;");
  EXPECT_EQ(instruction.opcode, "bar");
  EXPECT_TRUE(instruction.operands.empty());
}

TEST(Instruction, ModifiersMayStandApart) { EXPECT_EQ(parse_one("add .s32 a, b, c;").modifiers, Texts{"s32"}); }

TEST(Instruction, ManyModifiersAreAllKept) {
  std::string text = "op";
  for (int i = 0; i < 40; ++i) text += ".m" + std::to_string(i);
  const Instruction instruction = parse_one(text + ";");
  ASSERT_EQ(instruction.modifiers.size(), 40u);
  EXPECT_EQ(instruction.modifiers[39], "m39");
}

TEST(Instruction, AGuardMayBeNegated) {
  const Instruction plain = parse_one("@%p1 bra L;"), negated = parse_one("@!q ret;");
  ASSERT_TRUE(plain.guard && negated.guard);
  EXPECT_EQ(plain.guard->name, "%p1");
  EXPECT_FALSE(plain.guard->negated);
  EXPECT_EQ(plain.place.column, 6u);
  EXPECT_EQ(negated.guard->name, "q");
  EXPECT_TRUE(negated.guard->negated);
}

TEST(Instruction, MayRunOverSeveralLines) {
  EXPECT_EQ(parse_one("add.s32\n %r1,\n %r2 // two\n, 5\n;").operands.size(), 3u);
}

TEST(Call, MayHaveNothingButATarget) {
  const Instruction instruction = parse_one("call.uni f;");
  ASSERT_NE(instruction.call, nullptr);
  EXPECT_EQ(std::get<Name>(instruction.call->target.value).text, "f");
  EXPECT_TRUE(instruction.call->results.empty());
  EXPECT_TRUE(instruction.call->arguments.empty());
  EXPECT_EQ(instruction.call->prototype, "");
  EXPECT_TRUE(instruction.operands.empty());
}

TEST(Call, MayHaveResultsAndArguments) {
  const Instruction instruction = parse_one("call.uni (r), \n f, \n (\n a, 5\n );");
  ASSERT_NE(instruction.call, nullptr);
  ASSERT_EQ(instruction.call->results.size(), 1u);
  EXPECT_EQ(std::get<Name>(instruction.call->results[0].value).text, "r");
  ASSERT_EQ(instruction.call->arguments.size(), 2u);
  EXPECT_EQ(std::get<Name>(instruction.call->arguments[0].value).text, "a");
  EXPECT_EQ(std::get<Immediate>(instruction.call->arguments[1].value).bits, 5u);
}

TEST(Call, MayHaveEmptyLists) {
  const Instruction instruction = parse_one("call (), f, ();");
  ASSERT_NE(instruction.call, nullptr);
  EXPECT_TRUE(instruction.call->results.empty());
  EXPECT_TRUE(instruction.call->arguments.empty());
}

TEST(Call, ThroughARegisterNamesItsPrototype) {
  const Instruction full = parse_one("call (r), %rd1, (a), prototype_0;");
  ASSERT_NE(full.call, nullptr);
  EXPECT_EQ(std::get<Name>(full.call->target.value).text, "%rd1");
  EXPECT_EQ(full.call->prototype, "prototype_0");
  const Instruction bare = parse_one("call %rd1, targets;");
  ASSERT_NE(bare.call, nullptr);
  EXPECT_EQ(bare.call->prototype, "targets");
  EXPECT_TRUE(bare.call->arguments.empty());
}

void expect_unparsed(const std::string& operands) {
  const Function function = parse_body("op.x.y " + operands + "; ret;");
  ASSERT_EQ(function.body.statements.size(), 2u) << operands;
  const auto& instruction = std::get<Instruction>(function.body.statements[0]);
  EXPECT_EQ(instruction.opcode, "op");
  EXPECT_EQ(instruction.modifiers, (Texts{"x", "y"}));
  EXPECT_EQ(instruction.unparsed, operands);
  EXPECT_TRUE(instruction.operands.empty()) << operands;
  EXPECT_EQ(std::get<Instruction>(function.body.statements[1]).opcode, "ret");
}

TEST(Instruction, OperandsOfUnknownShapeAreKeptAsText) {
  expect_unparsed("{%f1, %f2}, [tex, sampler, {%f3, %f4}]");
  expect_unparsed("%r1, a[2]");
  expect_unparsed("%r1, -%r2.b1");
  expect_unparsed("[%r1+%r2],\n  5");
  expect_unparsed("a, (b), c");
}

TEST(Instruction, AMissingSemicolonIsMissedAtTheEndOfTheLine) {
  EXPECT_EQ(error_of(in_kernel("  add.s32 %r1, %r2, %r3\n  ret;")),
            "k.ptx:2:24: error: expected ',' or ';', found 'ret'\n"
            "  add.s32 %r1, %r2, %r3\n"
            "                       ^");
  EXPECT_EQ(complaint_of(in_kernel("add a, b")), "2:9: error: expected ',' or ';', found '}'");
  EXPECT_EQ(complaint_of(in_kernel("add a, b\n@p ret;")), "2:9: error: expected ',' or ';', found '@'");
  EXPECT_EQ(complaint_of(in_kernel("add a, b\n.reg .b32 c;")), "2:9: error: expected ',' or ';', found '.reg'");
  EXPECT_EQ(complaint_of(in_kernel("tex a, [t, {b}]\nret;")), "2:16: error: expected ',' or ';', found 'ret'");
}

TEST(Instruction, AMissingCommaIsMissedAtTheNextOperand) {
  EXPECT_EQ(complaint_of(in_kernel("add.s32 %r1 %r2;")), "2:13: error: expected ',' or ';', found '%r2'");
}

TEST(Instruction, BracketsThatDoNotMatchAreErrors) {
  EXPECT_EQ(complaint_of(in_kernel("ld a, [b;")), "2:9: error: expected ']', found ';'");
  EXPECT_EQ(complaint_of(in_kernel("mov {a, b;")), "2:10: error: expected '}', found ';'");
  EXPECT_EQ(complaint_of(in_kernel("mov {a, b], c;")), "2:10: error: expected '}', found ']'");
  EXPECT_EQ(complaint_of(in_kernel("call (r, f;")), "2:11: error: expected ')', found ';'");
}

TEST(Instruction, AGuardGuardsAnInstruction) {
  EXPECT_EQ(complaint_of(in_kernel("@p { ret; }")), "2:4: error: expected an instruction, found '{'");
  EXPECT_EQ(complaint_of(in_kernel("@5 ret;")), "2:2: error: expected a predicate register, found '5'");
}

}  // namespace
}  // namespace heddle::ptx
