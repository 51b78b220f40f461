// implicit-stack: computed by hand from the rules; the paper that has it was not at hand.
#include "divergence/mechanisms/implicit_stack.h"

#include <gtest/gtest.h>

#include "support/amount.h"
#include "support/random_program.h"
#include "support/scripted.h"

namespace heddle::scripted::implicit_stack_test {
namespace {

const Shape kWarp{.threads = 4, .set = {"warp_size=4"}};

std::string trace(const char* text, Choice choice, std::string_view mechanism = "implicit-stack") {
  const Listing listing(text);
  ScriptedMachine machine(listing, mechanism, kWarp, std::move(choice));
  machine.run();
  return machine.trace();
}
unsigned upper_half(const Visit& v) { return v.thread > 1; }

TEST(ImplicitStack, IssuesTheJoinAgainWhereOneSideFallsIntoIt) {
  // The jump at 4 goes beyond 5 and swaps; 5 falls into 6.
  EXPECT_EQ(trace("1: op\n 2: if 5\n 3: op\n 4: br 6\n 5: op\n 6: exit", upper_half),
            "1(0,1,2,3) 2(0,1,2,3) 3(0,1,-,-) 4(0,1,-,-) 5(-,-,2,3) 6[2] 6(0,1,2,3)");
}

TEST(ImplicitStack, JoinsByAJumpAtNoCost) {
  EXPECT_EQ(trace("A: if D\n B: op\n C: br D\n D: exit", upper_half), "A(0,1,2,3) B(0,1,-,-) C(0,1,-,-) D(0,1,2,3)");
}

TEST(ImplicitStack, RunsTheLowerAddressFirstWhoeverTakesTheBranch) {
  // Back to A is lower than on to C.
  EXPECT_EQ(trace("A: op\n B: if A\n C: exit", [](const Visit& v) { return v.time <= v.thread; }),
            "A(0,1,2,3) B(0,1,2,3) A(-,1,2,3) B(-,1,2,3) A(-,-,2,3) B(-,-,2,3) A(-,-,-,3) B(-,-,-,3) C(0,1,2,3)");
}

TEST(ImplicitStack, DoesNotGrowWithTheTripsOfALoop) {
  const Listing listing("A: op\n B: if A\n C: exit");
  ScriptedMachine machine(listing, "implicit-stack", kWarp, [](const Visit& v) { return v.time <= v.thread; });
  machine.run();
  EXPECT_EQ(machine.mechanism().cost().deepest, 2U);
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 2U * (32 + 4));
}

TEST(ImplicitStack, PopsAllEntriesOfOneAddressAtOnce) {
  // C's jump beyond D swaps, and leaves two entries at E.
  EXPECT_EQ(trace("A: if E\n B: if D\n C: br E\n D: op\n E: exit",
                  [](const Visit& v) { return v.at == "A" ? v.thread == 3 : v.thread == 2; }),
            "A(0,1,2,3) B(0,1,2,-) C(0,1,-,-) D(-,-,2,-) E[1] E(0,1,2,3)");
}

TEST(ImplicitStack, PassesByAnEntryThatIsNotTheTop) {
  const char* const text = "A: if E\n B: if D\n C: br F\n D: op\n E: op\n F: exit";
  const auto path = [](const Visit& v) { return v.at == "A" ? v.thread == 3 : v.thread == 2; };
  EXPECT_EQ(trace(text, path),
            "A(0,1,2,3) B(0,1,2,-) C(0,1,-,-) D(-,-,2,-) E(-,-,2,-) F[1] F(0,1,2,-) E(-,-,-,3) F(-,-,-,3)");
  EXPECT_EQ(trace(text, path, "stackless"), "A(0,1,2,3) B(0,1,2,-) C(0,1,-,-) D(-,-,2,-) E(-,-,2,3) F(0,1,2,3)");
}

TEST(ImplicitStack, LetsThreadsExitWhileOthersWaitAtABarrier) {
  EXPECT_EQ(trace("A: if D\n B: bar\n C: exit\n D: exit", upper_half), "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-)");
}

TEST(ImplicitStack, MeetsAgainBehindABarrier) {
  EXPECT_EQ(trace("A: if D\n B: bar\n C: br E\n D: bar\n E: exit", upper_half),
            "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) E(-,-,2,3) C(0,1,-,-) E(0,1,-,-)");
}

void expect_refused(const char* text, const char* why) {
  const Listing listing(text);
  try {
    ScriptedMachine machine(listing, "implicit-stack", kWarp, upper_half);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Refused);
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(ImplicitStack, RefusesCallsAndIndirectBranches) {
  expect_refused("A: call F\n B: exit\n F: ret", "one is not inlined at instruction 0");
  expect_refused("A: brx B C\n B: op\n C: exit", "it has no indirect branches, and there is one at instruction 0");
}

TEST(ImplicitStack, LetsEveryThreadWalkItsOwnPath) {
  const uint64_t seeds = test::amount(1800, 600, 50);
  unsigned ran = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const Listing listing(random_listing(seed));
    if (listing.kernel().has_indirect) continue;
    ++ran;
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine machine(listing, "implicit-stack", shape, random_choice);
    ScriptedMachine pdom(listing, "pdom", shape, random_choice);
    machine.run();
    pdom.run();
    EXPECT_EQ(paths_of(machine.slots()), paths_of(pdom.slots())) << random_listing(seed);
  }
  EXPECT_GT(ran, seeds / 10);
}

}  // namespace
}  // namespace heddle::scripted::implicit_stack_test
