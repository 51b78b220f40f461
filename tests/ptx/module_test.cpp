#include "parse_text.h"

namespace heddle::ptx {
namespace {

// As nvopencc wrote, which compiled CUDA up to 2011.
TEST(Module, ThoseOf2010AreRead) {
  const Module module = parse_text(R"(
    .version 1.4
    .target sm_10, map_f64_to_f32
    .reg .u32 %ra<17>;
    .reg .f64 %fv1, %fv2;
    .func (.reg .u32 %rv1) helper (.reg .u64 %rda1)
    .tex .u64 picture;
    .func again
    .file 1 "<command-line>"
    .entry k ( .param .u32 __cudaparm_k_n) { ret; }
  )");
  EXPECT_EQ(module.address_size, 0u);
  ASSERT_EQ(module.registers.size(), 3u);
  EXPECT_EQ(module.registers[0].count, 17u);
  EXPECT_EQ(module.registers[2].name, "%fv2");
  ASSERT_EQ(module.functions.size(), 3u);
  EXPECT_FALSE(module.functions[0].has_body);
  EXPECT_EQ(module.variables.at(0).opaque, "texref");
  EXPECT_EQ(module.files.at(0).name, "<command-line>");
}

TEST(Module, TheHeadIsRead) {
  const Module module = parse_text(".version 9.0\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_EQ(module.version, 90u);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.address_size, 64u);
  EXPECT_EQ(module.source->name(), "k.ptx");
}

TEST(Module, VersionsHaveAMajorAndAMinorNumber) {
  EXPECT_EQ(parse_text(".version 6.3").version, 63u);
  EXPECT_EQ(parse_text(".version 10.2").version, 102u);
  EXPECT_EQ(complaint_of(".version 9"), "1:10: error: expected a version such as 9.0, found '9'");
  EXPECT_EQ(complaint_of(".version nine"), "1:10: error: expected a version such as 9.0, found 'nine'");
  EXPECT_EQ(complaint_of(".version 9.0.1"), "1:10: error: expected a version such as 9.0, found '9.0.1'");
}

TEST(Module, FilesAreKept) {
  const Module module = parse_text(".file 1 \"a.cu\"\n.file 2 \"b.h\", 1640995200, 1234\n");
  ASSERT_EQ(module.files.size(), 2u);
  EXPECT_EQ(module.files[0].name, "a.cu");
  EXPECT_EQ(module.files[1].index, 2u);
  EXPECT_EQ(module.files[1].name, "b.h");
}

TEST(Module, DebugSectionsAreSkipped) {
  const Module module = parse_text(
      ".section .debug_info\n{\n.b32 .debug_abbrev\n.b8 0xFF, 1\n{ }\n}\n.section .debug_loc { }\n.entry k { "
      "}");
  EXPECT_EQ(module.functions.size(), 1u);
  EXPECT_TRUE(module.variables.empty());
}

TEST(Module, AliasesAreKept) {
  const Module module = parse_text(".func f(); .func g() { ret; } .alias f, g;");
  ASSERT_EQ(module.aliases.size(), 1u);
  EXPECT_EQ(module.aliases[0].name, "f");
  EXPECT_EQ(module.aliases[0].target, "g");
}

TEST(Module, PragmasAreSkipped) { EXPECT_EQ(parse_text(".pragma \"a\", \"b\"; .entry k { }").functions.size(), 1u); }

TEST(Module, AnEmptyTextIsNoModule) {
  EXPECT_EQ(complaint_of(""), "1:1: error: expected a PTX module that begins with .version, found end of file");
  EXPECT_EQ(complaint_of("// nothing\n"),
            "2:1: error: expected a PTX module that begins with .version, found end of file");
}

TEST(Module, WhatIsNoDirectiveIsAnError) {
  EXPECT_EQ(error_of(".version 8.0\nint main() {}"),
            "k.ptx:2:1: error: expected a directive such as .entry, .func or .global, found 'int'\n"
            "int main() {}\n"
            "^");
}

TEST(Module, AnUnknownDirectiveListsTheKnownOnes) {
  EXPECT_EQ(complaint_of(".version 8.0\n.visible .kernel k { }"),
            "2:10: error: expected .entry, .func, .global, .const, .shared, .version, .target, .address_size, "
            ".file, .section, .alias or .pragma, found '.kernel'");
}

TEST(Module, ASectionThatIsNotClosedIsAnErrorWhereItOpens) {
  EXPECT_EQ(complaint_of(".section .debug_str {\n.b8 1"), "1:21: error: expected '}' to close this, found end of file");
  EXPECT_EQ(complaint_of(".section .debug_str { ( }"), "1:25: error: expected ')', found '}'");
}

TEST(Module, AddressesHave32Or64Bits) {
  EXPECT_EQ(parse_text(".address_size 32").address_size, 32u);
  EXPECT_EQ(complaint_of(".address_size 16"), "1:15: error: expected 32 or 64, found '16'");
}

}  // namespace
}  // namespace heddle::ptx
