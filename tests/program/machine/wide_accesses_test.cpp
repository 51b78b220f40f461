// Which loads and stores become one.
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::wide_accesses_test {
namespace {

std::shared_ptr<const Kernel> in_order(std::string_view body) {
  CodeOptions options;
  options.schedule = false;
  return machine_code_of(body, options);
}

unsigned count(const Kernel& kernel, Op op, unsigned vector) {
  unsigned found = 0;
  for (const Instruction& each : kernel.code) found += each.op == op && each.vector == vector;
  return found;
}

std::string shared_loads(std::string_view address, std::string_view between = "") {
  return "mov.u32 %r1, %tid.x;\n" + std::string(address) + R"(
    ld.shared.u32 %r2, [%r3];     // first
    ld.shared.f32 %f1, [%r3+4];
    )" + std::string(between) +
         R"(
    ld.shared.u32 %r5, [%r3+8];
    ld.shared.u32 %r6, [%r3+12];
    ld.param.u64 %rd1, [in];
    st.global.u32 [%rd1], %r2;
    st.global.f32 [%rd1+4], %f1;
    st.global.u32 [%rd1+8], %r5;
    st.global.u32 [%rd1+12], %r6;
    ret;)";
}

TEST(WideAccesses, four_words_at_a_place_aligned_to_sixteen_bytes_are_one_load) {
  const auto kernel = in_order(shared_loads("shl.b32 %r3, %r1, 4;"));
  ASSERT_EQ(count(*kernel, Op::Ld, 4), 1U);
  EXPECT_EQ(count(*kernel, Op::Ld, 1), 0U);
  const Instruction& load = kernel->code[at(*kernel, "first")];
  EXPECT_EQ(load.dst_count, 4U);
  EXPECT_EQ(load.displacement, 0);
}

TEST(WideAccesses, two_words_are_where_no_more_is_known) {
  EXPECT_EQ(count(*in_order(shared_loads("shl.b32 %r3, %r1, 3;")), Op::Ld, 2), 2U);
  EXPECT_EQ(count(*in_order(shared_loads("shl.b32 %r3, %r1, 2;")), Op::Ld, 1), 4U);
  EXPECT_EQ(count(*in_order(shared_loads("mul.lo.s32 %r4, %r1, 48; add.s32 %r3, %r4, 32;")), Op::Ld, 4), 1U);
  EXPECT_EQ(count(*in_order(shared_loads("mul.lo.s32 %r4, %r1, 48; add.s32 %r3, %r4, 8;")), Op::Ld, 2), 2U);
}

// A loop's variable is aligned as what it starts from and what it is increased by.
TEST(WideAccesses, a_loop_variable_is_aligned_as_its_steps) {
  const auto looped = [](std::string_view step) {
    return in_order(
        "mov.u32 %r3, 16;\nLOOP:\nld.shared.u32 %r4, [%r3]; ld.shared.u32 %r5, [%r3+4];\n"
        "add.s32 %r6, %r4, %r5; st.shared.u32 [%r3+512], %r6;\nadd.s32 %r3, %r3, " +
        std::string(step) + ";\nsetp.lt.s32 %p1, %r3, 400;\n@%p1 bra LOOP;\nret;");
  };
  EXPECT_EQ(count(*looped("16"), Op::Ld, 2), 1U);
  EXPECT_EQ(count(*looped("4"), Op::Ld, 2), 0U);
}

TEST(WideAccesses, nothing_that_may_change_the_words_stands_between) {
  for (const char* between : {"st.shared.u32 [%r3+8], %r2;", "bar.sync 0;", "st.u32 [%rd2], %r2;"}) {
    const auto kernel = in_order(shared_loads("shl.b32 %r3, %r1, 4;", between));
    EXPECT_EQ(count(*kernel, Op::Ld, 4), 0U) << between;
    EXPECT_EQ(count(*kernel, Op::Ld, 2), 2U) << between;
  }
  EXPECT_EQ(count(*in_order(shared_loads("shl.b32 %r3, %r1, 4;", "add.s32 %r7, %r5, %r6; st.global.u32 [%rd2], %r7;")),
                  Op::Ld, 4),
            0U)
      << "the old values are used between";
}

TEST(WideAccesses, stores_are_one_where_the_last_of_them_was) {
  const auto kernel = in_order(R"(
    mov.u32 %r1, %tid.x;
    shl.b32 %r3, %r1, 3;
    st.shared.u32 [%r3+4], %r1;
    add.s32 %r2, %r1, 5;
    st.shared.u32 [%r3], %r2;  // last
    ret;)");
  ASSERT_EQ(count(*kernel, Op::St, 2), 1U);
  const Instruction& store = kernel->code[at(*kernel, "last")];
  EXPECT_EQ(store.src_count, 3U);
  EXPECT_EQ(store.displacement, 0);
}

TEST(WideAccesses, stores_pass_none_to_what_may_be_the_same_place) {
  const auto wide = [](std::string_view between) {
    return count(*in_order("mov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 3; shl.b32 %r4, %r1, 5;\n"
                           "st.shared.u32 [%r3], %r1;\n" +
                           std::string(between) + "\nst.shared.u32 [%r3+4], %r2; ret;"),
                 Op::St, 2);
  };
  EXPECT_EQ(wide("st.global.u32 [%rd2], %r1;"), 1U);
  for (const char* between : {"st.shared.u32 [%r4], %r2;", "st.shared.u8 [%r3+1], %r2;", "st.u32 [%rd2], %r2;",
                              "st.shared.v4.u32 [%r3], {%r2, %r2, %r2, %r2};"})
    EXPECT_EQ(wide(between), 0U) << between;
  // What was stored there last is in the wide one.
  const auto twice = in_order(R"(
    mov.u32 %r1, %tid.x;
    shl.b32 %r3, %r1, 3;
    st.shared.u32 [%r3], %r1;
    st.shared.u32 [%r3], %r2;  // again
    st.shared.u32 [%r3+4], %r2;  // last
    ret;)");
  ASSERT_EQ(count(*twice, Op::St, 2), 1U);
  EXPECT_EQ(twice->code[at(*twice, "last")].src[1].at, twice->code[at(*twice, "last")].src[2].at);
}

TEST(WideAccesses, global_and_volatile_words_stay_apart) {
  EXPECT_EQ(count(*in_order(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4];
    st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+12], %r2;
    ret;)"),
                  Op::Ld, 1),
            2U);
  EXPECT_EQ(count(*in_order(R"(
    ld.param.u64 %rd1, [in];
    ld.volatile.shared.u32 %r1, [room]; ld.volatile.shared.u32 %r2, [room+4];
    st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+12], %r2;
    ret;)"),
                  Op::Ld, 1),
            2U);
}

}  // namespace
}  // namespace heddle::test::wide_accesses_test
