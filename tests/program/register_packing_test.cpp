// Which registers share a place.
#include "program/register_packing.h"

#include <gtest/gtest.h>

#include "program/decoded.h"

namespace heddle::test::packing_test {
namespace {

Kernel packed(std::string_view body, std::string_view before = "") {
  Kernel kernel = *kernel_of(body, before);
  pack_registers(kernel);
  return kernel;
}

uint32_t result_of(const Kernel& kernel, std::string_view name) { return kernel.code[at(kernel, name)].dst[0].at; }

TEST(RegisterPacking, gives_the_place_of_who_is_read_no_more_to_the_next) {
  const Kernel kernel = packed(R"(
    mov.u32 %r1, 1;         // first
    add.u32 %r2, %r1, 1;    // second
    add.u32 %r3, %r2, 1;    // third
    add.u32 %r4, %r3, 1;    // fourth
    ld.param.u64 %rd1, [in];
    st.global.u32 [%rd1], %r4;
    ret;)");
  EXPECT_NE(result_of(kernel, "first"), result_of(kernel, "second"));
  EXPECT_EQ(result_of(kernel, "first"), result_of(kernel, "third"));
  EXPECT_EQ(result_of(kernel, "second"), result_of(kernel, "fourth"));
}

TEST(RegisterPacking, keeps_what_a_loop_reads_again) {
  const Kernel kernel = packed(R"(
    mov.u32 %r1, 5;         // step
    mov.u32 %r2, 0;
  LOOP:
    add.u32 %r2, %r2, %r1;
    add.u32 %r3, %r2, 7;    // temporary
    setp.lt.u32 %p1, %r3, 100;
    @%p1 bra LOOP;
    mov.u32 %r4, 1;         // behind
    ld.param.u64 %rd1, [in];
    st.global.u32 [%rd1], %r4;
    ret;)");
  EXPECT_NE(result_of(kernel, "step"), result_of(kernel, "temporary"));
  EXPECT_EQ(result_of(kernel, "step"), result_of(kernel, "behind"));
}

TEST(RegisterPacking, keeps_what_a_guarded_write_leaves) {
  const Kernel kernel = packed(R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 5;
    mov.u32 %r2, 1;             // old
    mov.u32 %r3, 2;             // other
    @%p1 add.u32 %r2, %r3, 3;
    mov.u32 %r4, 4;             // next
    add.u32 %r5, %r2, %r4;
    ld.param.u64 %rd1, [in];
    st.global.u32 [%rd1], %r5;
    ret;)");
  EXPECT_NE(result_of(kernel, "old"), result_of(kernel, "other"));
  EXPECT_NE(result_of(kernel, "old"), result_of(kernel, "next"));
  EXPECT_EQ(result_of(kernel, "other"), result_of(kernel, "next"));
}

// It may be put there long after its instruction.
TEST(RegisterPacking, leaves_a_load_its_place_until_somebody_has_waited_for_it) {
  const Kernel kernel = packed(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];     // unread
    ld.global.u32 %r2, [%rd1+4];   // read
    mov.u32 %r3, 1;                // before
    add.u32 %r4, %r2, %r3;         // reader
    mov.u32 %r5, 2;                // behind
    add.u32 %r6, %r4, %r5;
    st.global.u32 [%rd1], %r6;
    ret;)");
  for (const char* other : {"read", "before", "reader", "behind"})
    EXPECT_NE(result_of(kernel, "unread"), result_of(kernel, other)) << other;
  EXPECT_NE(result_of(kernel, "read"), result_of(kernel, "before"));
  EXPECT_EQ(result_of(kernel, "read"), result_of(kernel, "behind"));
}

TEST(RegisterPacking, keeps_registers_of_different_functions_apart) {
  const Kernel kernel = packed(R"(
    mov.u32 %r1, 1;         // caller
    {
      .param .b32 a;
      .param .b32 b;
      st.param.b32 [a], %r1;
      call.uni (b), twice, (a);
      ld.param.b32 %r2, [b];
    }
    ld.param.u64 %rd1, [in];
    st.global.u32 [%rd1], %r2;
    ret;)",
                               R"(
  .func (.param .b32 result) twice(.param .b32 n) {
    .reg .b32 %r<6>;
    ld.param.u32 %r1, [n];
    add.u32 %r2, %r1, %r1;  // callee
    st.param.b32 [result], %r2;
    ret;
  })");
  EXPECT_NE(result_of(kernel, "caller"), result_of(kernel, "callee"));
}

TEST(RegisterPacking, changes_no_name) {
  const auto own = kernel_of("mov.u32 %r1, 1;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 1;\nret;");
  Kernel kernel = *own;
  pack_registers(kernel);
  ASSERT_TRUE(kernel.uses);
  EXPECT_LT(kernel.plane_bytes, own->plane_bytes);
  EXPECT_EQ(kernel.uses->used, RegisterUses(*own).used);
  EXPECT_EQ(kernel.uses->written, RegisterUses(*own).written);
  EXPECT_NE(kernel.uses->written[0], kernel.uses->written[2]);
}

}  // namespace
}  // namespace heddle::test::packing_test
