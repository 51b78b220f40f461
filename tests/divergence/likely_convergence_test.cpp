// Likely-convergence points: figure 10 of the thread block compaction paper, under pdom and tbc.
#include <gtest/gtest.h>

#include "divergence/mechanisms/pdom.h"
#include "divergence/mechanisms/tbc.h"
#include "observe/likely_merges.h"
#include "support/amount.h"
#include "support/random_program.h"
#include "support/scripted.h"
#include "support/workload_run.h"

namespace heddle::scripted::likely_convergence_test {
namespace {

// Each block is one instruction. C's way to D is the rare break.
const char* const kFigure10 = R"(
  A: if C
  B: br E
  C: if E
  D: br F
  E: if A
  F: exit)";
// Thread 0 goes to B, 1-3 to C; then 1 to E, 2 and 3 to D. Nobody loops.
unsigned figure10(const Visit& v) {
  if (v.at == "A") return v.thread > 0;
  if (v.at == "C") return v.thread == 1;
  return 0;
}
const Shape kLikely{.threads = 4, .set = {"warp_size=4", "lcp=true"}};
const Shape kPlain{.threads = 4, .set = {"warp_size=4"}};

std::string text_of(LaneMask mask) {
  std::string text;
  for_each_lane(mask, [&](unsigned lane) { text += std::to_string(lane); });
  return text;
}
std::string text_of(const BlockMask& mask) { return text_of(mask.row(0)); }

// The stack from its base: "PC RPC LPC LPos {threads}".
template <class Stack>
std::string text_of(const Listing& listing, const Stack& stack) {
  const auto name = [&](Pc pc) { return pc == kNoPc ? std::string("-") : listing.name(pc); };
  std::string text;
  for (size_t i = 0; i < stack.size(); ++i) {
    const auto& entry = stack[i];
    const std::string position = entry.likely.pc == kNoPc ? "-" : std::to_string(entry.likely_position);
    text += fmt::format("{}{} {} {} {} {{{}}}", i == 0 ? "" : ", ", name(entry.at.pc), name(entry.reconvergence.pc),
                        name(entry.likely.pc), position, text_of(entry.mask));
  }
  return text;
}

TEST(LikelyConvergence, AreFoundInFigure10) {
  const Listing listing(kFigure10);
  const Kernel& kernel = listing.kernel();
  EXPECT_EQ(kernel.reconvergence[listing.at("A")], listing.at("F"));
  EXPECT_EQ(kernel.likely_convergence[listing.at("A")], listing.at("E"));
  EXPECT_EQ(kernel.reconvergence[listing.at("C")], listing.at("F"));
  EXPECT_EQ(kernel.likely_convergence[listing.at("C")], kNoPc);
}

TEST(LikelyConvergence, RunEOnceForBothInFigure10) {
  const Listing listing(kFigure10);
  ScriptedMachine machine(listing, "pdom", kLikely, figure10);
  const auto merges = std::make_shared<LikelyMerges>();
  machine.watch(merges);
  std::vector<std::string> stacks;
  machine.after_slot = [&](const Slot&) { stacks.push_back(text_of(listing, machine.as<Pdom>().stack(WarpId(0)))); };
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) C(-,1,2,3) D(-,-,2,3) B(0,-,-,-) E(0,1,-,-) F(0,1,2,3)");
  EXPECT_EQ(stacks, (std::vector<std::string>{
                        "F - - - {0123}, E F - - {}, B F E 1 {0}, C F E 1 {123}",
                        "F - - - {0123}, E F - - {1}, B F E 1 {0}, D F E 1 {23}",  // {1} has come to E, its LPC
                        "F - - - {0123}, E F - - {1}, B F E 1 {0}",
                        "F - - - {0123}, E F - - {01}",
                        "F - - - {0123}",
                        "",
                    }));
  EXPECT_EQ(merges->count(), 2U);
  // At C, before {1} was popped: F, the likely entry, which had no thread, B, D and E.
  EXPECT_EQ(machine.mechanism().cost().deepest, 4U);
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 5U * (64 + 4 + 32 + 3));
}

TEST(LikelyConvergence, LeftOutRunETwiceInFigure10) {
  const Listing listing(kFigure10);
  ScriptedMachine machine(listing, "pdom", kPlain, figure10);
  const auto merges = std::make_shared<LikelyMerges>();
  machine.watch(merges);
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) C(-,1,2,3) E(-,1,-,-) D(-,-,2,3) B(0,-,-,-) E(0,-,-,-) F(0,1,2,3)");
  EXPECT_EQ(merges->count(), 0U);
}

TEST(LikelyConvergence, DoNotGrowTheStackWithTheTripsOfALoop) {
  const Listing listing(kFigure10);
  const auto loops = [](const Visit& v) {
    if (v.at == "A") return (v.thread + v.time) % 2;
    if (v.at == "C") return v.time < 20 ? 1U : 0U;
    return 1U;
  };
  ScriptedMachine machine(listing, "pdom", kLikely, loops);
  machine.run();
  EXPECT_EQ(machine.mechanism().cost().deepest, 3U);
  EXPECT_EQ(machine.slots()[0].text() + machine.slots()[1].text() + machine.slots()[2].text() +
                machine.slots()[3].text() + machine.slots()[4].text(),
            "A(0,1,2,3)C(0,-,2,-)B(-,1,-,3)E(0,1,2,3)A(0,1,2,3)");
}

TEST(LikelyConvergence, AreDroppedWhereNobodyComes) {
  const Listing listing(kFigure10);
  ScriptedMachine machine(listing, "pdom", kLikely, [](const Visit& v) { return v.at == "A" ? v.thread != 9 : 0; });
  machine.run();  // everybody goes to C and D: nobody parts
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) C(0,1,2,3) D(0,1,2,3) F(0,1,2,3)");
  const Listing exits("A: if C\n B: exit\n C: if E\n D: exit\n E: if A\n F: exit");
  ScriptedMachine all_leave(exits, "pdom", kLikely, [](const Visit& v) { return v.at == "A" ? v.thread > 1 : 0U; });
  all_leave.run();
  EXPECT_EQ(all_leave.trace(), "A(0,1,2,3) C(-,-,2,3) D(-,-,2,3) B(0,1,-,-)");
}

TEST(LikelyConvergence, StayWhereThreadsOfAPathExit) {
  const Listing listing("A: if C\n B: br E\n C: if E\n D: exit\n E: if A\n F: exit");
  ScriptedMachine machine(listing, "pdom", kLikely, figure10);
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) C(-,1,2,3) D(-,-,2,3) B(0,-,-,-) E(0,1,-,-) F(0,1,-,-)");
}

TEST(LikelyConvergence, TakeTheirThreadsFromAllEntriesAbove) {
  // Made by hand: a branch at 1 inside the path, whose RPC lies behind the LPC.
  Kernel kernel;
  kernel.code.resize(8);
  for (Instruction& each : kernel.code) each.op = Op::Bra;
  kernel.block_of.assign(8, 0);
  kernel.may_wait.assign(1, false);
  kernel.reconvergence = {7, 6, kNoPc, kNoPc, kNoPc, kNoPc, kNoPc, kNoPc};
  kernel.likely_convergence = {4, kNoPc, kNoPc, kNoPc, kNoPc, kNoPc, kNoPc, kNoPc};
  ReconvergenceStack<LaneMask> stack;
  struct Path {
    Pc pc;
    LaneMask who;
  };
  stack.start(LaneMask(0xf), {.likely = true});
  stack.diverge(kernel, 0, std::span<const Path>(std::vector<Path>{{1, LaneMask(0x7)}, {2, LaneMask(0x8)}}));
  stack.exit(LaneMask(0x8));
  stack.diverge(kernel, 1, std::span<const Path>(std::vector<Path>{{2, LaneMask(0x1)}, {4, LaneMask(0x6)}}));
  stack.settle([](Pc) {});
  // Base, likely entry, the path that waits at 6, one side of it.
  ASSERT_EQ(stack.size(), 4U);
  EXPECT_EQ(stack[1].mask, LaneMask(0x6));
  EXPECT_EQ(stack[2].at.pc, 6U);
  EXPECT_EQ(stack[2].mask, LaneMask(0x1));
  EXPECT_EQ(stack[3].mask, LaneMask(0x1));
}

TEST(LikelyConvergence, AreTestedAfterReconvergencePoints) {
  Kernel kernel;
  kernel.code.resize(4);
  kernel.block_of.assign(4, 0);
  kernel.may_wait.assign(1, false);
  kernel.reconvergence = {3, kNoPc, kNoPc, kNoPc};
  kernel.likely_convergence = {3, kNoPc, kNoPc, kNoPc};
  ReconvergenceStack<LaneMask> stack;
  struct Path {
    Pc pc;
    LaneMask who;
  };
  stack.start(LaneMask(0x3), {.likely = true});
  stack.diverge(kernel, 0, std::span<const Path>(std::vector<Path>{{1, LaneMask(0x1)}, {2, LaneMask(0x2)}}));
  stack.top().at.pc = 3;
  stack.settle([](Pc) { ADD_FAILURE() << "nobody meets at an LPC"; });
  EXPECT_EQ(stack.size(), 3U);
}

// ---- tbc

TEST(LikelyConvergence, OfABlockAreMetWhenAllItsWarpsHaveCome) {
  const Listing listing(kFigure10);
  // As figure 10 for two warps: thread 4 as 0, 5 as 1 …
  const auto path = [](const Visit& v) { return figure10({v.thread % 4, v.at, v.time}); };
  ScriptedMachine machine(listing, "tbc", {.threads = 8, .set = {"warp_size=4", "lcp=true"}}, path);
  const auto merges = std::make_shared<LikelyMerges>();
  machine.watch(merges);
  const auto& stack = machine.as<Tbc>().stack(BlockId(0));
  const auto step = [&](unsigned warps) {
    for (WarpId id{0}; id < warps; ++id) machine.issue(id);
    return text_of(listing, stack);
  };
  EXPECT_EQ(step(2), "F - - - {01234567}, E F - - {}, B F E 1 {04}, C F E 1 {123567}");
  EXPECT_EQ(step(2), "F - - - {01234567}, E F - - {15}, B F E 1 {04}, D F E 1 {2367}");
  EXPECT_EQ(step(2), "F - - - {01234567}, E F - - {15}, B F E 1 {04}");
  EXPECT_EQ(step(2), "F - - - {01234567}, E F - - {0145}");
  EXPECT_EQ(step(2), "F - - - {01234567}");
  machine.run();
  EXPECT_EQ(executions_of(machine.slots()),
            (std::map<std::string, unsigned>{{"A", 2}, {"B", 2}, {"C", 2}, {"D", 2}, {"E", 2}, {"F", 2}}));
  EXPECT_EQ(merges->count(), 2U);
  ScriptedMachine plain(listing, "tbc", {.threads = 8, .set = {"warp_size=4"}}, path);
  plain.run();
  EXPECT_EQ(executions_of(plain.slots())["E"], 4U);
}

TEST(LikelyConvergence, OfABlockAreMadeWhoeverParts) {
  const Listing listing(kFigure10);
  ScriptedMachine machine(listing, "tbc", {.threads = 8, .set = {"warp_size=4", "lcp=true"}},
                          [](const Visit&) { return 0; });
  machine.issue(WarpId(0));
  machine.issue(WarpId(1));  // all go to B
  EXPECT_EQ(text_of(listing, machine.as<Tbc>().stack(BlockId(0))),
            "F - - - {01234567}, E F - - {}, B F E 1 {01234567}");
  machine.run();
  EXPECT_EQ(executions_of(machine.slots()), (std::map<std::string, unsigned>{{"A", 2}, {"B", 2}, {"E", 2}, {"F", 2}}));
}

// ---- properties

TEST(LikelyConvergence, LetEveryThreadWalkItsOwnPath) {
  const uint64_t seeds = test::amount(1200, 400, 33);
  uint64_t merges = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const Listing listing(random_listing(seed));
    const Shape plain{.threads = 30, .blocks = 3, .resident = 2, .set = {"warp_size=4"}};
    Shape likely = plain;
    likely.set.emplace_back("lcp=true");
    ScriptedMachine expected(listing, "pdom", plain, random_choice);
    expected.run();
    for (const char* mechanism : {"pdom", "tbc"}) {
      ScriptedMachine machine(listing, mechanism, likely, random_choice);
      const auto met = std::make_shared<LikelyMerges>();
      machine.watch(met);
      machine.run();
      EXPECT_EQ(paths_of(machine.slots()), paths_of(expected.slots())) << mechanism << "\n" << random_listing(seed);
      merges += met->count();
    }
  }
  EXPECT_GT(merges, seeds / 4);
}

TEST(LikelyConvergence, MakeABlockOfOneWarpRunAsPdom) {
  for (unsigned seed = 0; seed < test::amount(1200, 400, 33); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 8, .blocks = 3, .resident = 2, .set = {"warp_size=8", "lcp=true"}};
    ScriptedMachine pdom(listing, "pdom", shape, random_choice), tbc(listing, "tbc", shape, random_choice);
    pdom.run();
    tbc.run();
    EXPECT_EQ(tbc.trace(), pdom.trace()) << random_listing(seed);
  }
}

}  // namespace
}  // namespace heddle::scripted::likely_convergence_test
