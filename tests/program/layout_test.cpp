// Where decoding puts things: constants, parameters, shared memory, frames, registers.
#include <gtest/gtest.h>

#include <algorithm>

#include "program/decoded.h"

namespace heddle::test {
namespace {

const ConstantRow& row_of(const Kernel& kernel, const Operand& operand) {
  EXPECT_TRUE(operand.constant());
  const auto found = std::find_if(kernel.constants.begin(), kernel.constants.end(),
                                  [&](const ConstantRow& row) { return row.offset == operand.offset(); });
  EXPECT_NE(found, kernel.constants.end());
  return *found;
}

TEST(Constants, equal_ones_of_one_width_share_a_row) {
  const auto kernel = kernel_of(R"(
    add.u32 %r1, %r1, 7;      // a
    sub.u32 %r2, %r2, 7;      // b
    add.u64 %rd1, %rd1, 7;    // c
    add.u32 %r1, %r1, 8;      // d
    ret;)");
  const Operand a = kernel->code[at(*kernel, "a")].src[1];
  EXPECT_EQ(a, kernel->code[at(*kernel, "b")].src[1]);
  EXPECT_NE(a, kernel->code[at(*kernel, "c")].src[1]);
  EXPECT_NE(a, kernel->code[at(*kernel, "d")].src[1]);
  EXPECT_EQ(row_of(*kernel, a).bits, 7U);
  EXPECT_EQ(row_of(*kernel, a).bytes, 4U);
  EXPECT_EQ(row_of(*kernel, kernel->code[at(*kernel, "c")].src[1]).bytes, 8U);
}

TEST(Constants, are_written_in_the_type_of_the_instruction) {
  const auto kernel = kernel_of(R"(
    add.f32 %f1, %f1, 0f3F800000;   // bits
    add.f32 %f1, %f1, 1.5;          // decimal
    add.u32 %r1, %r1, -1;           // negative
    mov.b32 %r2, 0x1F;              // hex
    ret;)");
  const auto bits = [&](const char* name, unsigned source) {
    return row_of(*kernel, kernel->code[at(*kernel, name)].src[source]).bits;
  };
  EXPECT_EQ(bits("bits", 1), 0x3f80'0000U);
  EXPECT_EQ(bits("decimal", 1), 0x3fc0'0000U);
  EXPECT_EQ(bits("negative", 1), 0xffff'ffffU);
  EXPECT_EQ(bits("hex", 0), 0x1fU);
}

TEST(Constants, rows_do_not_overlap_and_are_aligned) {
  const auto kernel = kernel_of(R"(
    add.u32 %r1, %r1, 7;
    add.u64 %rd1, %rd1, 7;
    setp.eq.and.u32 %p1, %r1, 3, 1;
    mov.u64 %rd2, table;
    ld.param.u64 %rd3, [in];
    ret;)",
                                ".global .b32 table[4];");
  std::vector<std::pair<uint32_t, uint32_t>> extents;
  for (const ConstantRow& row : kernel->constants) {
    const uint32_t bytes = row.bytes == 0 ? 4 : row.bytes * kRow;
    EXPECT_EQ(row.offset % (row.bytes == 0 ? 4 : 64), 0U);
    EXPECT_LE(row.offset + bytes, kernel->constant_bytes);
    extents.emplace_back(row.offset, row.offset + bytes);
  }
  std::sort(extents.begin(), extents.end());
  for (size_t i = 1; i < extents.size(); ++i) EXPECT_LE(extents[i - 1].second, extents[i].first);
}

TEST(Parameters, are_aligned_each_to_its_type) {
  const auto kernel = program_of(R"(
  .visible .entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 s[12], .param .u16 c) { ret; })")
                          ->kernel("k");
  ASSERT_EQ(kernel->parameters.size(), 4U);
  const uint32_t offsets[] = {0, 8, 16, 28}, bytes[] = {1, 8, 12, 2};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(kernel->parameters[i].offset, offsets[i]) << i;
    EXPECT_EQ(kernel->parameters[i].bytes, bytes[i]) << i;
  }
  EXPECT_EQ(kernel->parameter_bytes, 30U);
}

TEST(Parameters, a_load_from_a_fixed_place_is_a_move_from_the_constant_plane) {
  const auto kernel = program_of(R"(
  .visible .entry k(.param .u32 a, .param .align 4 .b8 s[8]) {
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [a];      // whole
    ld.param.s8 %r2, [s+5];     // byte
    ret; })")
                          ->kernel("k");
  const Instruction &whole = kernel->code[at(*kernel, "whole")], &byte = kernel->code[at(*kernel, "byte")];
  EXPECT_EQ(whole.op, Op::Mov);
  EXPECT_EQ(row_of(*kernel, whole.src[0]).kind, ConstantRow::Kind::Parameter);
  EXPECT_EQ(row_of(*kernel, whole.src[0]).bits, 0U);
  EXPECT_EQ(row_of(*kernel, byte.src[0]).bits, 9U);
  EXPECT_EQ(row_of(*kernel, byte.src[0]).type, Type::S8);
}

TEST(Shared, variables_lie_one_after_another_and_dynamic_memory_behind_them) {
  const auto kernel = kernel_of(R"(
    .shared .align 16 .b8 a[20];
    .shared .align 4 .b32 b;
    .shared .b16 c;
    mov.u32 %r1, a;             // a
    mov.u32 %r2, b;             // b
    mov.u32 %r3, c;             // c
    mov.u32 %r4, dynamic;       // dynamic
    mov.u32 %r5, dynamic+12;    // behind
    st.shared.u32 [dynamic+8], %r5;  // store
    ret;)",
                                ".extern .shared .align 16 .b8 dynamic[];");
  const auto address = [&](const char* name) { return row_of(*kernel, kernel->code[at(*kernel, name)].src[0]).bits; };
  EXPECT_EQ(address("a"), 0U);
  EXPECT_EQ(address("b"), 20U);
  EXPECT_EQ(address("c"), 24U);
  EXPECT_EQ(kernel->static_shared, 26U);
  EXPECT_EQ(kernel->dynamic_shared, 32U);
  EXPECT_EQ(address("dynamic"), 32U);
  EXPECT_EQ(address("behind"), 44U);
  EXPECT_EQ(address("store") + static_cast<uint64_t>(kernel->code[at(*kernel, "store")].displacement), 40U);
}

TEST(Shared, a_variable_of_the_module_takes_room_only_in_kernels_that_use_it) {
  const auto program = program_of(R"(
  .shared .b32 big[1000];
  .visible .entry uses() { .reg .b32 %r; ld.shared.u32 %r, [big]; ret; }
  .visible .entry does_not() { ret; })");
  EXPECT_EQ(program->kernel("uses")->static_shared, 4000U);
  EXPECT_EQ(program->kernel("does_not")->static_shared, 0U);
}

TEST(Functions, results_and_parameters_lie_at_the_start_of_the_frame) {
  const auto kernel = kernel_of(".reg .b16 %h;\n call.uni (_), f, (%h, %rd1);\n ret;", R"(
  .func (.param .b32 r) f(.param .b16 a, .param .b64 b) {
    .local .align 4 .b8 mine[12];
    .reg .b64 %x;
    mov.u64 %x, mine;           // address
    st.param.b32 [r], 1;
    ret;
  })");
  const FunctionRange& f = kernel->functions[1];
  ASSERT_EQ(f.signature.results.size(), 1U);
  ASSERT_EQ(f.signature.parameters.size(), 2U);
  EXPECT_EQ(f.signature.results[0].offset, 0U);
  EXPECT_EQ(f.signature.parameters[0].offset, 4U);
  EXPECT_EQ(f.signature.parameters[1].offset, 8U);
  EXPECT_EQ(f.signature.bytes, 16U);
  EXPECT_EQ(row_of(*kernel, kernel->code[at(*kernel, "address")].src[1]).bits, 16U);
  EXPECT_EQ(f.frame_bytes, 32U);
}

TEST(Registers, of_inner_scopes_hide_those_outside) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, 1;             // outer
    {
      .reg .b32 %r<4>;
      mov.u32 %r1, 2;           // inner
      mov.u32 %r20, 3;          // still the outer
    }
    mov.u32 %r1, 4;             // again
    ret;)");
  const auto written = [&](const char* name) { return kernel->code[at(*kernel, name)].dst[0]; };
  EXPECT_NE(written("outer"), written("inner"));
  EXPECT_EQ(written("outer"), written("again"));
  EXPECT_NE(written("still the outer"), written("outer"));
}

TEST(Registers, of_two_functions_are_different_though_they_have_one_name) {
  const auto kernel = kernel_of("mov.u32 %r1, 1;   // here\n call.uni f; ret;",
                                ".func f() { .reg .b32 %r<4>; mov.u32 %r1, 2;  // there\n ret; }");
  EXPECT_NE(kernel->code[at(*kernel, "here")].dst[0], kernel->code[at(*kernel, "there")].dst[0]);
}

TEST(Registers, vectors_have_components) {
  const auto kernel = kernel_of(R"(
    .reg .v4 .b32 %v;
    ld.global.v4.u32 %v, [%rd1];      // load
    mov.u32 %r1, %v.y;                // second
    st.global.v2.u32 [%rd1], {%v.z, %v.w};  // store
    ret;)");
  const Instruction& load = kernel->code[at(*kernel, "load")];
  ASSERT_EQ(load.dst_count, 4U);
  EXPECT_EQ(load.vector, 4U);
  EXPECT_EQ(kernel->code[at(*kernel, "second")].src[0], load.dst[1]);
  EXPECT_EQ(kernel->code[at(*kernel, "store")].src[1], load.dst[2]);
  EXPECT_EQ(kernel->code[at(*kernel, "store")].src[2], load.dst[3]);
}

TEST(Labels, of_inner_scopes_hide_those_outside) {
  const auto kernel = kernel_of(R"(
    bra L;              // outside
    {
      bra L;            // inside
      mov.u32 %r1, 0;
    L:
      mov.u32 %r1, 1;   // inner
    }
  L:
    mov.u32 %r1, 2;     // outer
    {
      bra L;            // back
    }
    ret;)");
  EXPECT_EQ(kernel->code[at(*kernel, "outside")].target, at(*kernel, "outer"));
  EXPECT_EQ(kernel->code[at(*kernel, "inside")].target, at(*kernel, "inner"));
  EXPECT_EQ(kernel->code[at(*kernel, "back")].target, at(*kernel, "outer"));
}

TEST(Guards, of_what_parts_threads_or_waits_become_branches_around) {
  for (const char* instruction : {"exit", "bar.sync 0", "call.uni f", "vote.sync.any.pred %p3, %p2, -1"}) {
    const auto kernel = kernel_of(
        std::string("@%p1 ") + instruction + ";  // guarded\n mov.u32 %r1, 1;  // behind\n ret;", ".func f() { ret; }");
    const Pc pc = at(*kernel, "guarded");
    EXPECT_EQ(kernel->code[pc].op, Op::Bra) << instruction;
    EXPECT_TRUE(kernel->code[pc].guard_negated) << instruction;
    EXPECT_EQ(kernel->code[pc].target, at(*kernel, "behind")) << instruction;
    EXPECT_EQ(kernel->code[pc + 1].op == Op::Bra, false) << instruction;
    EXPECT_FALSE(kernel->code[pc + 1].guarded()) << instruction;
  }
}

TEST(Guards, of_plain_instructions_stay) {
  const auto kernel = kernel_of("@!%p1 add.u32 %r1, %r1, 1;  // guarded\n ret;");
  const Instruction& instruction = kernel->code[at(*kernel, "guarded")];
  EXPECT_EQ(instruction.op, Op::Add);
  EXPECT_TRUE(instruction.guarded());
  EXPECT_TRUE(instruction.guard_negated);
}

}  // namespace
}  // namespace heddle::test
