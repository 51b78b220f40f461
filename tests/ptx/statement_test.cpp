#include "parse_text.h"

namespace heddle::ptx {
namespace {

using Texts = std::vector<std::string>;

template <typename T>
T statement(const std::string& body, size_t index = 0) {
  return std::get<T>(std::move(parse_body(body).body.statements.at(index)));
}

TEST(Statement, RegistersAreDeclaredOneByOneOrNumbered) {
  const Function function = parse_body(".reg .b32 %a, b, %rt<4>;");
  ASSERT_EQ(function.body.statements.size(), 3u);
  const auto& single = std::get<Registers>(function.body.statements[1]);
  const auto& numbered = std::get<Registers>(function.body.statements[2]);
  EXPECT_EQ(single.name, "b");
  EXPECT_EQ(single.count, 0u);
  EXPECT_EQ(single.type, Type::B32);
  EXPECT_EQ(numbered.name, "%rt");
  EXPECT_EQ(numbered.count, 4u);
  EXPECT_EQ(numbered.place.column, 18u);
}

TEST(Statement, RegistersMayBeVectors) {
  const auto registers = statement<Registers>(".reg .v4 .f32 v;");
  EXPECT_EQ(registers.vector, 4u);
  EXPECT_EQ(registers.type, Type::F32);
}

TEST(Statement, AnyNumberOfRegistersCostsNothingHere) {
  EXPECT_EQ(statement<Registers>(".reg .b32 %r<4294967295>;").count, 4294967295u);
  EXPECT_EQ(complaint_of(in_kernel(".reg .b32 %r<4294967296>;")),
            "2:14: error: expected a number of at most 32 bits, found '4294967296'");
}

TEST(Statement, NoRegistersAreNone) { EXPECT_TRUE(parse_body(".reg .b32 %r<0>;").body.statements.empty()); }

TEST(Statement, ALabelStandsBeforeWhatItLabels) {
  const Function function = parse_body("$L1: ret; L2 : }  .entry other {");
  ASSERT_EQ(function.body.statements.size(), 3u);
  EXPECT_EQ(std::get<Label>(function.body.statements[0]).name, "$L1");
  EXPECT_EQ(std::get<Instruction>(function.body.statements[1]).opcode, "ret");
  EXPECT_EQ(std::get<Label>(function.body.statements[2]).name, "L2");
}

TEST(Statement, BracesOpenAScope) {
  const Function function = parse_body("{ .reg .b32 a; { ret; } } exit;");
  ASSERT_EQ(function.body.statements.size(), 2u);
  const Block& outer = *std::get<std::unique_ptr<Block>>(function.body.statements[0]);
  ASSERT_EQ(outer.statements.size(), 2u);
  const Block& inner = *std::get<std::unique_ptr<Block>>(outer.statements[1]);
  EXPECT_EQ(std::get<Instruction>(inner.statements.at(0)).opcode, "ret");
}

TEST(Statement, TargetsAreListedUnderALabel) {
  const auto branch = statement<BranchTargets>("jumps: .branchtargets\n L1,\n L2;");
  EXPECT_EQ(branch.name, "jumps");
  EXPECT_EQ(branch.targets, (Texts{"L1", "L2"}));
  EXPECT_EQ(statement<BranchTargets>("calls: .calltargets f;").targets, Texts{"f"});
}

TEST(Statement, APrototypeHasResultsAndParameters) {
  const auto prototype = statement<Prototype>(
      "p0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[24]) .noreturn;");
  EXPECT_EQ(prototype.name, "p0");
  ASSERT_EQ(prototype.results.size(), 1u);
  EXPECT_EQ(prototype.results[0].type, Type::B32);
  ASSERT_EQ(prototype.parameters.size(), 2u);
  EXPECT_EQ(prototype.parameters[1].bytes(), 24u);
  EXPECT_EQ(prototype.parameters[1].align, 8u);
  EXPECT_TRUE(prototype.noreturn);
}

TEST(Statement, APrototypeMayBeEmpty) {
  const auto prototype = statement<Prototype>("p0: .callprototype _ ();");
  EXPECT_TRUE(prototype.results.empty());
  EXPECT_TRUE(prototype.parameters.empty());
  EXPECT_FALSE(prototype.noreturn);
}

TEST(Statement, VariablesMayBeLocalToAScope) {
  const auto shared = statement<Variable>(".shared .align 16 .b8 tile[64];");
  EXPECT_EQ(shared.space, Space::Shared);
  EXPECT_EQ(shared.bytes(), 64u);
  EXPECT_EQ(statement<Variable>(".local .f64 x;").space, Space::Local);
  EXPECT_EQ(statement<Variable>(".param .b32 x;").space, Space::Param);
}

TEST(Statement, APragmaIsAboutTheInstructionBehindIt) {
  EXPECT_EQ(statement<Instruction>(".pragma \"nounroll\"; ret;").opcode, "ret");
  EXPECT_TRUE(statement<Instruction>(".pragma \"nounroll\"; ret;").nounroll);
  EXPECT_FALSE(statement<Instruction>(".pragma \"other\"; ret;").nounroll);
  EXPECT_FALSE(statement<Instruction>("ret;").nounroll);
}

TEST(Statement, AnUnknownDirectiveIsAnErrorThatListsTheKnownOnes) {
  EXPECT_EQ(error_of(in_kernel("\t.foo .b32 x;")),
            "k.ptx:2:2: error: expected .reg, .local, .shared, .param, .global, .const, .loc or .pragma, "
            "found '.foo'\n\t.foo .b32 x;\n\t^");
}

TEST(Statement, AnUnknownTypeIsAnError) {
  EXPECT_EQ(complaint_of(in_kernel(".reg .b33 x;")), "2:6: error: expected a type such as .b32, found '.b33'");
  EXPECT_EQ(complaint_of(in_kernel(".reg x;")), "2:6: error: expected a type such as .b32, found 'x'");
}

TEST(Statement, WhatBeginsNoStatementIsAnErrorInItsOwnLine) {
  EXPECT_EQ(complaint_of(in_kernel("ret;\n  ) ret;")),
            "3:3: error: expected an instruction, a label, a directive or '}', found ')'");
}

TEST(Statement, ABraceThatIsNotClosedIsAnErrorWhereItOpens) {
  EXPECT_EQ(complaint_of(".version 8.0\n.entry k\n{ ret;"),
            "3:1: error: expected '}' to close this, found end of file");
  EXPECT_EQ(complaint_of(".version 8.0\n.entry k\n{\n{ }"),
            "3:1: error: expected '}' to close this, found end of file");
}

}  // namespace
}  // namespace heddle::ptx
