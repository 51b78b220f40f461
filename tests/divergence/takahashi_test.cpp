// takahashi: the empty slots, computed by hand from the rule in the header.
#include "divergence/mechanisms/takahashi.h"

#include <gtest/gtest.h>

#include "support/amount.h"
#include "support/random_program.h"
#include "support/scripted.h"

namespace heddle::scripted::takahashi_test {
namespace {

const Shape kWarp{.threads = 4, .set = {"warp_size=4"}};

std::string trace(const char* text, Choice choice, Shape shape = kWarp) {
  const Listing listing(text);
  ScriptedMachine machine(listing, "takahashi", std::move(shape), std::move(choice));
  machine.run();
  return machine.trace();
}
unsigned upper_half(const Visit& v) { return v.thread > 1; }
unsigned all(const Visit&) { return 1; }
unsigned none(const Visit&) { return 0; }

const char* const kIfThenElse = "A: if C\n B: br D\n C: op\n D: exit";

TEST(Takahashi, WalksBothSidesOfAnIfWhoeverIsThere) {
  EXPECT_EQ(trace(kIfThenElse, upper_half), "A(0,1,2,3) B(0,1,-,-) C(-,-,2,3) D(0,1,2,3)");
  EXPECT_EQ(trace(kIfThenElse, none), "A(0,1,2,3) B(0,1,2,3) C[0] D(0,1,2,3)");
  EXPECT_EQ(trace(kIfThenElse, all), "A(0,1,2,3) B[0] C(0,1,2,3) D(0,1,2,3)");
}

TEST(Takahashi, RunsOneExtraEmptyIterationOfALoop) {
  const char* const text = "L: op\n M: op\n N: if L\n X: exit";
  EXPECT_EQ(trace(text, none), "L(0,1,2,3) M(0,1,2,3) N(0,1,2,3) L[0] M[0] N[0] X(0,1,2,3)");
  constexpr unsigned trips[] = {1, 2, 3, 1};
  EXPECT_EQ(trace(text, [&](const Visit& v) { return v.time < trips[v.thread]; }),
            "L(0,1,2,3) M(0,1,2,3) N(0,1,2,3) L(-,1,2,-) M(-,1,2,-) N(-,1,2,-) L(-,-,2,-) M(-,-,2,-) N(-,-,2,-) "
            "L[0] M[0] N[0] X(0,1,2,3)");
}

TEST(Takahashi, TakesTheHigherAddressWhereNobodyIsActive) {
  // Nobody goes to E: its inner `if` is empty, so is F's loop, once.
  EXPECT_EQ(trace("A: if E\n B: br H\n E: if G\n e: op\n F: op\n G: if F\n H: exit", none),
            "A(0,1,2,3) B(0,1,2,3) E[0] G[0] H(0,1,2,3)");
  EXPECT_EQ(trace("A: if E\n B: br H\n E: op\n F: if E\n H: exit", none), "A(0,1,2,3) B(0,1,2,3) E[0] F[0] H(0,1,2,3)");
}

TEST(Takahashi, NeverPassesAThread) {
  // Nobody goes to B; from its jump beyond C the unit goes to C, where all are.
  EXPECT_EQ(trace("A: if C\n B: br E\n C: op\n D: op\n E: exit", all),
            "A(0,1,2,3) B[0] C(0,1,2,3) D(0,1,2,3) E(0,1,2,3)");
}

TEST(Takahashi, WalksWhatLiesBelowALoopEveryTime) {
  const auto trips = [](const Visit& v) { return v.time == v.thread + 1; };
  EXPECT_EQ(
      trace("1: br 4\n 2: op\n 3: exit\n 4: op\n 5: if 2\n 6: br 4", trips, {.threads = 2, .set = {"warp_size=2"}}),
      "1(0,1) 2[0] 3[0] 4(0,1) 5(0,1) 2(0,-) 3(0,-) 6(-,1) 4(-,1) 5(-,1) 2(-,1) 3(-,1)");
}

TEST(Takahashi, StepsOverCallsAndBarriersThatNobodyReaches) {
  EXPECT_EQ(trace("A: if D\n B: call F\n C: bar\n D: exit\n F: ret", all), "A(0,1,2,3) B[0] C[0] D(0,1,2,3)");
}

TEST(Takahashi, ReconvergesBehindACall) {
  EXPECT_EQ(trace("1: if 3\n 2: call 10\n 3: op\n 4: exit\n 10: op\n 11: ret", upper_half),
            "1(0,1,2,3) 2(0,1,-,-) 10(0,1,-,-) 11(0,1,-,-) 3(0,1,2,3) 4(0,1,2,3)");
}

TEST(Takahashi, LetsThreadsExitWhileOthersWaitAtABarrier) {
  EXPECT_EQ(trace("A: if D\n B: bar\n C: exit\n D: exit", upper_half), "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-)");
}

TEST(Takahashi, CountsEmptySlotsWithoutThreads) {
  const Listing listing(kIfThenElse);
  ScriptedMachine machine(listing, "takahashi", kWarp, none);
  machine.run();
  EXPECT_EQ(machine.active(), 12U);
  EXPECT_EQ(machine.thread_instructions(), 12U);
  EXPECT_DOUBLE_EQ(machine.efficiency(), 0.75);
  EXPECT_TRUE(machine.mechanism().cost().constant);
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 4U * 33);
}

void expect_refused(const char* text, const char* why) {
  const Listing listing(text);
  try {
    ScriptedMachine machine(listing, "takahashi", kWarp, upper_half);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Refused);
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(Takahashi, RefusesRecursionAndIndirectBranches) {
  expect_refused("1: call F\n 2: exit\n F: if R\n C: call F\n R: ret", "functions that call themselves: F");
  expect_refused("A: brx B C\n B: op\n C: exit", "there is one at instruction 0");
}

TEST(Takahashi, LetsEveryThreadWalkItsOwnPath) {
  for (unsigned seed = 0; seed < test::amount(1800, 600, 50); ++seed) {
    const Listing listing(random_listing(seed));
    if (listing.kernel().has_indirect) continue;
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine machine(listing, "takahashi", shape, random_choice);
    ScriptedMachine pdom(listing, "pdom", shape, random_choice);
    machine.run();
    pdom.run();
    EXPECT_EQ(paths_of(machine.slots()), paths_of(pdom.slots())) << random_listing(seed);
  }
}

}  // namespace
}  // namespace heddle::scripted::takahashi_test
