// dwf-wb: static warps, barriers at post-dominators, and dwf in between.
#include <gtest/gtest.h>

#include "support/amount.h"
#include "support/random_program.h"
#include "support/scripted.h"

namespace heddle::scripted::dwf_wb_test {
namespace {

const Shape kTwoWarps{.threads = 8, .set = {"warp_size=4"}};

Choice taken_by(std::vector<unsigned> threads) {
  return [threads](const Visit& visit) {
    return std::find(threads.begin(), threads.end(), visit.thread) != threads.end() ? 1U : 0U;
  };
}

TEST(DwfWb, PlaysTheStarvationEddyInNineSlots) {
  const Listing listing("A: if C\n B: br D1\n C: op\n D1: op\n D2: exit");
  ScriptedMachine machine(listing, "dwf-wb", kTwoWarps, taken_by({3, 4}));
  machine.run();
  // C hands over 4, then 3: warp 1 is complete first.
  EXPECT_EQ(machine.trace(),
            "A(0,1,2,3) A(4,5,6,7) B(0,1,2,7) B(-,5,6,-) C(4,-,-,3) D1(4,5,6,7) D1(0,1,2,3) D2(4,5,6,7) D2(0,1,2,3)");
  EXPECT_EQ(machine.slots().size(), 9U);
  EXPECT_DOUBLE_EQ(machine.efficiency(), 32.0 / 36.0);
}

TEST(DwfWb, AWholeWarpMergesWithNoOther) {
  // Warp 0 parts, warp 1 goes to B as a whole: B's threads of warp 0 could share no lane with it, and do not.
  const Listing listing("A: if C\n B: op\n b: br D\n C: op\n D: exit");
  ScriptedMachine machine(listing, "dwf-wb", {.threads = 6, .set = {"warp_size=4"}}, taken_by({0, 1}));
  machine.run();
  std::map<std::string, unsigned> slots = executions_of(machine.slots());
  EXPECT_EQ(slots["B"], 2U) << machine.trace();
  EXPECT_NE(machine.trace().find("B(4,5,-,-)"), std::string::npos) << machine.trace();
  ScriptedMachine free(listing, "dwf", {.threads = 6, .set = {"warp_size=4"}}, taken_by({0, 1}));
  free.run();
  EXPECT_EQ(executions_of(free.slots())["B"], 1U) << free.trace();
}

TEST(DwfWb, NestedPartingAddsNoBarrier) {
  // Inside C the threads diverge again at C and never wait at E, the inner post-dominator; only at F.
  const Listing listing("A: if C\n B: br F\n C: if E\n D: op\n E: op\n F: exit");
  ScriptedMachine machine(listing, "dwf-wb", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.at == "A" ? v.thread > 0 : v.thread > 1; });
  machine.run();
  // Majority: E(2,3) goes before D(1), so 1 runs E alone.
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) C(-,1,2,3) E(-,-,2,3) B(0,-,-,-) D(-,1,-,-) E(-,1,-,-) F(0,1,2,3)");
}

TEST(DwfWb, GoesOnWithoutThreadsThatHaveLeft) {
  const Listing listing("A: if C\n B: br D\n C: exit\n D: op\n E: exit");
  ScriptedMachine machine(listing, "dwf-wb", {.threads = 4, .set = {"warp_size=4"}}, taken_by({3}));
  machine.run();
  EXPECT_EQ(executions_of(machine.slots())["D"], 1U) << machine.trace();
}

TEST(DwfWb, ThereIsNoneWhereThePathsMeetNowhere) {
  const Listing listing("A: if C\n B: op\n b: exit\n C: op\n c: exit");
  ScriptedMachine machine(listing, "dwf-wb", kTwoWarps, taken_by({0, 1, 6, 7}));
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) A(4,5,6,7) B(4,5,2,3) b(4,5,2,3) C(0,1,6,7) c(0,1,6,7)");
}

TEST(DwfWb, IsWhereTheFunctionReturnsToIfThePathsMeetAtItsEnd) {
  const Listing listing("A: call F\n B: op\n C: exit\n F: if H\n G: ret\n H: op\n I: ret");
  ScriptedMachine machine(listing, "dwf-wb", kTwoWarps, taken_by({0, 5, 6}));
  machine.run();
  EXPECT_EQ(executions_of(machine.slots())["B"], 2U) << machine.trace();
  EXPECT_NE(machine.trace().find("B(0,1,2,3)"), std::string::npos) << machine.trace();
}

TEST(DwfWb, KnowsTheDepthOfItsBarrierInRecursion) {
  // Thread t calls itself t times more; R is the post-dominator at every depth.
  const Listing listing("M: call F\n X: exit\n F: if R\n C: call F\n R: ret");
  ScriptedMachine machine(listing, "dwf-wb", kTwoWarps,
                          [](const Visit& visit) { return visit.time > visit.thread % 4 ? 1U : 0U; });
  machine.run();
  EXPECT_EQ(executions_of(machine.slots())["X"], 2U) << machine.trace();
  EXPECT_EQ(machine.thread_instructions(), 8U * 2 + 2 * (2 * (1 + 2 + 3 + 4) + (0 + 1 + 2 + 3)));
}

TEST(DwfWb, ABlockThatNeverPartsIssuesItsStaticWarps) {
  const Listing listing("A: op\n B: if A\n C: bar\n D: exit");
  ScriptedMachine machine(listing, "dwf-wb", kTwoWarps, [](const Visit& visit) { return visit.time < 3 ? 1U : 0U; });
  machine.run();
  for (const Slot& slot : machine.slots()) EXPECT_EQ(slot.count, 4U) << slot.text();
}

TEST(DwfWb, LetsEveryThreadWalkItsOwnPath) {
  for (unsigned seed = 0; seed < test::amount(1000, 300, 25); ++seed) {
    const Listing listing(random_listing(seed));
    for (const char* policy : {"majority", "pc", "time"})
      for (const char* lanes : {"none", "balanced"}) {
        const Shape shape{.threads = 30,
                          .blocks = 3,
                          .resident = 2,
                          .set = {"warp_size=4", std::string("dwf_policy=") + policy},
                          .lanes = lanes};
        ScriptedMachine wb(listing, "dwf-wb", shape, random_choice), pdom(listing, "pdom", shape, random_choice);
        wb.run();
        pdom.run();
        EXPECT_EQ(paths_of(wb.slots()), paths_of(pdom.slots())) << random_listing(seed);
      }
  }
}

}  // namespace
}  // namespace heddle::scripted::dwf_wb_test
