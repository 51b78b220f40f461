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

TEST(Problems, what_is_left_out_is_named_as_such) {
  EXPECT_EQ(problem_of("wgmma.fence.sync.aligned;", 1),
            "'wgmma' is not supported: tensor-core instructions of several warps are left out");
  EXPECT_EQ(problem_of("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2}, %r3, 0;", 1),
            "'mma' with '.sp' is not supported: sparse matrices are left out");
  EXPECT_EQ(
      problem_of("cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r3];",
                 1),
      "'cp' with '.tensor' is not supported: tensor maps are left out");
  EXPECT_EQ(
      problem_of("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r2], 16, [%r3];", 1),
      "'cp' with '.shared::cluster' is not supported: clusters and their shared memory are left out");
  EXPECT_EQ(problem_of("tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r3, %r3}];", 1),
            "'tex' with '.2dms' is not supported: multi-sample textures are left out");
  EXPECT_EQ(problem_of("sust.p.2d.v4.b32.trap [%rd1, {%r1, %r2}], {%r3, %r4, %r5, %r6};", 1),
            "'sust' with '.p' is not supported: formatted stores to surfaces are left out");
  EXPECT_EQ(problem_of("ld.shared::cluster.u32 %r1, [%r2];", 1),
            "'ld' with '.shared::cluster' is not supported: clusters and their shared memory are left out");
  EXPECT_EQ(problem_of("barrier.cluster.arrive.aligned;", 1),
            "'barrier' with '.cluster' is not supported: clusters and their barriers are left out");
}

TEST(Problems, the_coordinates_of_an_image_are_counted) {
  EXPECT_EQ(problem_of("tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f1}];", 42),
            "an image, a layer and 2 coordinates are expected here");
  EXPECT_EQ(problem_of("suld.b.3d.b32.trap {%r1}, [%rd1, {%r1, %r2}];", 27),
            "an image and 3 coordinates are expected here");
  EXPECT_EQ(problem_of("tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}], {%f1}, {%f1, %f2};", 66),
            "a gradient of 2 numbers is expected here");
  EXPECT_EQ(problem_of("tex.cube.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r3, %r3}];", 1),
            "this combination of modifiers does not exist for 'tex'");
}

TEST(Problems, the_registers_of_a_matrix_are_counted) {
  EXPECT_EQ(
      problem_of(
          "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1}, {%r2}, {%f1, %f2, %f3, %f4};",
          72),
      "2 registers are expected here, not 1");
  EXPECT_EQ(problem_of("mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};", 1),
            "this combination of modifiers does not exist for 'mma'");
  EXPECT_EQ(problem_of("movmatrix.sync.aligned.m8n8.trans.b16 %r1;", 1), "'movmatrix' does not take 1 operands");
}

TEST(Problems, what_only_makes_a_gpu_faster_or_orders_nothing_here_is_none) {
  for (const char* line :
       {"setmaxnreg.inc.sync.aligned.u32 232;", "setmaxnreg.dec.sync.aligned.u32 40;",
        "applypriority.global.L2::evict_normal [%rd1], 128;", "griddepcontrol.wait;",
        "griddepcontrol.launch_dependents;", "fence.mbarrier_init.release.cluster;", "fence.proxy.alias;",
        "fence.proxy.async;", "fence.proxy.async.global;", "fence.proxy.async.shared::cta;", "elect.sync %r1|%p1, -1;"})
    EXPECT_EQ(problem_of(line, 1), "no problem") << line;
  EXPECT_EQ(problem_of("setmaxnreg.sync.aligned.u32 40;", 1),
            "this combination of modifiers does not exist for 'setmaxnreg'");
}

TEST(Problems, video_selectors_that_do_not_exist_are_named) {
  const auto expect = [](const std::string& line, unsigned column, const std::string& selector) {
    EXPECT_EQ(problem_of(line, column), "the selector '." + selector + "' does not exist here") << line;
  };
  expect("vadd.u32.u32.u32 %r1, %r2.b4, %r3;", 23, "b4");
  expect("vadd.u32.u32.u32 %r1, %r2, %r3.h2;", 28, "h2");
  expect("vadd.u32.u32.u32 %r1, %r2.h10, %r3;", 23, "h10");
  expect("vadd2.u32.u32.u32 %r1, %r2.h1, %r3, %r4;", 24, "h1");
  expect("vadd2.u32.u32.u32 %r1, %r2.h24, %r3, %r4;", 24, "h24");
  expect("vadd2.u32.u32.u32 %r1.h01, %r2, %r3, %r4;", 19, "h01");
  expect("vadd4.u32.u32.u32 %r1, %r2.b321, %r3, %r4;", 24, "b321");
  expect("vadd4.u32.u32.u32 %r1, %r2.b8000, %r3, %r4;", 24, "b8000");
  expect("vadd4.u32.u32.u32 %r1, %r2.h10, %r3, %r4;", 24, "h10");
  expect("vadd4.u32.u32.u32 %r1.b13, %r2, %r3, %r4;", 19, "b13");
  expect("vmad.u32.u32.u32 %r1, %r2, %r3, %r4.h0;", 33, "h0");
}

TEST(Problems, video_instructions_say_what_excludes_what) {
  EXPECT_EQ(problem_of("vadd.u32.u32.u32.add %r1.h1, %r2, %r3, %r4;", 1),
            "a selector of the destination and a second operation exclude each other");
  EXPECT_EQ(problem_of("vadd.u32.u32.u32 %r1.h1, %r2, %r3;", 1),
            "a destination with a selector needs a third source, whose other bits it keeps");
  EXPECT_EQ(problem_of("vadd.u32.u32.u32 %r1, %r2, %r3, %r4;", 1),
            "a third source is for a second operation, or for a destination with a selector");
  EXPECT_EQ(problem_of("vadd.u32.u32.u32.min %r1, %r2, %r3;", 1), "'vadd' does not take 3 operands");
  EXPECT_EQ(problem_of("vadd2.u32.u32.u32 %r1, %r2, %r3;", 1), "'vadd2' does not take 3 operands");
  EXPECT_EQ(problem_of("vadd2.u32.u32.u32.sat.add %r1, %r2, %r3, %r4;", 1),
            "this combination of modifiers does not exist for 'vadd2'");
  EXPECT_EQ(problem_of("vadd4.u32.u32.u32.min %r1, %r2, %r3, %r4;", 1), "'vadd4' has no modifier '.min'");
  EXPECT_EQ(problem_of("vset.u32.u32.lt.sat %r1, %r2, %r3;", 1), "'vset' has no modifier '.sat'");
  EXPECT_EQ(problem_of("vset.u32.u32 %r1, %r2, %r3;", 1), "this combination of modifiers does not exist for 'vset'");
  EXPECT_EQ(problem_of("vshl.u32.u32.u32 %r1, %r2, %r3;", 1),
            "this combination of modifiers does not exist for 'vshl'");
  EXPECT_EQ(problem_of("vshl.u32.u32.s32.clamp %r1, %r2, %r3;", 1),
            "'vshl' does not exist for the type '.u32.u32.s32'");
  EXPECT_EQ(problem_of("vadd.u32.u32 %r1, %r2, %r3;", 1), "'vadd' does not exist for the type '.u32.u32'");
}

TEST(Problems, only_vmad_negates_registers_and_not_all_of_them) {
  EXPECT_EQ(problem_of("vadd.u32.u32.u32 %r1, -%r2, %r3;", 1), "operands of 'vadd' not understood");
  EXPECT_EQ(problem_of("vmad.u32.u32.u32 %r1, -%r2, %r3, %r4;", 1), "no problem");
  EXPECT_EQ(problem_of("vmad.u32.u32.u32 %r1, -%r2.h0, -%r3.b1, -%r4;", 1), "no problem");
  EXPECT_EQ(problem_of("vmad.u32.u32.u32 %r1, -%r2, %r3, -%r4;", 1),
            "'vmad' negates the product or the sum's other part, not both");
  EXPECT_EQ(problem_of("vmad.u32.u32.u32.po %r1, -%r2, %r3, %r4;", 1),
            "'.po' and a negated operand exclude each other");
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
