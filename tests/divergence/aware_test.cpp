// aware: worked out by hand on small graphs, its time-out, and locks.
#include "divergence/mechanisms/aware.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_program.h"

namespace heddle::scripted {
namespace {

TEST(Aware, RunsTheFirstOfItsQueueUntilItJumps) {
  EXPECT_EQ(slots_of(kIfElse, "aware"), "A1111 B1---x2 C-111x3 D1111");
  EXPECT_EQ(slots_of(kSharedTail, "aware"), "A1111 B-111 X1--- Y1--- C--11 X-1-- Y-1-- D---1 Y--1- Z1111");
}

TEST(Aware, LetsOneSplitGoAtATimeWithAClockToo) {
  // B and C go on to the next instruction, and keep their turn while they wait for their loads.
  const ClockedRun run = clocked_run(kTwoLoads, "aware");
  EXPECT_EQ(run.slots, "A1111 B11-- D11--x2 C--11 E--11x2 F1111");
  EXPECT_EQ(run.cycles, 28U);
}

const Graph kLongSpin{kSpin.blocks, "AWWWWWWWJ ASJ ASJ ASJ"};

TEST(Aware, LetsThreadsAtAJoinGoWhenNobodyComesForTooLong) {
  EXPECT_EQ(slots_of(kLongSpin, "aware", {"recv_timeout=3"}), "A1111 S-111 W1---x4 J-111 W1---x3 J1---");
  EXPECT_EQ(slots_of(kLongSpin, "aware", {"recv_timeout=20"}), "A1111 S-111 W1---x7 J1111");
  EXPECT_EQ(slots_of(kLongSpin, "aware", {"recv_timeout=0"}), "A1111 S-111 W1---x7 J1111");
}

TEST(Aware, WaitsExactlyAsLongAsItIsTold) {
  // S comes to J in slot 1, the last W in slot 8: the seventh after it.
  EXPECT_EQ(slots_of(kLongSpin, "aware", {"recv_timeout=6"}), "A1111 S-111 W1---x7 J1111") << "it comes in that slot";
  EXPECT_EQ(slots_of(kLongSpin, "aware", {"recv_timeout=5"}), "A1111 S-111 W1---x6 J-111 W1--- J1---");
  EXPECT_EQ(slots_of(kLongSpin, "aware", {"recv_timeout=4"}), "A1111 S-111 W1---x5 J-111 W1---x2 J1---");
}

TEST(Aware, CountsTimeOutsAndSpills) {
  const auto counters = [](const Graph& graph, const std::vector<std::string>& set) {
    const Listing listing(listing_of(graph));
    ScriptedMachine machine(listing, "aware", shape_of(set), choice_of(graph));
    count_slots(machine);
    machine.run();
    return machine.mechanism().counters();
  };
  EXPECT_EQ(counters(kLongSpin, {"recv_timeout=3"}),
            (std::vector<Counter>{{"joins_timed_out", 1}, {"st_spills", 0}, {"rt_spills", 0}}));
  // Three splits and two joins at once.
  EXPECT_EQ(counters(kThreeLoads, {"st_entries=1", "rt_entries=1"}),
            (std::vector<Counter>{{"joins_timed_out", 0}, {"st_spills", 2}, {"rt_spills", 1}}));
  EXPECT_EQ(counters(kThreeLoads, {"st_entries=3", "rt_entries=2"}),
            (std::vector<Counter>{{"joins_timed_out", 0}, {"st_spills", 0}, {"rt_spills", 0}}));
}

// Both sides of an `if` come to a barrier that waits for all four; 2 and 3 have come to their join before.
const char* const kBarrierInside = "A: if J\n B: bar\n C: op\n J: bar\n K: exit";

TEST(Aware, LetsThreadsAtAJoinGoWhereAllOthersWaitAtABarrier) {
  const Listing listing(kBarrierInside);
  const auto choice = [](const Visit& v) { return v.thread > 1; };
  ScriptedMachine machine(listing, "aware", {.threads = 4, .set = {"warp_size=4"}}, choice);
  EXPECT_NO_THROW(machine.run());
  ScriptedMachine never(listing, "aware", {.threads = 4, .set = {"warp_size=4", "recv_timeout=0"}}, choice);
  EXPECT_THROW(never.run(), Error);
}

TEST(Aware, LetsThemGoWhenItsTimeHasComeWhereNothingElseHappens) {
  const char* const ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %q; .reg .b32 %r<3>; .reg .b64 %d;
  ld.param.u64 %d, [p];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %q, %r1, 15;
  @%q bra J;
  barrier.sync 0;
J:
  barrier.sync 0;
  red.global.add.u32 [%d], 1;
  exit;
})";
  uint64_t cycles[2];
  for (const unsigned i : {0U, 1U}) {
    GpuOptions options;
    options.mechanism = "aware";
    options.timed = true;
    const std::string set[] = {i == 0 ? "recv_timeout=1000" : "recv_timeout=5000"};
    Gpu gpu(make_config("default", set), options);
    gpu.load("k.ptx", ptx);
    Buffer<uint32_t> words(gpu, std::vector<uint32_t>(1), "words");
    gpu.launch("k", {{1}, {32}}, Arguments(words.address()));
    EXPECT_EQ(words.download()[0], 32U);
    cycles[i] = gpu.total().timing->cycles;
  }
  EXPECT_EQ(cycles[1] - cycles[0], 4000U);
}

TEST(Aware, IssuesWhatPdomIssuesWithoutTimeOuts) {
  for (unsigned seed = 0; seed < test::amount(3000, 600, 60); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine aware(listing, "aware", shape, random_choice), pdom(listing, "pdom", shape, random_choice);
    aware.run();
    pdom.run();
    EXPECT_EQ(sorted_slots(aware), sorted_slots(pdom)) << random_listing(seed);
  }
}

TEST(Aware, LetsEveryThreadGoItsWayWhateverTheTimeOut) {
  unsigned more = 0;
  for (unsigned seed = 0; seed < test::amount(1000, 300, 30); ++seed) {
    const Listing listing(random_listing(seed));
    const auto machine_of = [&](const char* timeout) {
      return ScriptedMachine(listing, "aware", {.threads = 30, .blocks = 2, .set = {"warp_size=4", timeout}},
                             random_choice);
    };
    ScriptedMachine soon = machine_of("recv_timeout=2"), never = machine_of("recv_timeout=0");
    count_slots(soon);
    soon.run();
    never.run();
    EXPECT_EQ(paths_of(soon.slots()), paths_of(never.slots())) << random_listing(seed);
    more += soon.slots().size() > never.slots().size() ? 1 : 0;
  }
  EXPECT_GT(more, 20U);
}

}  // namespace
}  // namespace heddle::scripted
