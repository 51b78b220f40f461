// Which loads and stores of shared memory have their address from the same register.
#include <gtest/gtest.h>

#include "program/decoded.h"

namespace heddle::test {
namespace {

constexpr const char* kTile = ".shared .b32 tile[256];";

Pc head(const Kernel& kernel, std::string_view what) { return kernel.shared_bases[at(kernel, what)].head; }

TEST(SharedBases, are_found_in_a_straight_line) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, tile;
    mov.u32 %r2, tile;
    ld.shared.u32 %r3, [%r1];       // first
    ld.shared.u32 %r4, [%r2+8];     // another
    ld.shared.f32 %f1, [%r1+128];   // second
    st.shared.u32 [%r1+4], %r3;     // third
    ld.shared.u32 %r5, [%r2];       // again
    ret;)",
                                kTile);
  for (const char* each : {"first", "second", "third"}) EXPECT_EQ(head(*kernel, each), at(*kernel, "first")) << each;
  for (const char* each : {"another", "again"}) EXPECT_EQ(head(*kernel, each), at(*kernel, "another")) << each;
  EXPECT_NE(kernel->shared_bases[at(*kernel, "first")].slot, kernel->shared_bases[at(*kernel, "another")].slot);
}

TEST(SharedBases, end_where_the_register_is_written) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, tile;
    ld.shared.u32 %r2, [%r1];       // before
    add.u32 %r1, %r1, 4;
    ld.shared.u32 %r3, [%r1];       // behind
    ld.shared.u32 %r1, [%r1+4];     // writes
    ld.shared.u32 %r4, [%r1];       // alone
    ret;)",
                                kTile);
  EXPECT_EQ(head(*kernel, "before"), kNoPc);
  EXPECT_EQ(head(*kernel, "writes"), at(*kernel, "behind"));
  EXPECT_EQ(head(*kernel, "alone"), kNoPc);
}

TEST(SharedBases, end_at_branches_targets_and_barriers) {
  for (const char* between : {"bar.sync 0;", "setp.eq.u32 %p1, %r2, 0; @%p1 bra END;", "NEXT:"}) {
    const auto kernel = kernel_of(std::string("mov.u32 %r1, tile; ld.shared.u32 %r2, [%r1];\n") + between + R"(
    ld.shared.u32 %r3, [%r1];       // behind
  END:
    ret;)" + (std::string_view(between) == "NEXT:" ? "bra NEXT;" : ""),
                                  kTile);
    EXPECT_EQ(head(*kernel, "behind"), kNoPc) << between;
  }
}

TEST(SharedBases, are_no_accesses_of_another_width_or_under_a_guard) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, tile;
    setp.eq.u32 %p1, %r1, 0;
    ld.shared.u32 %r2, [%r1];       // word
    ld.shared.u64 %rd1, [%r1];      // wide
    @%p1 ld.shared.u32 %r3, [%r1];  // guarded
    ld.shared.v2.u32 {%r4, %r5}, [%r1];  // vector
    ret;)",
                                kTile);
  for (const char* each : {"word", "wide", "guarded", "vector"}) EXPECT_EQ(head(*kernel, each), kNoPc) << each;
}

}  // namespace
}  // namespace heddle::test
