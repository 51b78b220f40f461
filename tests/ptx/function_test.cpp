#include "parse_text.h"

namespace heddle::ptx {
namespace {

Function function_of(const std::string& text) { return std::move(parse_text(".version 8.0\n" + text).functions.at(0)); }

TEST(Function, AKernelHasParameters) {
  const Function function =
      function_of(".visible .entry k(.param .u64 .ptr .global .align 8 a, .param .align 8 .b8 b[24]) { ret; }");
  EXPECT_TRUE(function.is_entry);
  EXPECT_TRUE(function.has_body);
  EXPECT_TRUE(function.is_visible);
  EXPECT_EQ(function.name, "k");
  ASSERT_EQ(function.parameters.size(), 2u);
  EXPECT_EQ(function.parameters[0].name, "a");
  EXPECT_EQ(function.parameters[0].type, Type::U64);
  EXPECT_EQ(function.parameters[0].alignment(), 8u);
  EXPECT_EQ(function.parameters[1].bytes(), 24u);
  EXPECT_EQ(function.parameters[1].space, Space::Param);
}

TEST(Function, TheAlignmentOfAPointeeIsNotThatOfTheParameter) {
  EXPECT_EQ(function_of(".entry k(.param .u32 .ptr .align 64 a) { }").parameters.at(0).align, 0u);
}

TEST(Function, AKernelMayHaveNoParameterList) { EXPECT_TRUE(function_of(".entry k { ret; }").parameters.empty()); }

TEST(Function, ADeviceFunctionHasResults) {
  const Function function = function_of(".func (.param .b32 r) f(.reg .f32 x) { ret; }");
  EXPECT_FALSE(function.is_entry);
  ASSERT_EQ(function.results.size(), 1u);
  EXPECT_EQ(function.results[0].name, "r");
  EXPECT_EQ(function.parameters.at(0).space, Space::Reg);
}

TEST(Function, ADeclarationHasNoBody) {
  const Function function = function_of(".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b8 b[]) ;");
  EXPECT_TRUE(function.is_extern);
  EXPECT_FALSE(function.has_body);
  EXPECT_EQ(function.parameters.at(1).dimensions, std::vector<uint64_t>{0});
}

TEST(Function, FindPrefersTheDefinition) {
  const Module module = parse_text(".version 8.0 .func f(); .func g(); .func f() { ret; }");
  ASSERT_EQ(module.functions.size(), 3u);
  EXPECT_EQ(module.find("f"), &module.functions[2]);
  EXPECT_EQ(module.find("g"), &module.functions[1]);
  EXPECT_EQ(module.find("h"), nullptr);
}

TEST(Function, PerformanceDirectivesAreKept) {
  const Function function = function_of(".entry k() .maxntid 16, 8 .reqntid 128 .minnctapersm 2 .maxnreg 64 { ret; }");
  EXPECT_EQ(function.maxntid[0], 16u);
  EXPECT_EQ(function.maxntid[1], 8u);
  EXPECT_EQ(function.maxntid[2], 1u);
  EXPECT_EQ(function.reqntid[0], 128u);
  EXPECT_EQ(function.minnctapersm, 2u);
  EXPECT_EQ(function.maxnreg, 64u);
}

TEST(Function, AbsentPerformanceDirectivesAreZero) {
  const Function function = function_of(".entry k() { ret; }");
  EXPECT_EQ(function.maxntid[0], 0u);
  EXPECT_EQ(function.maxnreg, 0u);
}

TEST(Function, OtherDirectivesAreAccepted) {
  const Function function = function_of(
      ".func .attribute(.unified(1, 2)) f() .noreturn .abi_preserve 4 .abi_preserve_control 5 "
      ".pragma \"x\"; .explicitcluster .reqnctapercluster 2, 1, 1 .maxclusterrank 8 .blocksareclusters { }");
  EXPECT_TRUE(function.noreturn);
  EXPECT_EQ(function.name, "f");
}

TEST(Function, DefinedTwiceIsAnErrorAtTheSecond) {
  EXPECT_EQ(complaint_of(".entry k() { }\n.entry k() { }"), "2:8: error: function 'k' is defined twice");
}

TEST(Function, APrototypeEndsWhereTheNextDeclarationBegins) {
  for (const char* next : {".func g() { }", ".visible .entry g() { }", ".extern .func g()\n.func h() { }",
                           ".global .u32 x;\n.func g() { }", ".const .u32 x;\n.func g() { }"}) {
    const Module module = parse_text(".version 2.0\n.func (.param .b32 r) f(.param .u64 a)\n" + std::string(next));
    EXPECT_FALSE(module.functions.at(0).has_body) << next;
    EXPECT_EQ(module.functions.at(0).parameters.size(), 1U) << next;
    EXPECT_EQ(module.functions.at(1).name, "g") << next;
  }
}

TEST(Function, NeedsABodyOrASemicolon) {
  EXPECT_EQ(complaint_of(".entry f()\n.func g() { }"), "1:11: error: expected '{' or ';', found '.func'");
  EXPECT_EQ(complaint_of(".func f()\n.param .b32 x;"),
            "2:1: error: expected a directive of a function such as .maxntid, '{' or ';', found '.param'");
  EXPECT_EQ(complaint_of(".func f()"), "1:10: error: expected '{' or ';', found end of file");
}

TEST(Function, AParameterIsInParamOrReg) {
  EXPECT_EQ(complaint_of(".entry k(.global .u32 x) { }"), "1:10: error: expected .param or .reg, found '.global'");
  EXPECT_EQ(complaint_of(".entry k(.param .u32 x,) { }"), "1:24: error: expected .param or .reg, found ')'");
  EXPECT_EQ(complaint_of(".entry k(.param .u32 x .param .u32 y) { }"), "1:24: error: expected ')', found '.param'");
}

TEST(SourceLines, AnInstructionHasTheLocBeforeIt) {
  const Function function = parse_body("nop;\n.loc 1 10 3\nadd a, b;\nsub a, b;\n.loc 2 20 5\nret;");
  ASSERT_EQ(function.locs.size(), 2u);
  EXPECT_EQ(function.locs[1].file, 2u);
  EXPECT_EQ(function.locs[1].line, 20u);
  EXPECT_EQ(function.locs[1].column, 5u);
  EXPECT_EQ(function.locs[1].inlined_at, -1);
  std::vector<int32_t> locs;
  for (const Statement& statement : function.body.statements) locs.push_back(std::get<Instruction>(statement).loc);
  EXPECT_EQ(locs, (std::vector<int32_t>{-1, 0, 0, 1}));
}

TEST(SourceLines, EachFunctionBeginsWithNone) {
  const Module module = parse_text(".entry a { .loc 1 2 3 ret; } .entry b { ret; }");
  EXPECT_TRUE(module.functions[1].locs.empty());
  EXPECT_EQ(std::get<Instruction>(module.functions[1].body.statements.at(0)).loc, -1);
}

TEST(SourceLines, ACallSiteWithoutALocGetsAnEntry) {
  const Function function = parse_body(".loc 1 5 1, function_name $L__info_string0, inlined_at 1 30 7\nret;");
  ASSERT_EQ(function.locs.size(), 2u);
  const int32_t loc = std::get<Instruction>(function.body.statements.at(0)).loc;
  EXPECT_EQ(function.locs.at(loc).line, 5u);
  const int32_t site = function.locs.at(loc).inlined_at;
  EXPECT_EQ(function.locs.at(site).line, 30u);
  EXPECT_EQ(function.locs.at(site).column, 7u);
  EXPECT_EQ(function.locs.at(site).inlined_at, -1);
}

TEST(SourceLines, NestedInliningLeadsBackToTheOutermostCall) {
  const Function function = parse_body(
      ".loc 1 30 7\n"
      ".loc 1 20 5, function_name $L__info_string1+4, inlined_at 1 30 7\n"
      ".loc 1 10 3, function_name $L__info_string2, inlined_at 1 20 5\n"
      "ret;");
  ASSERT_EQ(function.locs.size(), 3u);
  EXPECT_EQ(function.locs[2].inlined_at, 1);
  EXPECT_EQ(function.locs[1].inlined_at, 0);
  EXPECT_EQ(function.locs[0].inlined_at, -1);
}

TEST(SourceLines, ABrokenLocIsAnError) {
  EXPECT_EQ(complaint_of(in_kernel(".loc 1 x 3")), "2:8: error: expected a line, found 'x'");
  EXPECT_EQ(complaint_of(in_kernel(".loc 1 2 3, inlined 4")),
            "2:13: error: expected function_name or inlined_at, found 'inlined'");
}

}  // namespace
}  // namespace heddle::ptx
