// Programs that can never end are diagnosed, under every mechanism.
#include <gtest/gtest.h>

#include <algorithm>

#include "divergence/registry.h"
#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

class Deadlock : public ::testing::TestWithParam<std::string> {
 protected:
  std::string deadlock(std::string_view ptx, unsigned threads, const std::vector<std::string>& set = {}) {
    return error_of(ExitCode::Deadlock, [&] {
      SmallGpu(ptx, set, GetParam()).launch("k", {{1}, {threads}}, Arguments());
    });
  }
};

TEST_P(Deadlock, a_barrier_that_some_threads_never_reach_names_who_came_and_where_they_wait) {
  const std::string text = deadlock(kTwoBarriers, 64);
  EXPECT_EQ(text.find("deadlock in kernel k under '" + GetParam() +
                      "': no thread can go on\n block (0,0,0), 64 of 64 threads alive:\n"),
            0U)
      << text;
  EXPECT_TRUE(text.find("bar.sync 0;") != std::string::npos || text.find("bar.sync 1;") != std::string::npos) << text;
  EXPECT_NE(text.find("of 64 threads have come"), std::string::npos) << text;
}

// Lanes 0 to 15 vote among all 32, the others wait for the block.
constexpr std::string_view kLostVote = R"(
.visible .entry k() {
  .reg .pred %p<3>;
  .reg .b32 %r;
  mov.u32 %r, %tid.x;
  setp.lt.u32 %p1, %r, 16;
  @%p1 bra VOTE;
  bar.sync 0;
  ret;
VOTE:
  vote.sync.any.pred %p2, %p1, 0xffffffff;
  ret;
})";

TEST_P(Deadlock, a_warp_wide_instruction_whose_members_never_come_is_diagnosed) {
  const std::string text = deadlock(kLostVote, 32);
  EXPECT_EQ(text.find("deadlock in kernel k"), 0U) << text;
  const bool sync = text.find("lanes 0000ffff wait, lanes ffff0000 are missing") != std::string::npos;
  const bool barrier = text.find("barrier 0: 16 of 32 threads have come") != std::string::npos;
  EXPECT_TRUE(sync || barrier) << text;
}

constexpr std::string_view kCounted = R"(
.visible .entry k() {
  bar.sync 3, 96;
  ret;
})";

TEST_P(Deadlock, a_barrier_that_asks_for_more_threads_than_there_are_never_completes) {
  const std::string text = deadlock(kCounted, 64);
  EXPECT_NE(text.find("barrier 3: 64 of 96 threads have come, first at test.ptx:6:3: bar.sync 3, 96;"),
            std::string::npos)
      << text;
}

TEST_P(Deadlock, a_loop_without_end_is_given_up_after_max_slots) {
  const std::string text = deadlock(R"(
.visible .entry k() {
LOOP:
  bra LOOP;
})",
                                    32, {"max_slots=10000"});
  EXPECT_EQ(text.find("kernel k has not ended after "), 0U) << text;
  EXPECT_NE(text.find("(max_slots); its warps are at:\n  1 warp could go, at test.ptx:7:3: bra LOOP;"),
            std::string::npos)
      << text;
}

constexpr std::string_view kExits = R"(
.visible .entry k() {
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra OUT;
  bar.sync 0;
  vote.sync.ballot.b32 %r2, %p1, 0xffffffff;
  bar.warp.sync 0xffffffff;
OUT:
  ret;
})";

TEST_P(Deadlock, is_none_where_the_missing_threads_have_gone) {
  std::string ptx(kExits);
  ptx.replace(ptx.find("OUT:"), 4, "  ret;\nOUT:");
  SmallGpu gpu(ptx, {}, GetParam());
  EXPECT_NO_THROW(gpu.launch("k", {{2}, {50}}, Arguments()));
  EXPECT_EQ(gpu.total().threads, 100U);
}

// `if (i >= n) return; …; __syncthreads();` as compilers write it: the branch's post-dominator is the exit itself.
TEST_P(Deadlock, is_none_where_threads_return_early_to_the_exit_of_the_kernel) {
  SmallGpu gpu(R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k() {
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 40;
  @%p1 bra OUT;
  bar.sync 0;
  shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
OUT:
  ret;
})",
               {}, GetParam());
  EXPECT_NO_THROW(gpu.launch("k", {{2}, {50}}, Arguments()));
  EXPECT_EQ(gpu.total().threads, 100U);
}

// The same with the exit on the path that does not run first.
TEST_P(Deadlock, is_none_where_the_missing_threads_exit_by_a_guard) {
  std::string ptx(kExits);
  ptx.replace(ptx.find("bra OUT;"), 8, "exit;");
  SmallGpu gpu(ptx, {}, GetParam());
  EXPECT_NO_THROW(gpu.launch("k", {{2}, {50}}, Arguments()));
  EXPECT_EQ(gpu.total().threads, 100U);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const MechanismRow& row : mechanisms()) result.emplace_back(row.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(EveryMechanism, Deadlock, ::testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace heddle::test
