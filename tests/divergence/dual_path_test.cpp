// dual-path: worked out by hand on small graphs, and that it issues what pdom issues.
#include "divergence/mechanisms/dual_path.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_program.h"

namespace heddle::scripted::dual_path_test {
namespace {

TEST(DualPath, LetsTheLoadsOfBothPathsOverlap) {
  const ClockedRun run = clocked_run(kTwoLoads, "dual-path");
  EXPECT_EQ(run.slots, "A1111 C--11 B11-- E--11x2 D11--x2 F1111");
  EXPECT_EQ(run.cycles, 17U);
  EXPECT_EQ(clocked_run(kTwoLoads, "pdom").cycles, 28U);
}

TEST(DualPath, LetsTheOtherPathStandStillUntilTheNewEntryIsGone) {
  // H could go in cycle 12, but its entry is not the top.
  const ClockedRun run = clocked_run(kThreeLoads, "dual-path");
  EXPECT_EQ(run.slots, "A1111 C--11 B11-- E-1-- D1--- L-1-- K1--- H--11x2 F11-- G1111");
  EXPECT_EQ(run.cycles, 20U);
  EXPECT_EQ(clocked_run(kThreeLoads, "pdom").cycles, 41U);
}

std::string trace(const char* text, const Choice& choice, unsigned threads = 4) {
  const Listing listing(text);
  ScriptedMachine machine(listing, "dual-path", {.threads = threads, .set = {"warp_size=4"}}, choice);
  machine.run();
  return machine.trace();
}
unsigned upper_half(const Visit& v) { return v.thread > 1; }

TEST(DualPath, PushesAnEntryForEveryTwoTargetsOfATable) {
  const Listing listing("A: brx B C D\n B: br E\n C: br E\n D: br E\n E: exit");
  ScriptedMachine machine(listing, "dual-path", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread % 3; });
  machine.step();
  EXPECT_EQ(state_text(machine.mechanism().state(BlockId{0})),
            "  static warp 0: [stands next 3 rpc 4 join 1 mask 4] [runs pc 1 rpc 4 join 1 mask 9] [runs pc 2 rpc 4 "
            "join 1 mask 2] [join number 1 next 4 above 0 mask f pending f]\n");
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(0,-,-,3) C(-,1,-,-) D(-,-,2,-) E(0,1,2,3)");
}

TEST(DualPath, DoesNotGrowItsStackInALoop) {
  const Listing listing("L: op\n M: if L\n X: exit");
  ScriptedMachine machine(listing, "dual-path", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.time <= v.thread; });
  machine.run();
  EXPECT_EQ(machine.trace(),
            "L(0,1,2,3) M(0,1,2,3) L(-,1,2,3) M(-,1,2,3) L(-,-,2,3) M(-,-,2,3) L(-,-,-,3) M(-,-,-,3) X(0,1,2,3)");
  EXPECT_EQ(machine.mechanism().cost().deepest, 2U);
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 2U * (96 + 2 * 4));
}

TEST(DualPath, MeetsBehindFunctions) {
  EXPECT_EQ(trace("A: call F\n B: exit\n F: if H\n G: ret\n H: op\n I: ret", upper_half),
            "A(0,1,2,3) F(0,1,2,3) H(-,-,2,3) I(-,-,2,3) G(0,1,-,-) B(0,1,2,3)");
}

WarpId ready_at(ScriptedMachine& machine, Pc pc) {
  WarpId found = kNoWarp;
  machine.host().ready().for_each([&](WarpId id) {
    if (machine.host().warp(id).pc == pc) found = id;
  });
  return found;
}

TEST(DualPath, LetsThePathBelowGoWhereTheTopWaitsAtABarrier) {
  // 0 and 1 part again; 1 waits at the barrier C for 2 and 3, which stand still at X until 0 has left.
  const Listing listing("A: if X\n B: if Y\n C: bar\n D: exit\n X: op\n Z: exit\n Y: exit");
  ScriptedMachine machine(listing, "dual-path", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.at == "A" ? v.thread > 1 : v.thread == 0; });
  const auto issue = [&](std::string_view name) {
    const WarpId id = ready_at(machine, listing.at(name));
    ASSERT_NE(id, kNoWarp) << name;
    machine.issue(id);
  };
  issue("A");
  issue("B");
  issue("C");
  EXPECT_EQ(ready_at(machine, listing.at("X")), kNoWarp);
  issue("Y");
  issue("X");
  issue("Z");
  issue("D");
  EXPECT_TRUE(machine.done());
}

TEST(DualPath, StandsStillWhenAnInstructionUnderWayIsDone) {
  // C is under way when the other path parts.
  const Listing listing("A: if C\n B: if E\n D: br F\n E: br F\n F: br G\n C: op\n H: op\n G: exit");
  ScriptedMachine machine(listing, "dual-path", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.at == "A" ? v.thread > 1 : v.thread == 0; });
  machine.step();
  const auto at = [&](std::string_view name) { return ready_at(machine, listing.at(name)); };
  const WarpId c = at("C");
  machine.begin(c);
  machine.issue(at("B"));
  machine.complete(c);
  EXPECT_EQ(machine.host().warp(c).state, WarpState::Held);
  EXPECT_EQ(machine.host().warp(c).pc, listing.at("H"));
  machine.issue(at("D"));
  machine.issue(at("E"));
  EXPECT_EQ(machine.host().warp(c).state, WarpState::Ready);
  machine.run();
}

TEST(DualPath, IssuesWhatPdomIssuesInAnotherOrder) {
  unsigned differ = 0;
  for (unsigned seed = 0; seed < test::amount(3000, 1000, 100); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine dual(listing, "dual-path", shape, random_choice), pdom(listing, "pdom", shape, random_choice);
    dual.run();
    pdom.run();
    EXPECT_EQ(sorted_slots(dual), sorted_slots(pdom)) << random_listing(seed);
    differ += dual.trace() != pdom.trace() ? 1 : 0;
  }
  EXPECT_GT(differ, 10U);
}

}  // namespace
}  // namespace heddle::scripted::dual_path_test
