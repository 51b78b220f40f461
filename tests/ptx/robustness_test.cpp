// Text made to exhaust the parser ends with an error or a small result.
#include "parse_text.h"

namespace heddle::ptx {
namespace {

std::string repeat(const std::string& text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

constexpr size_t many = 100000;

TEST(Robustness, NestingIsBoundedInEveryConstruct) {
  for (const std::string nest : {"{", "op {", "op (", "op - ", "op !", "op 1 ? ", "op (.s64)"}) {
    const std::string head = nest.starts_with("op ") ? "op " : "";
    const std::string text = in_kernel(head + repeat(nest.substr(head.size()), many));
    EXPECT_TRUE(complaint_of(text).ends_with("nested more than 256 levels deep")) << nest;
  }
}

TEST(Robustness, NestingBelowTheBoundIsFine) {
  EXPECT_EQ(parse_body(repeat("{", 200) + repeat("}", 200)).body.statements.size(), 1u);
  EXPECT_EQ(std::get<Immediate>(parse_operand_text(repeat("(", 100) + "7" + repeat(")", 100)).value).bits, 7u);
}

TEST(Robustness, DimensionsAreBounded) {
  EXPECT_EQ(complaint_of(".global .b8 x" + repeat("[1]", many) + ";"), "1:208: error: expected at most 64 dimensions");
}

TEST(Robustness, EveryPrefixOfAModuleParsesOrIsAnError) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.file 1 \"a\"\n.global .u64 t[2] = {f, 0xFF(generic(t)+8)};\n"
      ".func (.param .b32 r) f(.param .b32 x) .noreturn { .loc 1 2 3, function_name f, inlined_at 1 2 3\n"
      ".reg .b32 %r<4>; @!%p bra L; L: call (r), %rd, (x), p; p: .callprototype _ (); /* */ "
      "tex.2d {a, b}, [t, {c}]; setp p|q, [a+-4], 0f3F800000; }\n.section .debug_str { .b8 1 }\n";
  EXPECT_EQ(parse_text(text).functions.size(), 1u);
  for (size_t size = 0; size < text.size(); ++size) {
    try {
      parse_text(text.substr(0, size));
    } catch (const InternalError& error) {
      ADD_FAILURE() << "at " << size << ": " << error.what();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::BadProgram);
    }
  }
}

}  // namespace
}  // namespace heddle::ptx
