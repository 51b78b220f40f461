// dws: worked out by hand on small graphs, cycle by cycle, and that on the stack it issues what pdom issues.
#include "divergence/mechanisms/dws.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_program.h"

namespace heddle::scripted::dws_test {
namespace {

// One instruction per cycle, of a split that waits for nothing. Splits take turns: who has gone goes to the end, and
// its parts do instead of it, as they were opened. Latencies are those of a graph; an `ld` is there in the next cycle
// for those who hit, after `latency` more for thread 0, who misses.
class Turns {
 public:
  Turns(const std::string& text, const std::vector<std::string>& set, Choice choice,
        std::map<std::string, unsigned> latency)
      : listing_(text), machine_(listing_, "dws", shape_of(set), std::move(choice)), latency_(std::move(latency)) {
    machine_.host().timed = true;
    machine_.host().able = [this](Pc, const Group& group) { return able(group.mask); };
    for (; !machine_.done(); ++cycle_) step();
  }
  Turns(const Graph& graph, const std::vector<std::string>& set)
      : Turns(listing_of(graph), set, choice_of(graph), graph.latency) {}
  std::string slots() const { return short_text(machine_.slots()); }
  unsigned cycles() const { return cycle_; }
  const Mechanism& mechanism() const { return machine_.mechanism(); }

 private:
  LaneMask able(LaneMask lanes) const {
    for (unsigned lane = 0; lane < 4; ++lane)
      if (until_[lane] > cycle_) lanes.remove(lane);
    return lanes;
  }
  LaneMask mask_of(WarpId id) { return machine_.host().warp(id).group.mask; }
  void step() {
    machine_.host().now = CoreCycle(cycle_);
    tell_returns();
    if (next()) return;
    const WarpSet ready = machine_.host().ready();
    if (machine_.mechanism().traits().hears_stalls)
      ready.for_each([&](WarpId id) { machine_.mechanism().stalled(id); });
    if (machine_.mechanism().starved()) next();
  }
  void tell_returns() {
    for (const bool hit : {true, false}) {
      LaneMask lanes;
      for_each_lane(loads_, [&](unsigned lane) {
        if (until_[lane] == cycle_ && hit == (lane > 0)) lanes.add(lane);
      });
      loads_ = loads_.without(lanes);
      if (!lanes.empty()) machine_.mechanism().returned(WarpId(0), lanes, hit);
    }
  }
  bool next() {
    line_up();
    const auto first = std::find_if(turns_.begin(), turns_.end(), [&](WarpId id) {
      return machine_.host().ready().contains(id) && able(mask_of(id)) == mask_of(id);
    });
    if (first == turns_.end()) return false;
    std::rotate(turns_.begin(), first, turns_.end());
    const WarpId id = turns_[0];
    turns_.erase(turns_.begin());
    issue(id);
    if (machine_.host().warps_in(BlockId{0}).contains(id)) turns_.push_back(id);
    line_up();
    return true;
  }
  // The splits there are; new ones at the end, as they were opened.
  void line_up() {
    const WarpSet& open = machine_.host().warps_in(BlockId{0});
    std::erase_if(turns_, [&](WarpId id) { return !open.contains(id); });
    const size_t known = turns_.size();
    open.for_each([&](WarpId id) {
      if (std::find(turns_.begin(), turns_.end(), id) == turns_.end()) turns_.push_back(id);
    });
    std::sort(turns_.begin() + static_cast<ptrdiff_t>(known), turns_.end(),
              [&](WarpId a, WarpId b) { return machine_.host().warp(a).serial < machine_.host().warp(b).serial; });
  }
  void issue(WarpId id) {
    const Pc pc = machine_.host().warp(id).pc;
    const LaneMask mask = machine_.host().warp(id).group.mask;
    machine_.issue(id);
    const std::string& name = listing_.name(pc);
    const bool last = pc + 1U == listing_.kernel().code.size() || listing_.name(pc + 1) != name;
    const bool load = listing_.kernel().code[pc].op == Op::Ld;
    if (!last || !latency_.contains(name)) return;
    for_each_lane(mask, [&](unsigned lane) { until_[lane] = cycle_ + 1 + (load && lane > 0 ? 0 : latency_.at(name)); });
    if (load) loads_ |= mask;
  }

  const Listing listing_;
  ScriptedMachine machine_;
  const std::map<std::string, unsigned> latency_;
  LaneMask loads_;                   // lanes with a load under way
  std::array<unsigned, 4> until_{};  // by thread: it waits
  std::vector<WarpId> turns_;        // the next first
  unsigned cycle_ = 0;
};

TEST(Dws, RunsBothSidesOfABranchInTurns) {
  EXPECT_EQ(Turns(kIfElse, {}).slots(), "A1111 C-111 B1--- C-111 B1--- C-111 D1111");
}

TEST(Dws, UnitesSplitsThatStandAtTheSamePlaceAndRunsPastJoins) {
  EXPECT_EQ(Turns(kLikely, {}).slots(), "A1111 C-111 B1--- E11-- D--11 A-1-- F1-11 B-1-- E-1-- F-1--");
}

TEST(Dws, WaitsAtJoinsOnTheStack) {
  // pdom's ten, with the paths in turns.
  const Turns run(kLikely, {"reconverge=stack"});
  EXPECT_EQ(run.slots(), "A1111 C-111 B1--- E-1-- D--11 E1--- A-1-- B-1-- E-1-- F1111");
}

TEST(Dws, LetsTheLoadsOfTwoPathsOverlap) {
  for (const char* how : {"reconverge=pc", "reconverge=stack"}) {
    const Turns run(kTwoLoads, {how});
    EXPECT_EQ(run.cycles(), 17U) << how;
    EXPECT_EQ(run.slots(), "A1111 C--11 B11-- E--11 D11-- E--11 D11-- F1111") << how;
  }
}

// Thread 0 misses.
Turns load_run(const std::vector<std::string>& set) {
  return {"A: op\n A: ld\n B: op\n B: op\n B: op\n C: exit", set, [](const Visit&) { return 0; }, {{"A", 10}}};
}

TEST(Dws, WaitsForAllLanesOfALoad) {
  const Turns run = load_run({"memory=none"});
  EXPECT_EQ(run.slots(), "A1111x2 B1111x3 C1111");
  EXPECT_EQ(run.cycles(), 16U);
}

TEST(Dws, LetsLanesThatHitGoOn) {
  for (const char* memory : {"memory=aggress", "memory=lazy", "memory=revive"}) {
    const Turns run = load_run({memory});
    EXPECT_EQ(run.slots(), "A1111x2 B-111x3 C-111 B1---x3 C1---") << memory;
    EXPECT_EQ(run.cycles(), 16U) << memory;
  }
}

TEST(Dws, WaitsForLanesLeftBehindBeforeTheNextBranchOnTheStack) {
  for (const char* memory : {"memory=aggress", "memory=lazy", "memory=revive"}) {
    const Turns run = load_run({memory, "reconverge=stack"});
    EXPECT_EQ(run.slots(), "A1111x2 B-111x3 B1---x3 C1111") << memory;
    EXPECT_EQ(run.cycles(), 16U) << memory;
  }
}

TEST(Dws, UnitesWithThoseLeftBehindWhenTheirDataIsThere) {
  // Threads 1 to 3 come round to B, where thread 0 waits for its data, and wait there for a load of their own.
  const auto choice = [](const Visit& v) { return v.time < 2 ? 1 : 0; };
  const Turns run("A: ld\n B: op\n C: if A\n D: exit", {"memory=aggress"}, choice, {{"A", 10}});
  EXPECT_EQ(run.slots(), "A1111 B-111 C-111 A-111 B-111 C-111 D-111 B1--- C1--- A1--- B1--- C1--- D1---");
}

TEST(Dws, LeavesBranchesToTheStack) {
  const std::string by_stack = "A1111 C-111x3 B1---x2 D1111";
  EXPECT_EQ(Turns(kIfElse, {"subdivide_below=1"}).slots(), by_stack) << "the join block has one instruction";
  EXPECT_EQ(Turns(kIfElse, {"split_entries=1"}).slots(), by_stack) << "two paths need two places";
  EXPECT_NE(Turns(kIfElse, {"split_entries=2", "subdivide_below=2"}).slots(), by_stack);
  EXPECT_EQ(
      Turns(kIfElse, {"split_entries=1"}).mechanism().counters(),
      (std::vector<Counter>{
          {"subdivided_branches", 0}, {"subdivided_loads", 0}, {"splits_united", 0}, {"branches_without_room", 1}}));
}

TEST(Dws, SharesTheTableOfItsCore) {
  // Two warps of four threads, and places for the paths of one.
  const Listing listing(listing_of(kIfElse));
  ScriptedMachine machine(listing, "dws", {.threads = 8, .set = {"warp_size=4", "split_entries=3"}},
                          [](const Visit& v) { return v.thread % 4 > 0; });
  machine.issue(WarpId(0));
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.host().count(WarpState::Ready), 3U);
  EXPECT_EQ(machine.host().count(WarpState::Held), 1U);
  machine.run();
}

TEST(Dws, KeepsATableAndAStack) {
  const Listing listing(listing_of(kThreeLoads));
  ScriptedMachine machine(listing, "dws", shape_of({"reconverge=stack"}), choice_of(kThreeLoads));
  machine.step();
  EXPECT_EQ(state_text(machine.mechanism().state(BlockId{0})),
            "  static warp 0: [runs pc 7 rpc 10 join 1 mask c] [runs pc 1 rpc 10 join 1 mask 3] "
            "[join number 1 next 10 above 0 mask f pending f]\n");
  machine.run();  // C and H first, so that there are never more than two
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 2U * (5 + 32 + 4 + 2) + 3 * (64 + 4));
  EXPECT_EQ(Turns(kThreeLoads, {"reconverge=stack"}).mechanism().cost().bits_per_warp, 3U * 43 + 3 * 68);
  EXPECT_EQ(Turns(kIfElse, {"split_entries=0"}).mechanism().cost().bits_per_warp, 3U * 68) << "as pdom";
}

std::vector<std::string> slots_of_run(const Listing& listing, std::string_view mechanism, std::vector<std::string> set,
                                      bool timed = false) {
  set.emplace_back("warp_size=4");
  ScriptedMachine machine(listing, mechanism, {.threads = 30, .blocks = 2, .set = std::move(set)}, random_choice);
  machine.host().timed = timed;
  machine.run();
  return sorted_slots(machine);
}

TEST(Dws, IssuesWhatPdomIssuesOnTheStackHoweverManyPlacesThereAre) {
  for (unsigned seed = 0; seed < test::amount(3000, 1000, 100); ++seed) {
    const Listing listing(random_listing(seed));
    const std::vector<std::string> right = slots_of_run(listing, "pdom", {});
    for (const char* places : {"split_entries=0", "split_entries=3", "split_entries=64"})
      ASSERT_EQ(slots_of_run(listing, "dws", {"reconverge=stack", "memory=none", places}), right)
          << places << "\n"
          << random_listing(seed);
    ASSERT_EQ(slots_of_run(listing, "dws", {"subdivide_below=0"}), right) << "nothing is subdivided";
  }
}

TEST(Dws, LeadsThreadsTheSameWaysWhateverUnites) {
  for (unsigned seed = 0; seed < test::amount(2000, 500, 50); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine right(listing, "pdom", shape, random_choice), machine(listing, "dws", shape, random_choice);
    right.run();
    std::mt19937 random(seed);
    while (!machine.done()) {  // in any order
      const WarpSet& ready = machine.host().ready();
      const WarpId some = ready.next_from(random() % 20);
      machine.issue(some == kNoWarp ? ready.next_from(0) : some);
    }
    ASSERT_EQ(paths_of(machine.slots()), paths_of(right.slots())) << random_listing(seed);
  }
}

}  // namespace
}  // namespace heddle::scripted::dws_test
