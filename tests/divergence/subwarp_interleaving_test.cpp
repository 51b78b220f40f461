// subwarp-interleaving: worked out by hand on small graphs, with its beside it; what it does on a machine with a clock.
#include "divergence/mechanisms/subwarp_interleaving.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_kernel.h"
#include "support/random_program.h"

namespace heddle::scripted::subwarp_interleaving_test {
namespace {

constexpr const char* kName = "subwarp-interleaving";

std::vector<std::string> at_once(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"stalled_share=0", "switch_cycles=0"});
  return more;
}

TEST(SubwarpInterleaving, LetsTheNewestThatCanIssueGoWhileOthersWaitForMemory) {
  const ClockedRun two = clocked_run(kTwoLoads, kName, at_once());
  EXPECT_EQ(two.slots, "A1111 B11-- C--11 D11--x2 E--11x2 F1111");
  EXPECT_EQ(two.cycles, 17U);
  EXPECT_EQ(clocked_run(kTwoLoads, "its").cycles, 28U);
  const ClockedRun three = clocked_run(kThreeLoads, kName, at_once());
  EXPECT_EQ(three.slots, "A1111 B11-- D1--- E-1-- C--11 K1--- L-1-- F11-- H--11x2 G1111");
  EXPECT_EQ(three.cycles, 19U);
  EXPECT_EQ(clocked_run(kThreeLoads, "its").cycles, 41U);
}

TEST(SubwarpInterleaving, TakesItsTimeToSwitch) {
  // C goes at 2 + 6, and waits until 19; D's data is there at 12: D goes at 12 + 6 and 19, E at 20 and 21.
  const ClockedRun run = clocked_run(kTwoLoads, kName, {"stalled_share=0", "switch_cycles=6"});
  EXPECT_EQ(run.slots, "A1111 B11-- C--11 D11--x2 E--11x2 F1111");
  EXPECT_EQ(run.cycles, 23U);
}

TEST(SubwarpInterleaving, KeepsNoMoreSubwarpsUnderWayThanItMay) {
  EXPECT_EQ(clocked_run(kThreeLoads, kName, at_once({"subwarps=1"})).cycles, 41U);
  // D and E are under way: C must wait until K has gone, at 13. Its own load is there at 25.
  const ClockedRun run = clocked_run(kThreeLoads, kName, at_once({"subwarps=2"}));
  EXPECT_EQ(run.slots, "A1111 B11-- D1--- E-1-- K1--- C--11 L-1-- F11-- H--11x2 G1111");
  EXPECT_EQ(run.cycles, 28U);
}

TEST(SubwarpInterleaving, MakesRoomBehindLoadsIfToldSo) {
  const Listing listing("A: if C\n B: ld\n D: op\n E: br J\n C: ld\n F: op\n J: exit");
  const auto trace = [&](bool timed, const char* set) {
    ScriptedMachine machine(listing, kName, {.threads = 2, .set = {"warp_size=2", set}},
                            [](const Visit& v) { return v.thread; });
    machine.host().timed = timed;
    machine.run();
    return machine.trace();
  };
  const char* const in_turn = "A(0,1) B(0,-) D(0,-) E(0,-) C(-,1) F(-,1) J(0,1)";
  EXPECT_EQ(trace(true, "si_yield=false"), in_turn);
  EXPECT_EQ(trace(true, "si_yield=true"), "A(0,1) B(0,-) C(-,1) D(0,-) E(0,-) F(-,1) J(0,1)");
  EXPECT_EQ(trace(false, "si_yield=true"), in_turn) << "without a clock";
}

TEST(SubwarpInterleaving, ShowsWhoIsStalled) {
  const Listing listing(listing_of(kTwoLoads));
  ScriptedMachine machine(listing, kName, shape_of(at_once()), choice_of(kTwoLoads));
  LaneMask waiting;
  machine.host().waits = [&](Pc, const Group& group) {
    return (group.mask & waiting).empty() ? Wait::Nothing : Wait::Memory;
  };
  machine.step();  // A
  machine.step();  // B
  EXPECT_FALSE(machine.mechanism().starved()) << "nobody waits";
  waiting = LaneMask::first(4);
  EXPECT_FALSE(machine.mechanism().starved()) << "nobody can take over";
  waiting = LaneMask::first(2);
  EXPECT_TRUE(machine.mechanism().starved());
  EXPECT_EQ(state_text(machine.mechanism().state(BlockId{0})),
            "  static warp 0: [runs pc 4 depth 0 mask c] [stalled pc 2 depth 0 mask 3] "
            "[barrier pc 7 depth 0 mask f arrived 0]\n");
  EXPECT_EQ(machine.mechanism().counters(), (std::vector<Counter>{{"barriers_spilled", 0}, {"subwarp_switches", 1}}));
}

// ---- on the machine with a clock

// Both halves of a warp load a line, of which they use what comes; words: 1024.
std::string two_loads(std::string_view before) {
  return fmt::format(R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {{
  .reg .pred %q; .reg .b32 %r<9>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d2, %d1, %d2;
  {}
  and.b32 %r2, %r1, 16;
  setp.ne.u32 %q, %r2, 0;
  @%q bra UPPER;
  ld.global.u32 %r3, [%d2];
  add.u32 %r3, %r3, 1;
  bra END;
UPPER:
  ld.global.u32 %r3, [%d2+2048];
  add.u32 %r3, %r3, 2;
END:
  st.global.u32 [%d2], %r3;
  exit;
}})",
                     before);
}

struct Timed {
  uint64_t cycles = 0, switches = 0;
};

Timed run(const std::string& ptx, const char* mechanism, const std::vector<std::string>& set, unsigned threads = 32) {
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = true;
  Gpu gpu(make_config("default", set), options);
  gpu.load("k.ptx", ptx);
  Buffer<uint32_t> words(gpu, std::vector<uint32_t>(1024), "words");
  gpu.launch("k", {{1}, {threads}}, Arguments(words.address()));
  EXPECT_EQ(words.download()[16], 2U);
  Timed timed{gpu.total().timing->cycles};
  for (const Counter& counter : gpu.total().counters)
    if (counter.name == "subwarp_switches") timed.switches = counter.value;
  return timed;
}

TEST(SubwarpInterleaving, OverlapsTheMissesOfTwoSides) {
  const Timed its = run(two_loads(""), "its", {}), both = run(two_loads(""), kName, {"switch_cycles=0"}),
              slow = run(two_loads(""), kName, {"switch_cycles=20"});
  EXPECT_GT(both.switches, 0U);
  EXPECT_LT(both.cycles, its.cycles * 7 / 10);
  EXPECT_GT(slow.cycles, both.cycles);
  EXPECT_EQ(run(two_loads(""), kName, {"subwarps=1"}).switches, 0U);
}

TEST(SubwarpInterleaving, IsItsWhereLoadsHit) {
  const char* const brings = "ld.global.u32 %r5, [%d2]; ld.global.u32 %r6, [%d2+2048]; add.u32 %r5, %r5, %r6;";
  const Timed its = run(two_loads(brings), "its", {}), here = run(two_loads(brings), kName, {});
  EXPECT_EQ(here.switches, 0U);
  EXPECT_EQ(here.cycles, its.cycles);
}

TEST(SubwarpInterleaving, WaitsUntilEnoughWarpsAreStalled) {
  // The second warp computes until all loads are there.
  std::string computes = "setp.lt.u32 %q, %r1, 32; @%q bra LOADS;\n";
  for (unsigned i = 0; i < 300; ++i) computes += "add.u32 %r7, %r7, %r1;\n";
  computes += "exit;\nLOADS:\n";
  EXPECT_GT(run(two_loads(computes), kName, {"stalled_share=50"}, 64).switches, 0U);
  EXPECT_EQ(run(two_loads(computes), kName, {"stalled_share=51"}, 64).switches, 0U);
}

TEST(SubwarpInterleaving, IsItsWhereTheScoreboardKnowsNoRegisters) {
  const Timed its = run(two_loads(""), "its", {"scoreboard=warp"}),
              here = run(two_loads(""), kName, {"scoreboard=warp"});
  EXPECT_EQ(here.cycles, its.cycles);
  EXPECT_EQ(here.switches, 0U);
}

// ---- laws

TEST(SubwarpInterleaving, IsItsWithoutAClock) {
  for (unsigned seed = 0; seed < test::amount(3000, 600, 60); ++seed) {
    const Listing listing(random_listing(seed));
    const auto trace = [&](const char* mechanism) {
      ScriptedMachine machine(listing, mechanism, {.threads = 30, .blocks = 2, .set = {"warp_size=4"}}, random_choice);
      machine.run();
      return machine.trace();
    };
    ASSERT_EQ(trace(kName), trace("its")) << random_listing(seed);
  }
}

// Splits that wait for memory at random.
TEST(SubwarpInterleaving, LetsEveryThreadGoItsWayWhoeverStalls) {
  unsigned switches = 0;
  for (unsigned seed = 0; seed < test::amount(3000, 600, 60); ++seed) {
    const Listing listing(random_listing(seed));
    const auto machine_of = [&](const char* mechanism) {
      return ScriptedMachine(listing, mechanism, {.threads = 30, .blocks = 2, .set = {"warp_size=4"}}, random_choice);
    };
    ScriptedMachine its = machine_of("its"), here = machine_of(kName);
    its.run();
    std::mt19937 random(seed);
    LaneMask waiting;
    here.host().timed = true;
    here.host().waits = [&](Pc, const Group& group) {
      return (group.mask & waiting).empty() ? Wait::Nothing : Wait::Memory;
    };
    while (!here.done()) {
      waiting = LaneMask(static_cast<uint32_t>(random() & random()));
      here.mechanism().starved();
      here.step();
    }
    EXPECT_EQ(paths_of(here.slots()), paths_of(its.slots())) << random_listing(seed);
    switches += here.mechanism().counters()[1].value > 0 ? 1 : 0;
  }
  EXPECT_GT(switches, 20U);
}

TEST(SubwarpInterleaving, ExecutesWhatItsExecutes) {
  for (uint64_t seed = 1; seed <= test::amount(1000, 100, 20); ++seed) {
    const test::RandomKernel kernel = test::random_kernel(seed);
    struct Result {
      uint64_t threads, slots;
      std::vector<uint32_t> words;
    };
    const auto result = [&](const char* mechanism, bool timed) {
      const std::string set[] = {fmt::format("warp_size={}", kernel.warp_size)};
      GpuOptions options;
      options.mechanism = mechanism;
      options.timed = timed;
      Gpu gpu(make_config("default", set), options);
      gpu.load("random.ptx", kernel.ptx());
      Buffer<uint32_t> out(gpu, size_t{kernel.blocks} * kernel.threads * test::RandomKernel::kWords, "out");
      gpu.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
      return Result{gpu.total().thread_instructions, gpu.total().issue_slots, out.download()};
    };
    const Result its = result("its", false), emulated = result(kName, false), timed = result(kName, true);
    EXPECT_EQ(emulated.slots, its.slots) << seed;
    for (const Result& each : {emulated, timed}) {
      EXPECT_EQ(each.threads, its.threads) << seed;
      EXPECT_EQ(each.words, its.words) << seed;
    }
  }
}

}  // namespace
}  // namespace heddle::scripted::subwarp_interleaving_test
