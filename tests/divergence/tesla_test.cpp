// tesla: the slots that paths spend at joins, computed by hand.
#include "divergence/mechanisms/tesla.h"

#include <gtest/gtest.h>

#include "support/amount.h"
#include "support/random_program.h"
#include "support/scripted.h"

namespace heddle::scripted::tesla_test {
namespace {

const Shape kTeslaWarp{.threads = 4, .set = {"warp_size=4"}};

ScriptedMachine run(const Listing& listing, std::string_view mechanism, Choice choice) {
  ScriptedMachine machine(listing, mechanism, kTeslaWarp, std::move(choice));
  machine.run();
  return machine;
}

TEST(Tesla, SpendsASlotForEachSideOfAnIfThenElse) {
  const Listing listing("1: op\n 2: if 5\n 3: op\n 4: br 6\n 5: op\n 6: exit");
  const auto machine = run(listing, "tesla", [](const Visit& v) { return v.thread > 1; });
  EXPECT_EQ(machine.trace(), "1(0,1,2,3) 2(0,1,2,3) 5(-,-,2,3) 6[2] 3(0,1,-,-) 4(0,1,-,-) 6[2] 6(0,1,2,3)");
  EXPECT_EQ(machine.thread_instructions(), 18U);
  EXPECT_EQ(machine.active(), 22U);
}

TEST(Tesla, SpendsASlotForAPathThatStartsAtTheJoin) {
  const Listing listing("A: if C\n B: op\n C: exit");
  EXPECT_EQ(run(listing, "tesla", [](const Visit& v) { return v.thread > 0; }).trace(),
            "A(0,1,2,3) C[3] B(0,-,-,-) C[1] C(0,1,2,3)");
}

TEST(Tesla, SpendsNoneWhereNobodyParts) {
  const Listing listing("A: if C\n B: op\n C: exit");
  EXPECT_EQ(run(listing, "tesla", [](const Visit&) { return 1; }).trace(), "A(0,1,2,3) C(0,1,2,3)");
  EXPECT_EQ(run(listing, "tesla", [](const Visit&) { return 0; }).trace(), "A(0,1,2,3) B(0,1,2,3) C(0,1,2,3)");
}

TEST(Tesla, SpendsASlotForThoseWhoLeaveALoopAndDoesNotGrowWithItsTrips) {
  const Listing listing("L: op\n N: if L\n X: exit");
  const auto trips = [](const Visit& v) { return v.time <= v.thread * 5; };  // 1, 6, 11, 16 trips
  ScriptedMachine machine(listing, "tesla", kTeslaWarp, trips);
  size_t deepest = 0;
  machine.after_slot = [&](const Slot&) { deepest = std::max(deepest, machine.as<Tesla>().stack(WarpId(0)).size()); };
  machine.run();
  const auto pdom = run(listing, "pdom", trips);
  EXPECT_EQ(machine.slots().size(), pdom.slots().size() + 4);
  EXPECT_EQ(machine.slots()[2].text(), "X[1]");
  EXPECT_EQ(machine.slots()[3].text(), "L(-,1,2,3)");
  EXPECT_EQ(machine.slots().back().text(), "X(0,1,2,3)");
  EXPECT_EQ(deepest, 3U);
}

TEST(Tesla, TakesACallsReturnForNoJoin) {
  const Listing listing("1: call 10\n 2: exit\n 10: if 12\n 11: call 10\n 12: ret");
  ScriptedMachine machine(listing, "tesla", {.threads = 2, .set = {"warp_size=2"}},
                          [](const Visit& v) { return v.time == v.thread + 1; });
  machine.run();
  // 12 joins the branch at 10: thread 0 starts there, thread 1 comes there behind its call. No slot at 2.
  EXPECT_EQ(machine.trace(), "1(0,1) 10(0,1) 12[1] 11(-,1) 10(-,1) 12(-,1) 12[1] 12(0,1) 2(0,1)");
}

TEST(Tesla, TakesTheEndOfAFunctionForNoJoin) {
  const Listing listing("A: call F\n B: exit\n F: if H\n G: ret\n H: ret");
  EXPECT_EQ(run(listing, "tesla", [](const Visit& v) { return v.thread > 1; }).trace(),
            "A(0,1,2,3) F(0,1,2,3) H(-,-,2,3) G(0,1,-,-) B(0,1,2,3)");
}

TEST(Tesla, SpendsItsSlotsInFrontOfBarriers) {
  const Listing listing("A: if C\n B: op\n C: bar\n D: exit");
  EXPECT_EQ(run(listing, "tesla", [](const Visit& v) { return v.thread > 1; }).trace(),
            "A(0,1,2,3) C[2] B(0,1,-,-) C[2] C(0,1,2,3) D(0,1,2,3)");
}

TEST(Tesla, ChargesASlotInFrontOfAWarpWideInstruction) {
  const char* const ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %q; .reg .b32 %r<4>; .reg .b64 %d<3>;
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %q, %r0, 8;
  @%q bra J;
  add.u32 %r0, %r0, 100;
J:
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;
  ld.param.u64 %d0, [p];
  mov.u32 %r2, %tid.x;
  mad.wide.u32 %d1, %r2, 4, %d0;
  st.global.u32 [%d1], %r1;
  exit;
})";
  const auto run = [&](const char* mechanism) {
    return run_ptx(ptx, "k", mechanism, {.input = std::vector<uint32_t>(32), .record = false});
  };
  const PtxRun tesla = run("tesla"), pdom = run("pdom");
  EXPECT_EQ(tesla.output, pdom.output);
  EXPECT_EQ(tesla.stats.issue_slots, pdom.stats.issue_slots + 2);
  EXPECT_EQ(tesla.stats.phantom_slots, 2U);
  EXPECT_EQ(tesla.stats.phantom_threads, 32U);
  EXPECT_EQ(tesla.stats.thread_instructions, pdom.stats.thread_instructions);
}

TEST(Tesla, IssuesWithoutItsPhantomsWhatPdomIssues) {
  for (unsigned seed = 0; seed < test::amount(900, 300, 25); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine tesla(listing, "tesla", shape, random_choice), pdom(listing, "pdom", shape, random_choice);
    tesla.run();
    pdom.run();
    std::vector<Slot> real = tesla.slots();
    std::erase_if(real, [](const Slot& slot) { return slot.phantom; });
    EXPECT_EQ(text_of(real), pdom.trace()) << random_listing(seed);
  }
}

}  // namespace
}  // namespace heddle::scripted::tesla_test
