// sbi, swi and both: worked out by hand on small graphs, cycle by cycle.
#include "divergence/mechanisms/sbi.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_program.h"

namespace heddle::scripted::sbi_test {
namespace {

// Cycles as a machine with a clock has them: what goes together is chosen before any of it is done. "B1---+C-111" is
// one cycle. Threads are counted over the block; warps take turns, whatever their contexts.
class Cycles {
 public:
  Cycles(const Graph& graph, std::string_view mechanism, const std::vector<std::string>& set = {},
         const std::string& lanes = "none")
      : graph_(graph),
        threads_(static_cast<unsigned>(words_of(graph.ways, ' ').size())),
        listing_(listing_of(graph)),
        machine_(listing_, mechanism, shape(set, lanes), choice_of(graph)),
        waits_(threads_) {
    machine_.host().timed = true;
    for (; !machine_.done(); ++cycle_) step();
  }
  const std::string& text() const { return text_; }
  unsigned cycles() const { return cycle_; }
  unsigned slots() const { return static_cast<unsigned>(machine_.slots().size()); }
  StateCost cost() const { return machine_.mechanism().cost(); }

 private:
  Shape shape(std::vector<std::string> set, const std::string& lanes) const {
    set.emplace_back("warp_size=4");
    return {.threads = threads_, .set = set, .lanes = lanes};
  }
  void step() {
    machine_.host().now = CoreCycle(cycle_);
    WarpSet able = machine_.host().ready();
    able.for_each([&](WarpId id) {
      const Group group = machine_.host().warp(id).group;
      for_each_lane(group.mask, [&](unsigned k) {
        if (waits_[group.thread(k)] > cycle_) able.erase(id);
      });
    });
    if (able.empty()) return;
    const WarpId first = next_of(able);
    last_ = machine_.host().warp(first).parent;
    able.erase(first);
    const WarpId second = machine_.mechanism().companion(first, able);
    text_ += text_.empty() ? "" : " ";
    begin(first);
    if (second != kNoWarp) {
      text_ += "+";
      begin(second);
    }
    machine_.complete(first);
    if (second != kNoWarp) machine_.complete(second);
  }
  WarpId next_of(WarpSet able) {
    machine_.host().keep_first_wishes(able);
    WarpId next = kNoWarp;
    const auto turn = [&](WarpId id) { return (machine_.host().warp(id).parent + 100U - last_ - 1) % 100; };
    able.for_each([&](WarpId id) {
      if (next == kNoWarp || turn(id) < turn(next)) next = id;
    });
    return next;
  }
  void begin(WarpId id) {
    machine_.begin(id);
    const Slot& slot = machine_.slots().back();
    const bool last = slot.pc + 1U == listing_.kernel().code.size() || listing_.name(slot.pc + 1) != slot.name;
    const auto latency = graph_.latency.find(slot.name);
    std::string who(threads_, '-');
    for (int thread : slot.lanes) {
      if (thread < 0) continue;
      who[static_cast<size_t>(thread)] = '1';
      if (last && latency != graph_.latency.end()) waits_[static_cast<size_t>(thread)] = cycle_ + 1 + latency->second;
    }
    text_ += slot.name + who;
  }

  const Graph& graph_;
  const unsigned threads_;
  const Listing listing_;
  ScriptedMachine machine_;
  std::vector<unsigned> waits_;  // by thread: until then
  std::string text_;
  unsigned cycle_ = 0, last_ = 99;  // last_: whose turn it was
};

const Graph kTwoWarps{"A>C,B B(2)>D C(2)>D D", "ABD ABD ACD ACD ACD ACD ABD ABD"};

TEST(Sbi, LetsBothSidesOfABranchGoTogether) {
  const Cycles run(kIfElse, "sbi");
  EXPECT_EQ(run.text(), "A1111 B1---+C-111 B1---+C-111 C-111 D1111");
  EXPECT_EQ(run.cycles(), 5U);
  EXPECT_EQ(run.slots(), 7U);
  EXPECT_EQ(run.cost().bits_per_warp, 2U * (32 + 4));
}

TEST(Sbi, RunsAJoinInPartsWhereNobodyWaitsThere) {
  const Cycles run(kIfElse, "sbi", {"constrained=false"});
  EXPECT_EQ(run.text(), "A1111 B1---+C-111 B1---+C-111 C-111+D1--- D-111");
  EXPECT_EQ(run.cycles(), 5U);
}

TEST(Sbi, LetsAThirdContextGoWhereTheTwoLowestWaitForTheirData) {
  const Cycles run(kThreeLoads, "sbi");
  EXPECT_EQ(run.text(), "A1111 B11--+C--11 D1---+E-1-- H--11 K1---+L-1-- F11--+H--11 G1111");
  EXPECT_EQ(run.cycles(), 16U);
}

TEST(Swi, FillsFreeLanesWithAnotherWarp) {
  const Cycles run(kTwoWarps, "swi");
  EXPECT_EQ(run.text(),
            "A1111---- A----1111 B11------+B------11 B------11+B11------ C--11----+C----11-- C----11--+C--11---- "
            "D1111---- D----1111");
  EXPECT_EQ(run.cycles(), 8U);
}

TEST(Swi, NeedsLanesThatFit) {
  // Both warps have the same lanes on each side: only where one is a side ahead of the other do they fit.
  const Graph same{"A>C,B B(2)>D C(2)>D D", "ABD ABD ACD ACD ABD ABD ACD ACD"};
  EXPECT_EQ(Cycles(same, "swi").text(),
            "A1111---- A----1111 B11------ B----11-- B11------ B----11--+C--11---- C--11---- C------11 D1111---- "
            "C------11 D----1111");
  EXPECT_EQ(Cycles(same, "swi", {}, "flip_odd").cycles(), 8U);
}

TEST(Swi, TakesTheWarpWithMostThreads) {
  // Beside thread 0 at B go the three of the last warp, not the one of the warp in between.
  const Graph graph{"A>C,B B>D C>D D", "ABD ACD ACD ACD ACD ACD ACD ABD ACD ABD ABD ABD"};
  EXPECT_EQ(Cycles(graph, "swi").text(),
            "A1111-------- A----1111---- A--------1111 B1-----------+B---------111 B-------1----+C--------1--- "
            "D--------1111 C-111-------- C----111----- D1111-------- D----1111----");
}

TEST(SbiAndSwi, TakesTheWarpsOwnPathFirst) {
  const Cycles run(kTwoWarps, "sbi+swi");
  EXPECT_EQ(run.text(),
            "A1111---- A----1111 B11------+C--11---- B------11+C----11-- B11------+C--11---- B------11+C----11-- "
            "D1111---- D----1111");
  EXPECT_EQ(run.cycles(), 8U);
}

TEST(SbiAndSwi, TakesAnotherWarpWhereThePathIsAlone) {
  // Each warp has one long side, on other lanes than the other's.
  const Graph graph{"A>D,B B(4)>D D", "ABD ABD AD AD AD AD ABD ABD"};
  EXPECT_EQ(Cycles(graph, "sbi").cycles(), 12U);
  EXPECT_EQ(Cycles(graph, "sbi+swi").cycles(), 8U);
}

TEST(Sbi, ShowsWhoRunsAndWhoWaits) {
  const Listing listing(listing_of(kIfElse));
  ScriptedMachine machine(listing, "sbi", shape_of({}), choice_of(kIfElse));
  for (unsigned i = 0; i < 3; ++i) machine.step();  // A, and B twice
  EXPECT_EQ(state_text(machine.mechanism().state(BlockId{0})),
            "  static warp 0: [runs pc 3 depth 0 mask e] [waits next 6 depth 0 mask 1]\n");
}

TEST(Sbi, LetsThreadsGoWhereTheFirstWaitsAtABarrier) {
  // 0 and 1 wait at the barrier B, before the join C where 2 and 3 come.
  const Listing listing("A: if C\n B: bar\n X: op\n C: op\n D: bar\n E: exit");
  for (const char* mechanism : {"sbi", "swi", "sbi+swi"}) {
    ScriptedMachine machine(listing, mechanism, {.threads = 4, .set = {"warp_size=4"}},
                            [](const Visit& v) { return v.thread > 1; });
    machine.run();
    EXPECT_EQ(machine.trace(),
              "A(0,1,2,3) B(0,1,-,-) C(-,-,2,3) D(-,-,2,3) X(0,1,-,-) C(0,1,-,-) D(0,1,-,-) E(-,-,2,3) E(0,1,-,-)")
        << mechanism;
  }
}

TEST(Sbi, MeetsBeforeABarrierThatIsAJoin) {
  const Listing listing("A: if C\n B: op\n C: bar\n D: exit");
  for (const char* mechanism : {"sbi", "swi", "sbi+swi"}) {
    ScriptedMachine machine(listing, mechanism, {.threads = 4, .set = {"warp_size=4"}},
                            [](const Visit& v) { return v.thread > 1; });
    machine.run();
    EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(0,1,-,-) C(0,1,2,3) D(0,1,2,3)") << mechanism;
  }
}

std::vector<std::string> all_slots(const Listing& listing, const char* mechanism) {
  ScriptedMachine machine(listing, mechanism, {.threads = 30, .blocks = 2, .set = {"warp_size=4"}}, random_choice);
  machine.run();
  return sorted_slots(machine);
}

TEST(Swi, IssuesWhatStacklessIssues) {
  for (unsigned seed = 0; seed < test::amount(3000, 1000, 100); ++seed) {
    const Listing listing(random_listing(seed));
    ASSERT_EQ(all_slots(listing, "swi"), all_slots(listing, "stackless")) << random_listing(seed);
  }
}

// Threads take the same ways whatever goes together.
TEST(Sbi, LeadsThreadsTheSameWays) {
  for (unsigned seed = 0; seed < test::amount(2000, 500, 50); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine right(listing, "pdom", shape, random_choice);
    right.run();
    for (const char* mechanism : {"sbi", "sbi+swi"}) {
      ScriptedMachine machine(listing, mechanism, shape, random_choice);
      machine.host().timed = true;
      std::mt19937 random(seed);
      for (unsigned cycle = 0; !machine.done(); ++cycle) {  // in any order, pairs included
        machine.host().now = CoreCycle(cycle);
        WarpSet ready = machine.host().ready();
        WarpId first = ready.next_from(random() % 40);
        if (first == kNoWarp) first = ready.next_from(0);
        ready.erase(first);
        const WarpId second = machine.mechanism().companion(first, ready);
        machine.begin(first);
        if (second != kNoWarp) machine.begin(second);
        if (second != kNoWarp) machine.complete(second);
        machine.complete(first);
      }
      ASSERT_EQ(paths_of(machine.slots()), paths_of(right.slots())) << mechanism << "\n" << random_listing(seed);
    }
  }
}

}  // namespace
}  // namespace heddle::scripted::sbi_test
