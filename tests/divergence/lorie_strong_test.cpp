// lorie-strong: computed by hand.
#include "divergence/mechanisms/lorie_strong.h"

#include <gtest/gtest.h>

#include "support/amount.h"
#include "support/random_program.h"
#include "support/scripted.h"

namespace heddle::scripted::lorie_strong_test {
namespace {

const Shape kWarp{.threads = 4, .set = {"warp_size=4"}};

std::string trace(const char* text, Choice choice, Shape shape = kWarp, std::string_view mechanism = "lorie-strong") {
  const Listing listing(text);
  ScriptedMachine machine(listing, mechanism, std::move(shape), std::move(choice));
  machine.run();
  return machine.trace();
}
unsigned upper_half(const Visit& v) { return v.thread > 1; }

TEST(LorieStrong, RunsTheSidesOfAnIfInTheOrderOfTheirNumbers) {
  EXPECT_EQ(trace("1: op\n 2: if 5\n 3: op\n 4: br 6\n 5: op\n 6: exit", upper_half),
            "1(0,1,2,3) 2(0,1,2,3) 3(0,1,-,-) 4(0,1,-,-) 5(-,-,2,3) 6(0,1,2,3)");
}

TEST(LorieStrong, RunsALoopToItsEndThoughTheExitLiesBelowIt) {
  // Where the lowest address loses: the compiler knows that 2 is behind the loop.
  const char* const text = "1: br 4\n 2: op\n 3: exit\n 4: op\n 5: if 2\n 6: br 4";
  const auto trips = [](const Visit& v) { return v.time == v.thread + 1; };
  const Shape pair{.threads = 2, .set = {"warp_size=2"}};
  EXPECT_EQ(trace(text, trips, pair), "1(0,1) 4(0,1) 5(0,1) 6(-,1) 4(-,1) 5(-,1) 2(0,1) 3(0,1)");
}

TEST(LorieStrong, JoinsThreadsThatWaitForABlockWhenItStarts) {
  // E can be reached from B's side, past C, and from D: it starts once, with all.
  EXPECT_EQ(trace("A: if D\n B: if E\n C: br F\n D: op\n E: op\n F: exit",
                  [](const Visit& v) { return v.at == "A" ? v.thread == 3 : v.thread == 2; }),
            "A(0,1,2,3) B(0,1,2,-) C(0,1,-,-) D(-,-,-,3) E(-,-,2,3) F(0,1,2,3)");
}

TEST(LorieStrong, ReconvergesBehindACall) {
  EXPECT_EQ(trace("1: if 3\n 2: call 10\n 3: op\n 4: exit\n 10: op\n 11: ret", upper_half),
            "1(0,1,2,3) 2(0,1,-,-) 10(0,1,-,-) 11(0,1,-,-) 3(0,1,2,3) 4(0,1,2,3)");
}

TEST(LorieStrong, ReconvergesInsideFunctionsAndBehindThem) {
  EXPECT_EQ(trace("A: call F\n B: exit\n F: if H\n G: br I\n H: op\n I: ret", upper_half),
            "A(0,1,2,3) F(0,1,2,3) G(0,1,-,-) H(-,-,2,3) I(0,1,2,3) B(0,1,2,3)");
}

TEST(LorieStrong, LetsThreadsExitWhileOthersWaitAtABarrier) {
  EXPECT_EQ(trace("A: if D\n B: bar\n C: exit\n D: exit", upper_half), "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-)");
}

void expect_refused(const char* text, const char* why) {
  const Listing listing(text);
  try {
    ScriptedMachine machine(listing, "lorie-strong", kWarp, upper_half);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Refused);
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(LorieStrong, RefusesRecursionAndIndirectBranches) {
  expect_refused("1: call F\n 2: exit\n F: if R\n C: call F\n R: ret", "functions that call themselves: F");
  expect_refused("A: brx B C\n B: op\n C: exit", "there is one at instruction 0");
  expect_refused("A: call F G\n B: exit\n F: ret\n G: ret", "called through a pointer at instruction 0");
}

TEST(LorieStrong, KeepsAConstantState) {
  const Listing listing("A: if C\n B: op\n C: exit");
  ScriptedMachine machine(listing, "lorie-strong", kWarp, upper_half);
  machine.run();
  EXPECT_TRUE(machine.mechanism().cost().constant);
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 4U * 64);
}

TEST(LorieStrong, LetsEveryThreadWalkItsOwnPath) {
  for (unsigned seed = 0; seed < test::amount(1800, 600, 50); ++seed) {
    const Listing listing(random_listing(seed));
    if (listing.kernel().has_indirect) continue;
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine machine(listing, "lorie-strong", shape, random_choice);
    ScriptedMachine pdom(listing, "pdom", shape, random_choice);
    machine.run();
    pdom.run();
    EXPECT_EQ(paths_of(machine.slots()), paths_of(pdom.slots())) << random_listing(seed);
  }
}

}  // namespace
}  // namespace heddle::scripted::lorie_strong_test
