// Which copies are instructions: as a register allocator's (program/machine/copies.h).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::copies_test {
namespace {

// A loop over %r1, with `copies` at the end of each trip; %r5 is loaded in each, and %r2 to %r5 are summed.
std::shared_ptr<const Kernel> loop_with(std::string_view copies) {
  return machine_code_of(fmt::format(R"(
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %r1;
    mov.u32 %r3, %r1;
    mov.u32 %r4, %r1;
    mov.u32 %r9, 0;
  LOOP:
    ld.global.u32 %r5, [%rd1];
    mad.lo.u32 %r9, %r2, %r3, %r9;
    mad.lo.u32 %r9, %r4, %r5, %r9;
    add.s32 %r6, %r1, -1;
    add.s64 %rd1, %rd1, 4;
    {}
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra LOOP;
    st.global.u32 [%rd1], %r9;
    ret;)",
                                     copies));
}

TEST(Copies, of_values_that_move_on_in_a_loop_are_instructions) {
  const auto kernel = loop_with(R"(
    mov.u32 %r2, %r3;   // first
    mov.u32 %r3, %r4;   // second
    mov.u32 %r4, %r5;   // last
    mov.u32 %r1, %r6;   // count)");
  EXPECT_EQ(slots(*kernel, "first"), 1u) << "r3 is written while r2 is wanted";
  EXPECT_EQ(slots(*kernel, "second"), 1u);
  EXPECT_EQ(slots(*kernel, "last"), 1u) << "the next is loaded while this one is wanted";
  EXPECT_EQ(slots(*kernel, "count"), 0u) << "both names are one register";
}

TEST(Copies, are_other_names_where_only_one_is_wanted_at_a_time) {
  const auto kernel = loop_with(R"(
    mov.u32 %r1, %r6;   // count
    add.s32 %r7, %r2, 1;
    mov.u32 %r2, %r7;   // sum)");
  EXPECT_EQ(slots(*kernel, "count"), 0u);
  EXPECT_EQ(slots(*kernel, "sum"), 0u);
}

}  // namespace
}  // namespace heddle::test::copies_test
