// Threads of one warp that spin for a lock another of them holds: who gets through, and what is said where nobody does.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scripted.h"

namespace heddle::scripted::spin_lock_test {
namespace {

// Each thread takes the lock, adds one and gives it back. The winner's way is the lower address, the losers take the
// branch. words: the lock, the sum.
const char* const kSpinLock = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry lock(.param .u64 p) {
  .reg .pred %f; .reg .b32 %r<3>; .reg .b64 %d;
  ld.param.u64 %d, [p];
  bra SPIN;
CRITICAL:
  ld.volatile.global.u32 %r1, [%d+4];
  add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%d+4], %r1;
  atom.global.exch.b32 %r2, [%d], 0;
  bra END;
SPIN:
  atom.global.cas.b32 %r2, [%d], 0, 1;
  setp.ne.u32 %f, %r2, 0;
  @%f bra AGAIN;
  bra CRITICAL;
AGAIN:
  bra SPIN;
END:
  exit;
})";

// The same with the winner's way above the loop: the lowest address spins, too.
const char* const kSpinBelow = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry lock(.param .u64 p) {
  .reg .pred %f; .reg .b32 %r<3>; .reg .b64 %d;
  ld.param.u64 %d, [p];
SPIN:
  atom.global.cas.b32 %r2, [%d], 0, 1;
  setp.ne.u32 %f, %r2, 0;
  @%f bra SPIN;
  ld.volatile.global.u32 %r1, [%d+4];
  add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%d+4], %r1;
  atom.global.exch.b32 %r2, [%d], 0;
  exit;
})";

// A lock of words 0 (and 2); word 1 is counted under it. The kernel's body; %d is the words, %r1 the thread.
std::string locking(std::string_view body) {
  return fmt::format(R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry lock(.param .u64 p) {{
  .reg .pred %f; .reg .b32 %r<9>; .reg .b64 %d;
  ld.param.u64 %d, [p];
  mov.u32 %r1, %tid.x;
  {}
}})",
                     body);
}

constexpr std::string_view kAdd =
    "ld.volatile.global.u32 %r3, [%d+4]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%d+4], %r3;\n";
constexpr std::string_view kTake = "TAKE: atom.global.cas.b32 %r2, [%d], 0, 1; setp.ne.u32 %f, %r2, 0; @%f bra TAKE;\n";
constexpr std::string_view kGive = "atom.global.exch.b32 %r2, [%d], 0;\n";

// Looks before it tries.
const std::string kTestAndSet =
    locking(fmt::format("LOOK: ld.volatile.global.u32 %r2, [%d]; setp.ne.u32 %f, %r2, 0; @%f bra LOOK;\n"
                        "atom.global.cas.b32 %r2, [%d], 0, 1; setp.ne.u32 %f, %r2, 0; @%f bra LOOK;\n{}{}exit;",
                        kAdd, kGive));
// Draws a number (word 0) and waits until it is called (word 2).
const std::string kTicket =
    locking(fmt::format("atom.global.add.u32 %r4, [%d], 1;\n"
                        "LOOK: ld.volatile.global.u32 %r2, [%d+8]; setp.ne.u32 %f, %r2, %r4; @%f bra LOOK;\n"
                        "{}add.u32 %r2, %r2, 1; st.volatile.global.u32 [%d+8], %r2; exit;",
                        kAdd));
const std::string kTwoLocks =
    locking(fmt::format("{}SECOND: atom.global.cas.b32 %r2, [%d+8], 0, 1; setp.ne.u32 %f, %r2, 0; @%f bra SECOND;\n"
                        "{}atom.global.exch.b32 %r2, [%d+8], 0;\n{}exit;",
                        kTake, kAdd, kGive));
// The lock is taken in one side of an `if`, and by every thread three times.
const std::string kInABranch =
    locking(fmt::format("mov.u32 %r5, 0; and.b32 %r6, %r1, 3; setp.eq.u32 %f, %r6, 3; @%f bra NONE;\n"
                        "TRIP: add.u32 %r6, %r6, 1;\n{}{}{}add.u32 %r5, %r5, 1; setp.lt.u32 %f, %r5, 3; @%f bra TRIP;\n"
                        "NONE: red.global.add.u32 [%d+12], 1; exit;",
                        kTake, kAdd, kGive));
// Tries in a loop around the critical section: the only form that a stack gets through.
const std::string kTries =
    locking(fmt::format("TRY: atom.global.cas.b32 %r4, [%d], 0, 1; setp.ne.u32 %f, %r4, 0; @%f bra MISSED;\n"
                        "{}{}MISSED: setp.ne.u32 %f, %r4, 0; @%f bra TRY;\nexit;",
                        kAdd, kGive));

struct Ended {
  std::string error;  // "" where all went well
  uint32_t sum = 0;
  uint64_t timed_out = 0;
};

Ended run(const char* ptx, std::string_view mechanism, bool timed, unsigned threads = 64,
          std::vector<std::string> set = {}) {
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = timed;
  set.emplace_back("spin_limit=200000");
  Gpu gpu(make_config("default", set), options);
  gpu.load("lock.ptx", ptx);
  Buffer<uint32_t> words(gpu, std::vector<uint32_t>(4), "words");
  Ended ended;
  try {
    gpu.launch("lock", {{2, 1, 1}, {threads, 1, 1}, 0, false}, Arguments(words.address()));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Deadlock);
    ended.error = error.what();
  }
  ended.sum = words.download()[1];
  for (const Counter& counter : gpu.total().counters)
    if (counter.name == "joins_timed_out") ended.timed_out = counter.value;
  return ended;
}

class SpinLock : public testing::TestWithParam<bool> {};

TEST_P(SpinLock, IsPassedByMechanismsThatLetTheLowerAddressGoFirst) {
  for (const char* mechanism : {"stackless", "implicit-stack", "takahashi", "swi"}) {
    const Ended ended = run(kSpinLock, mechanism, GetParam());
    EXPECT_EQ(ended.error, "") << mechanism;
    EXPECT_EQ(ended.sum, 128U) << mechanism;
  }
}

TEST_P(SpinLock, IsASimtInducedDeadlockUnderAStack) {
  for (const char* mechanism : {"pdom", "tesla", "tbc", "lwm", "lorie-strong", "thread-frontiers"}) {
    const Ended ended = run(kSpinLock, mechanism, GetParam());
    EXPECT_THAT(ended.error, testing::StartsWith("kernel lock spins under '" + std::string(mechanism) + "'"));
    EXPECT_THAT(ended.error, testing::HasSubstr("SIMT-induced deadlock: "));
    EXPECT_THAT(ended.error, testing::HasSubstr(": bra SPIN;"));
    EXPECT_THAT(ended.error, testing::HasSubstr("of threads 0 to 31, those in 00000001\n"));
    EXPECT_EQ(ended.sum, 0U);
  }
}

TEST_P(SpinLock, IsDetectedUnderStacklessWhereTheLoopIsTheLowestAddress) {
  for (const char* mechanism : {"stackless", "pdom", "takahashi", "swi"})
    EXPECT_THAT(run(kSpinBelow, mechanism, GetParam()).error, testing::HasSubstr("SIMT-induced deadlock")) << mechanism;
}

TEST_P(SpinLock, IsPassedWhereThreadsAtAJoinGoOnWithoutTheOthers) {
  for (const char* ptx : {kSpinLock, kSpinBelow}) {
    const Ended ended = run(ptx, "aware", GetParam(), 64, {"recv_timeout=500"});
    EXPECT_EQ(ended.error, "");
    EXPECT_EQ(ended.sum, 128U);
    EXPECT_THAT(run(ptx, "aware", GetParam(), 64, {"recv_timeout=0"}).error,
                testing::HasSubstr("SIMT-induced deadlock"));
  }
}

TEST_P(SpinLock, IsPassedWithoutTimeOutsWhereJoinsLieBehindWhatGivesItBack) {
  const std::string shapes[] = {kSpinLock, kSpinBelow, kTestAndSet, kTicket, kTwoLocks, kInABranch};
  for (const std::string& ptx : shapes) {
    const uint32_t sum = ptx == kInABranch ? 3 * 96 : 128;
    const Ended delayed = run(ptx.c_str(), "aware", GetParam(), 64, {"recv_timeout=0", "delayed=true"});
    EXPECT_EQ(delayed.error, "") << ptx;
    EXPECT_EQ(delayed.sum, sum) << ptx;
    EXPECT_THAT(run(ptx.c_str(), "aware", GetParam(), 64, {"recv_timeout=0"}).error,
                testing::HasSubstr("SIMT-induced deadlock"))
        << ptx;
    const Ended late = run(ptx.c_str(), "aware", GetParam(), 64, {"recv_timeout=500"});
    EXPECT_EQ(late.error, "") << ptx;
    EXPECT_EQ(late.sum, sum) << ptx;
    EXPECT_GT(late.timed_out, 30U) << ptx;
  }
  for (const char* delayed : {"delayed=true", "delayed=false"})
    EXPECT_EQ(run(kTries.c_str(), "aware", GetParam(), 64, {"recv_timeout=0", delayed}).sum, 128U);
}

TEST_P(SpinLock, IsPassedWhereThreadsYield) {
  for (const char* ptx : {kSpinLock, kSpinBelow}) {
    const Ended ended = run(ptx, "its", GetParam());
    EXPECT_EQ(ended.error, "");
    EXPECT_EQ(ended.sum, 128U);
  }
  EXPECT_THAT(run(kSpinBelow, "its", GetParam(), 64, {"yield=none"}).error,
              testing::HasSubstr("SIMT-induced deadlock"));
}

TEST_P(SpinLock, IsPassedWherePathsGoOnBehindTheirJoin) {
  for (const char* ptx : {kSpinLock, kSpinBelow}) {
    for (const char* mechanism : {"sbi", "sbi+swi", "dws"}) {
      const Ended ended = run(ptx, mechanism, GetParam());
      EXPECT_EQ(ended.error, "") << mechanism;
      EXPECT_EQ(ended.sum, 128U) << mechanism;
    }
    EXPECT_THAT(run(ptx, "dws", GetParam(), 64, {"reconverge=stack"}).error,
                testing::HasSubstr("SIMT-induced deadlock"));
  }
}

TEST_P(SpinLock, BetweenWarpsIsNone) {
  // One thread per warp: there is nobody to wait for on a stack.
  for (const char* mechanism : {"pdom", "stackless"}) {
    const Ended ended = run(kSpinBelow, mechanism, GetParam(), 1);
    EXPECT_EQ(ended.error, "") << mechanism;
    EXPECT_EQ(ended.sum, 2U) << mechanism;
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutAClock, SpinLock, testing::Bool(),
                         [](const auto& info) { return std::string(info.param ? "cycle" : "emulation"); });

// A long loop that computes is none, whatever the limit.
TEST(SpinDetector, LetsALongLoopRun) {
  const char* const ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %q; .reg .b32 %r<3>; .reg .b64 %d;
  ld.param.u64 %d, [p];
  mov.u32 %r1, 0;
L:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %q, %r1, 100000;
  @%q bra L;
  st.global.u32 [%d], %r1;
  exit;
})";
  const PtxRun run =
      run_ptx(ptx, "k", "pdom", {.set = {"spin_limit=1000"}, .input = std::vector<uint32_t>(1), .record = false});
  EXPECT_EQ(run.output[0], 100000U);
  EXPECT_EQ(run.stats.issue_slots, 300004U);
}

// Registers that are the same every time, a counter in memory: it gets on.
TEST(SpinDetector, LetsALoopRunThatGetsOnInMemory) {
  const char* const ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %q; .reg .b32 %r<3>; .reg .b64 %d;
  ld.param.u64 %d, [p];
L:
  red.global.add.u32 [%d], 1;
  ld.volatile.global.u32 %r1, [%d];
  setp.lt.u32 %q, %r1, 640000;
  mov.u32 %r1, 0;
  @%q bra L;
  exit;
})";
  const PtxRun run =
      run_ptx(ptx, "k", "pdom", {.set = {"spin_limit=1000"}, .input = std::vector<uint32_t>(1), .record = false});
  EXPECT_EQ(run.output[0], 640000U);
}

}  // namespace
}  // namespace heddle::scripted::spin_lock_test
