// Which loads leave a loop: as the assembler's (program/machine/loop_loads.h). That results stay the same is held by
// tests/workloads/machine_code_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::loop_loads_test {
namespace {

// Is the load before the loop?
bool leaves(std::string_view load, std::string_view beside = "", std::string_view first = "") {
  const auto kernel = machine_code_of(fmt::format(R"(
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [number];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r3, room;
    mov.u32 %r4, 0;
  LOOP:
    {}
    {}                                 // load
    {}
    xor.b32 %r4, %r4, %r5;
    mul.lo.s32 %r4, %r4, %r2;          // trip
    setp.lt.s32 %p1, %r4, %r1;
    @%p1 bra LOOP;
  END:
    st.global.u32 [%rd1], %r4;
    ret;)",
                                                  first, load, beside));
  const Pc trip = at(*kernel, "trip");
  Pc header = trip;
  for (Pc pc = 0; pc < kernel->code.size(); ++pc)
    if (const Pc target = kernel->code[pc].target; target != kNoPc && target <= pc) header = target;
  return at(*kernel, "load") < header;
}

TEST(LoopLoads, leave_where_the_loop_writes_nothing_of_their_space) {
  EXPECT_TRUE(leaves("ld.global.u32 %r5, [%rd3];"));
  EXPECT_TRUE(leaves("ld.shared.u32 %r5, [%r3+16];"));
  EXPECT_TRUE(leaves("ld.global.u32 %r5, [%rd3];", "st.shared.u32 [%r3], %r4;"));
  EXPECT_TRUE(leaves("ld.global.u32 %r5, [%rd3];", "red.shared.add.u32 [%r3], 1;"));
  EXPECT_TRUE(leaves("ld.shared.u32 %r5, [%r3+16];", "st.global.u32 [%rd3+64], %r4;"));
}

TEST(LoopLoads, stay_where_it_may_have_written_what_they_read) {
  EXPECT_FALSE(leaves("ld.global.u32 %r5, [%rd3];", "st.global.u32 [%rd3+64], %r4;"));
  EXPECT_FALSE(leaves("ld.global.u32 %r5, [%rd3];", "red.global.add.u32 [%rd3+64], 1;"));
  EXPECT_FALSE(leaves("ld.global.u32 %r5, [%rd3];", "bar.sync 0;"));
  EXPECT_TRUE(leaves("ld.global.nc.u32 %r5, [%rd3];", "st.global.u32 [%rd3+64], %r4;")) << "which nobody writes";
}

TEST(LoopLoads, stay_where_they_are_not_the_same_or_not_always_done) {
  EXPECT_FALSE(leaves("ld.volatile.global.u32 %r5, [%rd3];"));
  EXPECT_FALSE(leaves("ld.global.u32 %r5, [%rd3];", "add.s64 %rd3, %rd3, 4;"));
  EXPECT_FALSE(leaves("ld.global.u32 %r5, [%rd3];", "", "setp.gt.s32 %p2, %r4, 100; @%p2 bra END;"));
}

}  // namespace
}  // namespace heddle::test::loop_loads_test
