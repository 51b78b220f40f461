#include "divergence/mechanisms/tbc.h"

#include <gtest/gtest.h>

#include <climits>
#include <set>

#include "support/amount.h"
#include "support/formed.h"
#include "support/random_program.h"
#include "support/scripted.h"
#include "support/workload_run.h"

namespace heddle::scripted::tbc_test {
namespace {

using Tbc = Tbc;

ScriptedMachine run(const Listing& listing, std::string_view mechanism, Shape shape, Choice choice) {
  ScriptedMachine machine(listing, mechanism, std::move(shape), std::move(choice));
  machine.run();
  return machine;
}

// All slots when the warps take turns, one instruction each; slots of one instruction by their lowest thread.
std::string trace_in_turn(const Listing& listing, Shape shape, Choice choice) {
  ScriptedMachine machine(listing, "tbc", std::move(shape), std::move(choice));
  while (!machine.done())
    for (WarpId id{0}; id < machine.host().size(); ++id)
      if (machine.host().warp(id).state == WarpState::Ready) machine.issue(id);
  std::vector<Slot> slots = machine.slots();
  const auto lowest = [](const Slot& slot) {
    int thread = INT_MAX;
    for (int each : slot.lanes) thread = each < 0 ? thread : std::min(thread, each);
    return thread;
  };
  for (auto from = slots.begin(); from != slots.end();) {
    const auto to = std::find_if(from, slots.end(), [&](const Slot& slot) { return slot.pc != from->pc; });
    std::sort(from, to, [&](const Slot& a, const Slot& b) { return lowest(a) < lowest(b); });
    from = to;
  }
  return text_of(slots);
}

Choice taken_by(std::set<unsigned> threads) {
  return [threads](const Visit& visit) { return threads.contains(visit.thread) ? 1U : 0U; };
}

constexpr const char* kDiamond = R"(
  A: if C
  B: br D
  C: op
  D: exit)";
const Shape kTwoWarps{.threads = 8, .set = {"warp_size=4"}};

// ---- the papers' examples

TEST(Tbc, PlaysFigure7InSevenWarpExecutionsInsteadOfEight) {
  const Listing listing(kDiamond);
  const auto tbc = run(listing, "tbc", kTwoWarps, taken_by({0, 5, 6}));
  EXPECT_EQ(trace_in_turn(listing, kTwoWarps, taken_by({0, 5, 6})),
            "A(0,1,2,3) A(4,5,6,7) C(0,5,6,-) B(4,1,2,3) B(-,-,-,7) D(0,1,2,3) D(4,5,6,7)");
  EXPECT_EQ(tbc.slots().size(), 7U);
  EXPECT_EQ(run(listing, "pdom", kTwoWarps, taken_by({0, 5, 6})).slots().size(), 8U);
}

TEST(Tbc, PlaysTheStarvationEddyInNineSlots) {
  const Listing listing("A: if C\n B: br D1\n C: op\n D1: op\n D2: exit");
  const auto tbc = run(listing, "tbc", kTwoWarps, taken_by({3, 4}));
  EXPECT_EQ(tbc.slots().size(), 9U);
  EXPECT_DOUBLE_EQ(tbc.efficiency(), 32.0 / 36.0);
  EXPECT_EQ(run(listing, "pdom", kTwoWarps, taken_by({3, 4})).slots().size(), 10U);
}

const char* const kLoop = "L: op\n M: op\n N: if L\n X: exit";
unsigned loops_again(const Visit& visit) {
  constexpr unsigned trips[] = {1, 2, 3, 1, 3, 1, 1, 2};
  return visit.time < trips[visit.thread] ? 1 : 0;
}

TEST(Tbc, PlaysTheLoopIn14SlotsInsteadOf20) {
  const Listing listing(kLoop);
  auto tbc = run(listing, "tbc", kTwoWarps, loops_again);
  auto pdom = run(listing, "pdom", kTwoWarps, loops_again);
  EXPECT_EQ(tbc.slots().size(), 14U);
  EXPECT_EQ(pdom.slots().size(), 20U);
  EXPECT_EQ(tbc.thread_instructions(), 50U);
  EXPECT_EQ(pdom.thread_instructions(), 50U);
  EXPECT_NEAR(tbc.efficiency(), 0.8929, 0.00005);
  EXPECT_DOUBLE_EQ(pdom.efficiency(), 0.625);
  EXPECT_EQ(tbc.mechanism().cost().deepest, 2U);
}

TEST(Tbc, CountsArrivalsInTheLoopAsItsStackDoes) {
  const Listing listing(kLoop);
  ScriptedMachine machine(listing, "tbc", kTwoWarps, loops_again);
  auto& tbc = machine.as<Tbc>();
  const auto trip = [&](WarpId warp) {
    for (int i = 0; i < 3; ++i) machine.issue(warp);
  };
  EXPECT_EQ(tbc.warp_count(BlockId(0)), 2U);
  trip(WarpId(0));
  EXPECT_EQ(tbc.warp_count(BlockId(0)), 1U);
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Held);
  EXPECT_EQ(threads_of(tbc.paths(BlockId(0))[0].who), "1,2");
  trip(WarpId(1));
  EXPECT_EQ(tbc.stack(BlockId(0)).size(), 2U);
  EXPECT_EQ(tbc.stack(BlockId(0))[0].at.pc, listing.at("X"));
  EXPECT_EQ(threads_of(tbc.stack(BlockId(0)).top().mask), "1,2,4,7");
  EXPECT_EQ(tbc.warp_count(BlockId(0)), 1U);
  trip(WarpId(0));
  EXPECT_EQ(machine.slots().back().text(), "N(4,1,2,7)");
  EXPECT_EQ(tbc.stack(BlockId(0)).size(), 2U);
  EXPECT_EQ(threads_of(tbc.stack(BlockId(0)).top().mask), "2,4");
  EXPECT_EQ(tbc.warp_count(BlockId(0)), 1U);
  trip(WarpId(0));
  EXPECT_EQ(machine.slots().back().text(), "N(4,-,2,-)");
  EXPECT_EQ(tbc.stack(BlockId(0)).size(), 1U);
  EXPECT_EQ(tbc.warp_count(BlockId(0)), 2U);
  machine.run();
  EXPECT_EQ(machine.slots()[12].text() + machine.slots()[13].text(), "X(0,1,2,3)X(4,5,6,7)");
}

// ---- waiting

TEST(Tbc, MakesTheEntriesOfABranchWhereNobodyParts) {
  const Listing listing(kDiamond);
  ScriptedMachine machine(listing, "tbc", kTwoWarps, taken_by({0, 1, 2, 3, 4, 5, 6, 7}));
  machine.issue(WarpId(0));
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.as<Tbc>().stack(BlockId(0)).size(), 2U);
  EXPECT_EQ(machine.as<Tbc>().stack(BlockId(0))[0].at.pc, listing.at("D"));
}

TEST(Tbc, TakesAsManyCyclesToFormWarpsAsThereAreWarps) {
  const Listing listing(kDiamond);
  ScriptedMachine machine(listing, "tbc", kTwoWarps, taken_by({0, 4}));
  machine.host().now = CoreCycle(100);
  machine.issue(WarpId(0));
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.host().warp(WarpId(0)).not_before, CoreCycle(100));
  EXPECT_EQ(machine.host().warp(WarpId(1)).not_before, CoreCycle(101));
}

// Is the first warp free to go behind its branch, or Held until the other comes?
WarpState state_behind(const char* branch, std::string_view wait_at) {
  const Listing listing(std::string("A: ") + branch + " C\n B: op\n C: op\n D: exit");
  ScriptedMachine machine(listing, "tbc", {.threads = 8, .set = {"warp_size=4", "wait_at=" + std::string(wait_at)}},
                          taken_by({}));
  machine.issue(WarpId(0));
  return machine.host().warp(WarpId(0)).state;
}

TEST(Tbc, WaitsAtBranchesNotProvenUniform) {
  EXPECT_EQ(state_behind("if", "not_uni"), WarpState::Held);
  EXPECT_EQ(state_behind("if.uni", "not_uni"), WarpState::Ready);
  EXPECT_EQ(state_behind("br", "not_uni"), WarpState::Ready);
}

TEST(Tbc, WaitsAtEveryBranchIfToldSo) {
  for (const char* branch : {"if", "if.uni", "br"}) EXPECT_EQ(state_behind(branch, "all"), WarpState::Held) << branch;
}

TEST(Tbc, PushesNothingAndKeepsTheGroupingWhereAllWaitButNoneCanPart) {
  const Listing listing("A: if C\n B: br E\n C: br D\n D: op\n E: exit");
  ScriptedMachine machine(listing, "tbc", {.threads = 8, .set = {"warp_size=4", "wait_at=all"}},
                          taken_by({0, 1, 4, 6}));
  machine.issue(WarpId(0));
  machine.issue(WarpId(1));
  machine.issue(WarpId(0));
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Held);
  EXPECT_EQ(machine.as<Tbc>().warp_count(BlockId(0)), 1U);
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.as<Tbc>().warp_count(BlockId(0)), 2U);
  EXPECT_EQ(machine.as<Tbc>().stack(BlockId(0)).size(), 3U);
  EXPECT_EQ(trace_in_turn(listing, {.threads = 8, .set = {"warp_size=4", "wait_at=all"}}, taken_by({0, 1, 4, 6})),
            "A(0,1,2,3) A(4,5,6,7) C(0,1,6,-) C(4,-,-,-) D(0,1,6,-) D(4,-,-,-) "
            "B(-,5,2,3) B(-,-,-,7) E(0,1,2,3) E(4,5,6,7)");
}

TEST(Tbc, IssuesTheSameSlotsWhereverItWaits) {
  for (unsigned seed = 0; seed < test::amount(800, 200, 20); ++seed) {
    const Listing listing(random_listing(seed));
    const auto some = run(listing, "tbc", {.threads = 16, .set = {"warp_size=4", "wait_at=not_uni"}}, random_choice);
    const auto all = run(listing, "tbc", {.threads = 16, .set = {"warp_size=4", "wait_at=all"}}, random_choice);
    EXPECT_EQ(executions_of(some.slots()), executions_of(all.slots())) << random_listing(seed);
  }
}

TEST(Tbc, WithoutCompactionWaitsWithStaticWarps) {
  const Listing listing(kDiamond);
  EXPECT_EQ(trace_in_turn(listing, {.threads = 8, .set = {"warp_size=4", "compaction=false"}}, taken_by({0, 5, 6})),
            "A(0,1,2,3) A(4,5,6,7) C(0,-,-,-) C(-,5,6,-) B(-,1,2,3) B(4,-,-,7) D(0,1,2,3) D(4,5,6,7)");
}

TEST(Tbc, DoesNotCountAWarpAtABarrierAsArrived) {
  const Listing listing("A: bar\n B: if D\n C: op\n D: exit");
  ScriptedMachine machine(listing, "tbc", kTwoWarps, taken_by({1}));
  machine.issue(WarpId(0));
  EXPECT_EQ(machine.as<Tbc>().warp_count(BlockId(0)), 2U);
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.as<Tbc>().warp_count(BlockId(0)), 2U);
  EXPECT_EQ(machine.warps(), "B:4 B:4");
}

TEST(Tbc, ReconvergesBehindABarrierThatEndsAPath) {
  // The last instruction of the taken path is a barrier, and the RPC follows at once.
  const Listing listing("A: if C\n B: br D\n C: bar\n D: exit");
  EXPECT_EQ(trace_in_turn(listing, kTwoWarps, taken_by({0, 1, 2, 3, 4, 5, 6, 7})),
            "A(0,1,2,3) A(4,5,6,7) C(0,1,2,3) C(4,5,6,7) D(0,1,2,3) D(4,5,6,7)");
}

TEST(Tbc, CountsAWarpWhoseThreadsExitAsArrived) {
  const Listing listing("A: if C\n B: br D\n C: exit\n D: op\n E: exit");
  EXPECT_EQ(trace_in_turn(listing, kTwoWarps, taken_by({0, 4, 5})),
            "A(0,1,2,3) A(4,5,6,7) C(0,5,-,-) C(4,-,-,-) B(-,1,2,3) B(-,-,6,7) D(-,1,2,3) D(-,-,6,7) "
            "E(-,1,2,3) E(-,-,6,7)");
}

// ---- calls and tables

TEST(Tbc, GivesEachTargetOfATableAnEntryLowestAddressFirst) {
  const Listing listing("A: brx D B C\n B: br E\n C: br E\n D: op\n E: exit");
  EXPECT_EQ(trace_in_turn(listing, kTwoWarps, [](const Visit& visit) { return visit.thread % 3; }),
            "A(0,1,2,3) A(4,5,6,7) B(4,1,-,7) C(-,5,2,-) D(0,-,6,3) E(0,1,2,3) E(4,5,6,7)");
}

TEST(Tbc, CompactsInsideFunctionsCalledThroughPointers) {
  const Listing listing("A: call G F\n B: exit\n F: op\n f: ret\n G: op\n g: ret");
  EXPECT_EQ(trace_in_turn(listing, kTwoWarps, taken_by({0, 1, 6, 7})),
            "A(0,1,2,3) A(4,5,6,7) F(0,1,6,7) f(0,1,6,7) G(4,5,2,3) g(4,5,2,3) B(0,1,2,3) B(4,5,6,7)");
}

const char* const kRecursion = "M: call F\n X: exit\n F: if R\n C: call F\n R: ret";

TEST(Tbc, PlaysTheRecursionExampleAsPdomWhenThereIsOneWarp) {
  const Listing listing(kRecursion);
  const auto machine = run(listing, "tbc", {.threads = 2, .set = {"warp_size=2"}},
                           [](const Visit& visit) { return visit.thread == 0 || visit.time == 2 ? 1U : 0U; });
  EXPECT_EQ(counts_of(machine.slots()), "M(2) F(2) C(1) F(1) R(1) R(2) X(2)");
}

TEST(Tbc, CompactsThreadsOfOneRecursionDepth) {
  const Listing listing(kRecursion);
  // Thread 0 goes one level deeper than the others, thread 5 two.
  const auto machine = run(listing, "tbc", kTwoWarps, [](const Visit& visit) {
    return visit.time > (visit.thread == 0 ? 1U : visit.thread == 5 ? 2U : 0U) ? 1U : 0U;
  });
  EXPECT_EQ(machine.trace(),
            "M(0,1,2,3) M(4,5,6,7) F(4,5,6,7) F(0,1,2,3) C(0,5,-,-) F(0,5,-,-) C(-,5,-,-) F(-,5,-,-) R(-,5,-,-) "
            "R(0,5,-,-) R(0,1,2,3) R(4,5,6,7) X(4,5,6,7) X(0,1,2,3)");
}

// ---- properties

TEST(Tbc, IssuesABlockOfOneWarpAsPdom) {
  for (unsigned seed = 0; seed < test::amount(1000, 300, 25); ++seed) {
    const Listing listing(random_listing(seed));
    for (const char* wait_at : {"wait_at=all", "wait_at=not_uni"}) {
      const Shape shape{.threads = 8, .blocks = 3, .resident = 2, .set = {"warp_size=8", wait_at}};
      EXPECT_EQ(run(listing, "tbc", shape, random_choice).trace(), run(listing, "pdom", shape, random_choice).trace())
          << random_listing(seed);
    }
  }
}

TEST(Tbc, LetsEveryThreadWalkItsOwnPath) {
  for (unsigned seed = 0; seed < test::amount(1000, 300, 25); ++seed) {
    const Listing listing(random_listing(seed));
    for (const char* compaction : {"compaction=true", "compaction=false"})
      for (const char* lanes : {"none", "balanced"}) {
        const Shape shape{
            .threads = 30, .blocks = 3, .resident = 2, .set = {"warp_size=4", compaction}, .lanes = lanes};
        const auto tbc = run(listing, "tbc", shape, random_choice), pdom = run(listing, "pdom", shape, random_choice);
        EXPECT_EQ(paths_of(tbc.slots()), paths_of(pdom.slots())) << random_listing(seed);
      }
  }
}

class CompactingWorkload : public testing::TestWithParam<workloads::Workload> {};

TEST_P(CompactingWorkload, LeavesTheMemoryThatPdomLeaves) {
  const std::vector<std::byte> expected = run_workload(GetParam(), "pdom", {}).memory;
  for (const char* width : {"warp_size=4", "warp_size=8", "warp_size=32"})
    for (const char* lanes : {"none", "balanced"}) {
      const WorkloadRun result = run_workload(GetParam(), "tbc", {.set = {width}, .lanes = lanes});
      EXPECT_TRUE(result.passed) << width << " " << lanes << ": " << result.detail;
      EXPECT_TRUE(result.memory == expected) << width << " " << lanes;
    }
}

TEST_P(CompactingWorkload, NeverMovesAThreadOutOfItsHomeLane) {
  for (const char* lanes : {"none", "balanced"})
    EXPECT_TRUE(
        run_workload(GetParam(), "tbc", {.set = {"warp_size=8"}, .lanes = lanes, .tracer = expect_at_home}).passed);
}

INSTANTIATE_TEST_SUITE_P(All, CompactingWorkload, testing::ValuesIn(selected_workloads()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::scripted::tbc_test
