// Figure 8 of the large-warp paper: why warps should not all come to their long stalls together.
//
// A barrel of seven stages: each cycle one warp is fetched, and again seven cycles later at the earliest. 16 warps with
// 10 instructions of computation, a load that lets a warp be fetched again after 80 cycles, and 10 more.
#include <gtest/gtest.h>

#include "schedule/bench.h"

namespace heddle {
namespace {

struct Barrel {
  unsigned cycles = 0, idle = 0;
  std::vector<unsigned> fetched;
};

Barrel run(std::string_view name, std::vector<std::string> set = {}) {
  constexpr unsigned kWarps = 16, kCompute = 10, kStages = 7, kLoad = 80, kInstructions = kCompute + 1 + kCompute;
  Bench bench({kWarps});
  const auto scheduler = bench.make(name, std::move(set));
  std::vector<unsigned> executed(kWarps), not_before(kWarps);
  Barrel run;
  unsigned finished = 0;
  for (unsigned now = 0; run.fetched.size() < kWarps * kInstructions; ++now) {
    bench.host.now = CoreCycle(now);
    WarpSet ready;
    for (WarpId id{0}; id < kWarps; ++id)
      if (executed[id] < kInstructions && not_before[id] <= now) ready.insert(id);
    if (ready.empty()) {
      ++run.idle;
      continue;
    }
    const WarpId id = scheduler->choose(ready);
    scheduler->issued(id);
    not_before[id] = now + (executed[id] == kCompute ? kLoad : kStages);
    ++executed[id];
    run.fetched.push_back(id);
    finished = now + 1;
  }
  run.cycles = finished;
  return run;
}

TEST(Figure8, RoundRobinStallsForAllWarpsAtOnce) {
  const Barrel rr = run("rr");
  EXPECT_EQ(rr.cycles, 400U);
  EXPECT_EQ(rr.idle, 64U);
}

TEST(Figure8, TwoGroupsHideEachOthersLoads) {
  const Barrel two = run("two-level", {"fetch_group=8"});
  EXPECT_EQ(two.cycles, 336U);
  EXPECT_EQ(two.idle, 0U);
}

TEST(Figure8, OneGroupIsRoundRobin) {
  const Barrel one = run("two-level", {"fetch_group=16"});
  EXPECT_EQ(one.cycles, 400U);
  EXPECT_EQ(one.idle, 64U);
  EXPECT_EQ(one.fetched, run("rr").fetched);
}

TEST(Figure8, GroupsTooSmallToFillTheBarrelAreRoundRobin) {
  for (const char* group : {"fetch_group=1", "fetch_group=2", "fetch_group=4"}) {
    const Barrel small = run("two-level", {group});
    EXPECT_EQ(small.cycles, 400U) << group;
    EXPECT_EQ(small.fetched, run("rr").fetched) << group;
  }
}

TEST(Figure8, EightIsTheDefault) { EXPECT_EQ(run("two-level").cycles, 336U); }

}  // namespace
}  // namespace heddle
