// multi-path: worked out by hand on small graphs, and that it issues what pdom issues.
#include "divergence/mechanisms/multi_path.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_program.h"

namespace heddle::scripted::multi_path_test {
namespace {

TEST(MultiPath, RunsTheFirstOfItsQueueUntilItJumps) {
  EXPECT_EQ(slots_of(kIfElse, "multi-path"), "A1111 B1---x2 C-111x3 D1111");
  EXPECT_EQ(slots_of(kSharedTail, "multi-path"), "A1111 B-111 X1--- Y1--- C--11 X-1-- Y-1-- D---1 Y--1- Z1111");
}

TEST(MultiPath, EarlyJoinsASiblingThatHasNotStarted) {
  EXPECT_EQ(slots_of(kSharedTail, "multi-path", {"early=true"}), "A1111 B-111 X11-- Y11-- C--11 D---1 Y--1- Z1111");
  const Listing listing(listing_of(kSharedTail));
  ScriptedMachine machine(listing, "multi-path", shape_of({"early=true"}), choice_of(kSharedTail));
  machine.run();
  EXPECT_EQ(machine.mechanism().counters(), (std::vector<Counter>{{"early_merges", 1}}));
}

TEST(MultiPath, LetsTheLoadsOfTwoPathsOverlap) {
  const ClockedRun run = clocked_run(kTwoLoads, "multi-path");
  EXPECT_EQ(run.slots, "A1111 B11-- C--11 D11--x2 E--11x2 F1111");
  EXPECT_EQ(run.cycles, 17U);
}

TEST(MultiPath, LetsTheLoadsOfNestedPathsOverlap) {
  const ClockedRun run = clocked_run(kThreeLoads, "multi-path");
  EXPECT_EQ(run.slots, "A1111 B11-- C--11 D1--- E-1-- H--11x2 K1--- L-1-- F11-- G1111");
  EXPECT_EQ(run.cycles, 19U);
}

TEST(MultiPath, KeepsSplitsAndWhereTheyMeet) {
  const Listing listing(listing_of(kThreeLoads));
  ScriptedMachine machine(listing, "multi-path", shape_of({}), choice_of(kThreeLoads));
  machine.step();
  machine.step();  // A and B
  EXPECT_EQ(state_text(machine.mechanism().state(BlockId{0})),
            "  static warp 0: [runs pc 7 rpc 10 join 1 mask c] [stands next 2 rpc 6 join 2 mask 1] "
            "[stands next 4 rpc 6 join 2 mask 2] [join number 1 next 10 above 0 mask f pending f] "
            "[join number 2 next 6 above 1 mask 3 pending 3]\n");
  machine.run();
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 3U * (64 + 5 + 4) + 2 * (64 + 5 + 2 * 4));
}

TEST(MultiPath, RunsRecursionLevelByLevel) {
  const Listing listing("A: call F\n B: exit\n F: if H\n G: call F\n H: ret");
  const auto choice = [](const Visit& v) { return v.thread == 0 || v.time == 2; };
  for (const char* mechanism : {"multi-path", "pdom"}) {
    ScriptedMachine machine(listing, mechanism, {.threads = 2, .set = {"warp_size=2"}}, choice);
    machine.run();
    EXPECT_EQ(machine.trace(), "A(0,1) F(0,1) G(-,1) F(-,1) H(-,1) H(0,1) B(0,1)") << mechanism;
  }
}

TEST(MultiPath, LetsThreadsExitWhileOthersWaitAtABarrier) {
  const Listing listing("A: if D\n B: bar\n C: exit\n D: exit");
  ScriptedMachine machine(listing, "multi-path", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread > 1; });
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-)");
}

std::vector<std::string> slots_of_run(const Listing& listing, const char* mechanism, bool timed, bool early = false) {
  Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
  if (early) shape.set.emplace_back("early=true");
  ScriptedMachine machine(listing, mechanism, shape, random_choice);
  machine.host().timed = timed;
  machine.run();
  return sorted_slots(machine);
}

TEST(MultiPath, IssuesWhatPdomIssuesInAnotherOrder) {
  for (unsigned seed = 0; seed < test::amount(3000, 1000, 100); ++seed) {
    const Listing listing(random_listing(seed));
    const std::vector<std::string> right = slots_of_run(listing, "pdom", false);
    for (bool timed : {false, true})
      EXPECT_EQ(slots_of_run(listing, "multi-path", timed), right) << random_listing(seed);
  }
}

TEST(MultiPath, EarlyNeedsFewerSlotsForTheSamePaths) {
  unsigned fewer = 0, runs = 0;
  for (unsigned seed = 0; seed < test::amount(1000, 300, 50); ++seed, ++runs) {
    const Listing listing(random_listing(seed));
    const auto machine_of = [&](std::vector<std::string> set) {
      set.emplace_back("warp_size=4");
      return ScriptedMachine(listing, "multi-path", {.threads = 30, .blocks = 2, .set = std::move(set)}, random_choice);
    };
    ScriptedMachine early = machine_of({"early=true"}), late = machine_of({});
    early.run();
    late.run();
    EXPECT_EQ(paths_of(early.slots()), paths_of(late.slots())) << random_listing(seed);
    EXPECT_LE(early.slots().size(), late.slots().size()) << random_listing(seed);
    fewer += early.slots().size() < late.slots().size() ? 1 : 0;
  }
  EXPECT_GT(fewer, runs / 20);
}

}  // namespace
}  // namespace heddle::scripted::multi_path_test
