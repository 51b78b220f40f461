// Profiles: sums are the run's, and who is to blame, by hand.
#include "report/profile/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/machine_keys.h"
#include "report/profile/blame.h"
#include "run/runner.h"

namespace heddle {
namespace {

using testing::HasSubstr;

constexpr const char* kHead = ".version 7.0\n.target sm_70\n.address_size 64\n";

// Threads below 8 go one way; inside, those below 4 a way of their own.
constexpr const char* kNested = R"(.entry k() {
  .reg .u32 %r<4>;
  .reg .pred %p<4>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 8;
  @%p1 bra END;
  add.u32 %r2, %r1, 1;
  setp.ge.u32 %p2, %r1, 4;
  @%p2 bra INNER;
  add.u32 %r2, %r2, 1;
  add.u32 %r2, %r2, 2;
INNER:
  add.u32 %r3, %r2, 3;
END:
  ret;
})";

RunResult run_text(const std::string& body, unsigned threads, const std::string& mechanism = "pdom",
                   bool taint = false) {
  RunSpec spec;
  spec.kind = RunSpec::Kind::PtxFile;
  spec.program = "k.ptx";
  spec.mechanism = mechanism;
  spec.timed = false;
  spec.instruments.add("profile");
  if (taint) spec.instruments.add("taint");
  Gpu gpu(make_config(), gpu_options_of(spec, {}));
  return measure(gpu, spec, [&]() -> std::optional<workloads::Check> {
    gpu.load("k.ptx", kHead + body);
    gpu.launch("k", {{1, 1, 1}, {threads, 1, 1}, 0, false}, Arguments{});
    return std::nullopt;
  });
}

RunSpec tiny(const std::string& workload, const std::string& mechanism, bool timed) {
  RunSpec spec;
  spec.program = workload;
  spec.size = "tiny";
  spec.preset = "tbc-hpca11";
  spec.mechanism = mechanism;
  spec.timed = timed;
  return spec;
}

RunResult run_tiny(const std::string& workload, const std::string& mechanism, bool timed) {
  RunSpec spec = tiny(workload, mechanism, timed);
  spec.instruments.add("profile");
  return execute(spec);
}

const ProfileLine& line_with(const Profile& profile, const std::string& text) {
  const auto found = std::find_if(profile.lines.begin(), profile.lines.end(),
                                  [&](const ProfileLine& line) { return line.text.find(text) != std::string::npos; });
  if (found == profile.lines.end()) throw std::runtime_error("no line with " + text);
  return *found;
}

TEST(Profile, ALineShowsItsSlotsAndTheLanesThatIdled) {
  const Profile profile = profile_of(run_text(kNested, 32));
  EXPECT_EQ(line_with(profile, "mov.u32").cost, (Cost{1, 32, 32, 0, 0}));
  EXPECT_EQ(line_with(profile, "add.u32 %r2, %r1, 1").cost, (Cost{1, 8, 8, 24, 0}));
  EXPECT_EQ(line_with(profile, "add.u32 %r2, %r2, 2").cost, (Cost{1, 4, 4, 28, 0}));
  EXPECT_EQ(profile.lines[0].cost.lanes_lost, 28);  // the costliest first
}

TEST(Profile, SlotsAreLostWhereFullWarpsOfTheSameThreadsWouldNeedFewer) {
  const Profile profile = profile_of(run_text(kNested, 96));  // only the first warp has threads below 8
  EXPECT_EQ(line_with(profile, "mov.u32").cost, (Cost{3, 96, 96, 0, 0}));
  const Profile half = profile_of(run_text(R"(.entry k() {
  .reg .u32 %r<4>;
  .reg .pred %p<4>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra END;
  add.u32 %r2, %r1, 1;
END:
  ret;
})",
                                           128));
  EXPECT_EQ(line_with(half, "add.u32").cost, (Cost{4, 64, 64, 64, 2}));
}

TEST(Profile, EachBranchIsToBlameForWhatIsLostBetweenItAndTheNextInwards) {
  const RunResult run = run_text(kNested, 32);
  const Profile profile = profile_of(run);
  ASSERT_EQ(profile.branches.size(), 2);
  // Behind the first branch six instructions run for 8 threads or fewer: 24 lanes each. Of these, two run for 4: 4
  // more.
  EXPECT_EQ(profile.branches[0].branch.text, "@%p1 bra END;");
  EXPECT_DOUBLE_EQ(profile.branches[0].lanes_lost, 6 * 24);
  EXPECT_EQ(profile.branches[1].branch.text, "@%p2 bra INNER;");
  EXPECT_DOUBLE_EQ(profile.branches[1].lanes_lost, 2 * 4);
  EXPECT_DOUBLE_EQ(profile.lanes_lost_by_nobody, 0);
}

TEST(Profile, WarpsThatWereNeverFullAreNobodysFault) {
  const Profile profile = profile_of(run_text(kNested, 16));
  EXPECT_DOUBLE_EQ(profile.lanes_lost_by_nobody, 16.0 * static_cast<double>(profile.total.slots));
  EXPECT_DOUBLE_EQ(profile.branches[0].lanes_lost, 6 * 8);
}

TEST(Profile, ALoopIsToBlameForThreadsThatLeaveItEarly) {
  const Profile profile = profile_of(run_text(R"(.entry k() {
  .reg .u32 %r<4>;
  .reg .pred %p<4>;
  mov.u32 %r1, %tid.x;
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.lt.s32 %p1, %r1, 0;
  @!%p1 bra LOOP;
  ret;
})",
                                              32));
  // Trip n (from 0) runs for 32 - n threads, three instructions each.
  ASSERT_EQ(profile.branches.size(), 1);
  EXPECT_DOUBLE_EQ(profile.branches[0].lanes_lost, 3 * 31 * 32 / 2);
}

TEST(Profile, ALoopIsNotToBlameForThreadsThatNeverCameToIt) {
  // Half the threads leave before the loop, and meet the others where the loop ends.
  const Profile profile = profile_of(run_text(R"(.entry k() {
  .reg .u32 %r<4>;
  .reg .pred %p<4>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p2, %r1, 16;
  @%p2 bra END;
  mov.u32 %r2, 2;
LOOP:
  sub.u32 %r2, %r2, 1;
  setp.eq.u32 %p1, %r2, 0;
  setp.eq.or.u32 %p1, %r1, 0, %p1;
  @!%p1 bra LOOP;
END:
  ret;
})",
                                              32));
  ASSERT_EQ(profile.branches.size(), 2);
  EXPECT_EQ(profile.branches[0].branch.text, "@%p2 bra END;");
  EXPECT_DOUBLE_EQ(profile.branches[0].lanes_lost, 9 * 16);  // one, and four instructions in two trips
  EXPECT_DOUBLE_EQ(profile.branches[1].lanes_lost, 4);       // thread 0 makes one trip less
}

TEST(Profile, LinesAreOfTheSourceWhereItsTextIsThereAndHaveAKindWithTaint) {
  RunSpec spec = tiny("reduction0", "pdom", false);
  spec.instruments = {"profile", "taint"};
  const RunResult run = execute(spec);
  const Profile profile = profile_of(run);
  const ProfileLine& line = line_with(profile, "if (tid % (2 * s) == 0)");
  EXPECT_EQ(line.file, "kernel.cu");
  EXPECT_EQ(line.kind, BranchKind::Programmatic);
  EXPECT_GT(line.diverged, 0);
  EXPECT_THAT(profile_table(run, profile, 3), HasSubstr("if (tid % (2 * s) == 0)"));
}

// Whatever the mechanism and the machine: nothing is counted twice, nothing is lost.
class ProfileSums : public testing::TestWithParam<std::tuple<const char*, const char*, bool>> {};

TEST_P(ProfileSums, AreThoseOfTheRun) {
  const auto& [workload, mechanism, timed] = GetParam();
  const RunResult run = run_tiny(workload, mechanism, timed);
  ASSERT_TRUE(run.passed());
  const Profile profile = profile_of(run);
  const KernelStats& stats = run.total.stats;
  EXPECT_EQ(profile.total.slots, stats.issue_slots);
  EXPECT_EQ(profile.total.active, stats.active_slots);
  EXPECT_EQ(profile.total.threads, stats.thread_instructions);
  EXPECT_EQ(profile.total.lanes_lost, stats.issue_slots * run.warp_size() - stats.active_slots);
  double blamed = profile.lanes_lost_by_nobody;
  for (const ProfileBranch& branch : profile.branches) blamed += branch.lanes_lost;
  EXPECT_NEAR(blamed, static_cast<double>(profile.total.lanes_lost), 1e-6 * blamed);
  uint64_t branches = 0, diverged = 0;
  for (const ProfileLine& line : profile.lines) {
    branches += line.branches;
    diverged += line.diverged;
  }
  EXPECT_EQ(branches, stats.branches);
  EXPECT_EQ(diverged, stats.divergent_branches);
}

INSTANTIATE_TEST_SUITE_P(All, ProfileSums,
                         testing::Combine(testing::Values("bfs", "bitonic", "indirect", "recursion", "histogram"),
                                          testing::Values("pdom", "tesla", "tbc", "capri", "lwm", "stackless", "dwf"),
                                          testing::Bool()));

TEST(Profile, CountingChangesNothingElse) {
  const RunResult with = run_tiny("bfs", "tbc", true);
  const RunResult without = execute(tiny("bfs", "tbc", true));
  ASSERT_EQ(with.launches.size(), without.launches.size());
  for (size_t i = 0; i < with.launches.size(); ++i) {
    KernelStats stats = with.launches[i].stats;
    stats.by_pc.clear();
    stats.waits.reset();
    EXPECT_EQ(stats, without.launches[i].stats);
  }
}

}  // namespace
}  // namespace heddle
