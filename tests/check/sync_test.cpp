// Barriers and warp-wide instructions that are not met as they ask to be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/checked.h"

namespace heddle::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> misses(std::string_view body, unsigned threads, std::string_view mechanism = "pdom") {
  return found_in("sync", body, 1, threads, mechanism);
}

TEST(Sync, a_barrier_that_all_come_to_is_quiet) {
  EXPECT_THAT(misses("bar.sync 0;\nbarrier.sync 1;\n", 96), IsEmpty());
}

TEST(Sync, threads_that_have_exited_before_a_barrier_are_reported) {
  constexpr std::string_view body = R"(
  setp.gt.u32 %p1, %r1, 39;
  @%p1 bra DONE;
  bar.sync 0;
DONE:
)";
  EXPECT_THAT(misses(body, 64), ElementsAre("left-barrier 3"));
  EXPECT_THAT(misses(body, 40), IsEmpty());
}

TEST(Sync, barriers_at_different_places_are_reported) {
  constexpr std::string_view body = R"(
  setp.gt.u32 %p1, %r1, 31;
  @%p1 bra OTHER;
  bar.sync 0;
  bra DONE;
OTHER:
  bar.sync 0;
DONE:
)";
  EXPECT_THAT(misses(body, 64), ElementsAre("divergent-barrier 6 3"));
  EXPECT_THAT(misses(body, 32), IsEmpty());
}

TEST(Sync, barriers_with_a_number_of_threads_may_be_met_from_several_places) {
  constexpr std::string_view body = R"(
  setp.gt.u32 %p1, %r1, 31;
  @%p1 bra OTHER;
  bar.arrive 1, 64;
  bra DONE;
OTHER:
  bar.sync 1, 64;
DONE:
)";
  EXPECT_THAT(misses(body, 64), IsEmpty());
}

TEST(Sync, a_mask_that_does_not_name_its_thread_is_reported) {
  // Lane 7 names lanes 0 to 6, which do not wait for it.
  constexpr std::string_view body = R"(
  setp.gt.u32 %p1, %r1, 6;
  selp.b32 %r4, 0x7f, MASK, %p1;
  bar.warp.sync %r4;
)";
  const auto masked = [&](std::string_view mask) {
    std::string text(body);
    return text.replace(text.find("MASK"), 4, mask);
  };
  EXPECT_THAT(misses("bar.warp.sync 0xff;\n", 8), IsEmpty());
  EXPECT_THAT(misses(masked("0xff"), 8), ElementsAre("caller-not-named 3"));
}

TEST(Sync, members_that_have_exited_may_be_named) {
  constexpr std::string_view body = R"(
  setp.gt.u32 %p1, %r1, 7;
  @%p1 exit;
  bar.warp.sync 0xffffffff;
)";
  EXPECT_THAT(misses(body, 32), IsEmpty());
}

TEST(Sync, members_that_name_different_members_are_reported) {
  // Lane 0 names one more than exist in this warp of eight.
  constexpr std::string_view body = R"(
  setp.eq.u32 %p1, %r1, 0;
  selp.b32 %r4, 0x1ff, 0xff, %p1;
  shfl.sync.idx.b32 %r5, %r1, 0, 31, %r4;
)";
  EXPECT_THAT(misses(body, 8), ElementsAre("masks-differ 3 3"));
}

TEST(Sync, what_never_completes_is_a_finding_too) {
  CheckedGpu gpu("sync", R"(.visible .entry k() {
  .reg .b32 %r<4>;
  .reg .pred %p;
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p, %r1, 3;
  @%p bra DONE;
  bar.warp.sync 0xff;
DONE:
  bar.sync 0;
  ret;
})");
  EXPECT_THROW(gpu.launch("k", {{1}, {32}}, Arguments()), Error);
  ASSERT_EQ(gpu.findings().size(), 1U);
  EXPECT_EQ(gpu.findings().front().kind, check::Finding::Kind::NeverMet);
  EXPECT_THAT(gpu.findings().front().what, HasSubstr("deadlock in kernel k"));
}

}  // namespace
}  // namespace heddle::test
