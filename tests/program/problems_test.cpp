// What is wrong with a kernel is said at load time, with its place, and keeps no other kernel from running.
#include <gtest/gtest.h>

#include "base/error.h"
#include "program/decoded.h"

namespace heddle::test {
namespace {

// The message of the problem in the only kernel, whose body is `line`; its place must be line 10, column `column`.
std::string problem_of(const std::string& line, unsigned column, std::string_view before = "") {
  try {
    kernel_of(line, before);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadProgram);
    const std::string text = error.what();
    const std::string place = "test.ptx:10:" + std::to_string(column) + ": error: ";
    const size_t at = text.find(place);
    EXPECT_NE(at, std::string::npos) << text;
    if (at == std::string::npos) return text;
    const size_t begin = at + place.size();
    return text.substr(begin, text.find('\n', begin) - begin);
  }
  return "no problem";
}

TEST(Problems, an_unknown_instruction_is_named_with_the_nearest) {
  EXPECT_EQ(problem_of("ad.u32 %r1, %r1, 1;", 1).find("unknown instruction 'ad'; did you mean '"), 0U);
  EXPECT_EQ(problem_of("wibblewobble.u32 %r1;", 1), "unknown instruction 'wibblewobble'");
}

TEST(Problems, an_unknown_modifier_is_named) {
  EXPECT_EQ(problem_of("add.quick.u32 %r1, %r1, 1;", 1), "unknown modifier '.quick' on 'add'");
  EXPECT_EQ(problem_of("and.ftz.b32 %r1, %r1, 1;", 1), "'and' has no modifier '.ftz'");
}

TEST(Problems, a_type_the_instruction_does_not_have_is_named) {
  EXPECT_EQ(problem_of("and.f32 %f1, %f1, %f1;", 1), "'and' does not exist for the type '.f32'");
  EXPECT_EQ(problem_of("add %r1, %r1, 1;", 1), "'add' needs a type");
}

TEST(Problems, modifiers_that_exist_but_not_together_are_told_apart) {
  EXPECT_EQ(problem_of("mul.lo.hi.u32 %r1, %r1, 1;", 1), "this combination of modifiers does not exist for 'mul'");
}

TEST(Problems, a_register_of_the_wrong_width_is_named_with_its_place) {
  EXPECT_EQ(problem_of("add.u32 %r1, %rd2, 1;", 14), "'%rd2' is 64 bits wide, but the instruction needs 32 bits");
  EXPECT_EQ(problem_of("add.u32 %r1, %p2, 1;", 14), "'%p2' is a predicate, but the instruction needs 32 bits");
  EXPECT_EQ(problem_of("selp.b32 %r1, %r2, %r3, %r4;", 25),
            "'%r4' is 32 bits wide, but the instruction needs a predicate");
}

TEST(Problems, unknown_names_and_labels_are_named) {
  EXPECT_EQ(problem_of("add.u32 %r1, %q9, 1;", 14), "unknown name '%q9'");
  EXPECT_EQ(problem_of("bra NOWHERE;", 5), "unknown label 'NOWHERE'");
  EXPECT_EQ(problem_of("call.uni nobody;", 1).find("an indirect call needs"), 0U);
  EXPECT_EQ(problem_of("@%r1 bra L; L: ret;", 1), "the guard '%r1' is not a predicate register");
}

TEST(Problems, registers_beyond_the_declared_range_do_not_exist) {
  EXPECT_EQ(problem_of("mov.u32 %r32, 1;", 9), "unknown register '%r32'");
  EXPECT_EQ(problem_of("mov.u32 %r31, 1;", 9), "no problem");
}

TEST(Problems, a_wrong_number_of_operands_is_counted) {
  EXPECT_EQ(problem_of("add.u32 %r1, %r1;", 1), "'add' does not take 2 operands");
}

TEST(Problems, functions_that_are_only_declared_are_named) {
  EXPECT_EQ(problem_of("call.uni f;", 1, ".extern .func f();"),
            "the function 'f' is declared but not defined in this module");
  EXPECT_EQ(problem_of("call.uni __cuda_syscall_launch;", 1, ".extern .func __cuda_syscall_launch();"),
            "kernels that launch kernels are not supported: '__cuda_syscall_launch' is of NVIDIA's device runtime");
}

constexpr std::string_view kTwoKernels = R"(
.func helper() {
  .reg .b32 %r<2>;
  unheardof.u32 %r1;
  ret;
}
.visible .entry good() { ret; }
.visible .entry bad() {
  call.uni helper;
  ret;
}
.visible .entry worse() {
  .reg .b32 %r<2>;
  wrong.u32 %r1;
  call.uni helper;
  ret;
}
)";

TEST(Problems, keep_the_kernels_they_affect_from_running_and_no_others) {
  const auto program = program_of(kTwoKernels);
  EXPECT_EQ(program->kernel_names(), (std::vector<std::string>{"good", "bad", "worse"}));
  EXPECT_NO_THROW(program->kernel("good"));
  EXPECT_THROW(program->kernel("bad"), Error);
  EXPECT_THROW(program->kernel("worse"), Error);
}

TEST(Problems, are_listed_once_each_with_the_kernels_they_affect) {
  const std::string text = program_of(kTwoKernels)->problems();
  const size_t first = text.find("test.ptx:7:3: error: unknown instruction 'unheardof'");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("test.ptx:7:3", first + 1), std::string::npos) << "twice: " << text;
  EXPECT_NE(text.find("affects: bad, worse", first), std::string::npos) << text;
  const size_t second = text.find("test.ptx:17:3: error: unknown instruction 'wrong'");
  ASSERT_NE(second, std::string::npos) << text;
  EXPECT_NE(text.find("affects: worse", second), std::string::npos) << text;
}

TEST(Problems, a_module_without_any_has_none) { EXPECT_EQ(program_of(".visible .entry k() { ret; }")->problems(), ""); }

TEST(Problems, an_unknown_kernel_lists_the_known_ones) {
  try {
    program_of(kTwoKernels)->kernel("god");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "test.ptx: no kernel 'god'; did you mean 'good' or 'bad'? (kernels: good, bad, worse)");
  }
}

}  // namespace
}  // namespace heddle::test
