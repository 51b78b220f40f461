// The order of a basic block's instructions in machine code.
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::reorder_test {
namespace {

TEST(Reorder, loads_go_before_what_waits_for_others) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    add.s32 %r2, %r1, 1;          // first use
    ld.global.u32 %r3, [%rd1+4];  // second load
    add.s32 %r4, %r2, %r3;
    st.global.u32 [%rd1+8], %r4;
    ret;)");
  EXPECT_LT(at(*kernel, "second load"), at(*kernel, "first use"));
}

// Each text: what stands first must stay first.
TEST(Reorder, what_may_touch_the_same_memory_keeps_its_order) {
  const auto stays = [](std::string_view first, std::string_view second) {
    const auto kernel = machine_code_of("ld.param.u64 %rd1, [in]; ld.global.u64 %rd2, [%rd1];\n" + std::string(first) +
                                        " // first\n" + std::string(second) +
                                        " // second\nmul.lo.s32 %r5, %r3, %r3; mul.lo.s32 %r6, %r5, %r5;\n"
                                        "st.global.u32 [%rd1+64], %r6;\nret;");
    return at(*kernel, "first") < at(*kernel, "second");
  };
  EXPECT_TRUE(stays("st.global.u64 [%rd1+16], %rd2;", "ld.global.u32 %r3, [%rd1+4];"));
  EXPECT_TRUE(stays("st.shared.u64 [room], %rd2;", "ld.shared.u32 %r3, [room+4];"));
  EXPECT_TRUE(stays("st.global.u64 [%rd1+16], %rd2;", "ld.u32 %r3, [%rd1+4];"));
  EXPECT_TRUE(stays("st.global.u64 [%rd1+16], %rd2;", "ld.volatile.global.u32 %r3, [%rd1+4];"));
  EXPECT_TRUE(stays("bar.sync 0;", "ld.shared.u32 %r3, [room];"));
  EXPECT_TRUE(stays("membar.gl;", "ld.global.u32 %r3, [%rd1+4];"));
  // Shared memory is not global memory, and what is read by .nc is not written.
  EXPECT_FALSE(stays("st.global.u64 [%rd1+16], %rd2;", "ld.shared.u32 %r3, [room];"));
  EXPECT_FALSE(stays("st.shared.u64 [room], %rd2;", "ld.global.u32 %r3, [%rd1+4];"));
  EXPECT_FALSE(stays("st.global.u64 [%rd1+16], %rd2;", "ld.global.nc.u32 %r3, [%rd1+4];"));
}

TEST(Reorder, no_instruction_is_lost_and_lines_stay_with_theirs) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    prefetch.global.L2 [%rd1];    // hint
    ld.global.u32 %r1, [%rd1];    // load
    st.global.u32 [%rd1+8], %r1;  // store
    ret;                          // end
  )");
  EXPECT_EQ(kernel->code.size(), 5U);
  EXPECT_EQ(kernel->code[at(*kernel, "load")].op, Op::Ld);
  EXPECT_EQ(kernel->code[at(*kernel, "store")].op, Op::St);
  EXPECT_EQ(at(*kernel, "end"), 4U);
  EXPECT_TRUE(has(*kernel, "hint"));
}

TEST(Reorder, is_left_out_where_it_is_not_wanted) {
  CodeOptions options;
  options.schedule = false;
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    add.s32 %r2, %r1, 1;          // use
    ld.global.u32 %r3, [%rd1+4];  // load
    add.s32 %r4, %r2, %r3;
    st.global.u32 [%rd1+8], %r4;
    ret;)",
                                      options);
  EXPECT_LT(at(*kernel, "use"), at(*kernel, "load"));
}

}  // namespace
}  // namespace heddle::test::reorder_test
