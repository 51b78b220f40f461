#include "divergence/mechanisms/lwm.h"

#include <gtest/gtest.h>

#include <set>

#include "support/amount.h"
#include "support/random_program.h"
#include "support/scripted.h"
#include "support/workload_run.h"

namespace heddle::scripted::lwm_test {
namespace {

// Rows 0-2-, -5-7, 8--B, ---F are active from P on; {0,7,8} take the branch T.
const char* const kExample = R"(
  S: if P
  O: br Z
  P: op
  Q: ld
  R: br T
  T: if V
  U: op
  u: br Z
  V: op
  Z: exit)";
unsigned example_choice(const Visit& visit) {
  const std::set<unsigned> active{0, 2, 5, 7, 8, 11, 15}, taken{0, 7, 8};
  return (visit.at == "S" ? active : taken).contains(visit.thread) ? 1 : 0;
}

// The slots of one instruction of the example.
std::string example_slots(std::string_view name, std::vector<std::string> set = {}) {
  const Listing listing(kExample);
  set.push_back("warp_size=4");
  ScriptedMachine machine(listing, "lwm", {.threads = 16, .set = set}, example_choice);
  machine.run();
  std::vector<Slot> slots;
  for (const Slot& slot : machine.slots())
    if (slot.name == name) slots.push_back(slot);
  return text_of(slots);
}

TEST(Lwm, PacksOneActiveThreadPerColumnTopRowFirst) {
  EXPECT_EQ(example_slots("P"), "P(0,5,2,7) P(8,-,-,11) P(-,-,-,15)");
}

TEST(Lwm, IssuesGlobalMemoryRowByRow) {
  EXPECT_EQ(example_slots("Q"), "Q(0,-,2,-) Q(-,5,-,7) Q(8,-,-,11) Q(-,-,-,15)");
  EXPECT_EQ(example_slots("Q", {"row_memory=false"}), "Q(0,5,2,7) Q(8,-,-,11) Q(-,-,-,15)");
}

TEST(Lwm, TakesOneSlotForAJump) {
  EXPECT_EQ(example_slots("R"), "R(0,5,2,7)");
  EXPECT_EQ(example_slots("R", {"one_slot_jumps=false"}), "R(0,5,2,7) R(8,-,-,11) R(-,-,-,15)");
}

TEST(Lwm, ChargesAJumpWithNoMoreThreadsThanLanesAndNoMoreThanAreActive) {
  // Both active threads sit in column 0: packing them takes two sub-warps.
  const Listing listing("A: if C\n B: br D\n C: br E\n D: br E\n E: exit");
  ScriptedMachine machine(listing, "lwm", {.threads = 16, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread % 8 == 4 ? 1U : 0U; });
  machine.run();
  EXPECT_EQ(counts_of(machine.slots()), "A(4) A(4) A(4) A(4) C(2) B(4) D(4) E(4) E(4) E(4) E(4)");
}

TEST(Lwm, BranchesOnceForAllItsSubWarps) {
  EXPECT_EQ(example_slots("T"), "T(0,5,2,7) T(8,-,-,11) T(-,-,-,15)");
  EXPECT_EQ(example_slots("V"), "V(0,-,-,7) V(8,-,-,-)");
  EXPECT_EQ(example_slots("U"), "U(-,5,2,11) U(-,-,-,15)");
  EXPECT_EQ(example_slots("Z"), "Z(0,1,2,3) Z(4,5,6,7) Z(8,9,10,11) Z(12,13,14,15)");
}

TEST(Lwm, SharesOneStackAndNeverSpansBlocks) {
  const Listing listing(kExample);
  ScriptedMachine machine(listing, "lwm", {.threads = 80, .blocks = 2, .resident = 2, .set = {"large_warp_size=64"}},
                          example_choice);
  EXPECT_EQ(machine.host().size(), 4U);  // 64 and 16 threads of each block
  EXPECT_EQ(machine.host().warp(WarpId(0)).groups, 2U);
  EXPECT_EQ(machine.host().warp(WarpId(1)).groups, 1U);
  EXPECT_EQ(machine.as<Lwm>().stack(WarpId(0)).top().mask.count(), 64U);
  EXPECT_EQ(machine.as<Lwm>().stack(WarpId(1)).top().mask.count(), 16U);
  machine.run();
}

TEST(Lwm, NeedsThreeBitsPerThreadToFormSubWarps) {
  const Listing listing("A: exit");
  ScriptedMachine machine(listing, "lwm", {.threads = 4}, {});
  EXPECT_EQ(machine.as<Lwm>().forming_bits(), 768U);
}

TEST(Lwm, ReturnsFromRecursionAndIndirectCallsTogether) {
  const Listing listing("M: call F G\n X: exit\n F: if R\n C: call F\n R: ret\n G: ret");
  ScriptedMachine machine(listing, "lwm", {.threads = 8, .set = {"warp_size=4"}}, [](const Visit& visit) {
    if (visit.at == "M") return visit.thread % 4 == 3 ? 1U : 0U;
    return visit.thread != 5 || visit.time == 2 ? 1U : 0U;
  });
  machine.run();
  EXPECT_EQ(machine.trace(),
            "M(0,1,2,3) M(4,5,6,7) F(0,1,2,-) F(4,5,6,-) C(-,5,-,-) F(-,5,-,-) R(-,5,-,-) R(0,1,2,-) R(4,5,6,-) "
            "G(-,-,-,3) G(-,-,-,7) X(0,1,2,3) X(4,5,6,7)");
}

TEST(Lwm, WaitsAtABarrierWithAllItsSubWarps) {
  const Listing listing("A: bar\n B: exit");
  ScriptedMachine machine(listing, "lwm", {.threads = 80, .set = {"large_warp_size=64"}}, {});
  machine.run();
  EXPECT_EQ(counts_of(machine.slots()), "A(32) A(32) A(16) B(16) B(32) B(32)");
}

TEST(Lwm, ChargesEverySubWarpOfAWarpWideInstructionWithItsOwnThreads) {
  const PtxRun run = run_ptx(R"(
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry sums(.param .u64 words) {
      .reg .b32 %r<4>;
      .reg .b64 %d<3>;
      ld.param.u64 %d1, [words];
      mov.u32 %r1, %tid.x;
      shfl.sync.idx.b32 %r2, %r1, 7, 31, -1;
      mul.wide.u32 %d2, %r1, 4;
      add.s64 %d1, %d1, %d2;
      st.global.u32 [%d1], %r2;
      ret;
    })",
                             "sums", "lwm", {.threads = 80, .input = std::vector<uint32_t>(80)});
  for (unsigned thread = 0; thread < 80; ++thread) EXPECT_EQ(run.output[thread], thread / 32 * 32 + 7);
  EXPECT_EQ(run.stats.issue_slots, 7U * 3);
  EXPECT_EQ(run.stats.active_slots, 7U * 80);
  EXPECT_EQ(run.stats.thread_instructions, 7U * 80);
}

TEST(Lwm, LetsEveryThreadWalkItsOwnPath) {
  for (unsigned seed = 0; seed < test::amount(1000, 300, 25); ++seed) {
    const Listing listing(random_listing(seed));
    for (const char* lanes : {"none", "balanced"}) {
      const Shape shape{
          .threads = 90, .set = {"warp_size=4", "large_warp_size=64", "one_slot_jumps=false"}, .lanes = lanes};
      ScriptedMachine large(listing, "lwm", shape, random_choice), pdom(listing, "pdom", shape, random_choice);
      large.run();
      pdom.run();
      EXPECT_EQ(paths_of(large.slots()), paths_of(pdom.slots())) << random_listing(seed);
    }
  }
}

TEST(Lwm, IsPdomWhenItIsAsWideAsAWarp) {
  for (unsigned seed = 0; seed < test::amount(400, 100, 10); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 90, .set = {"large_warp_size=32"}};
    ScriptedMachine large(listing, "lwm", shape, random_choice), pdom(listing, "pdom", shape, random_choice);
    large.run();
    pdom.run();
    EXPECT_EQ(large.trace(), pdom.trace()) << random_listing(seed);
  }
}

class LargeWarpWorkload : public testing::TestWithParam<workloads::Workload> {};

// Every slot of a run in one number: PC, threads, order.
uint64_t slots_hash(const workloads::Workload& workload, std::string_view mechanism) {
  uint64_t hash = 0;
  const auto mix = [&](uint64_t value) { hash = (hash ^ value) * 0x100000001b3U + (hash >> 29); };
  const auto tracer = [&](const Step& step) {
    mix(step.warp.pc);
    mix(step.group.row);
    mix(step.group.mask.bits());
  };
  EXPECT_TRUE(run_workload(workload, mechanism, {.set = {"large_warp_size=32"}, .tracer = tracer}).passed);
  return hash;
}

TEST_P(LargeWarpWorkload, IsPdomSlotForSlotWhenItIsAsWideAsAWarp) {
  EXPECT_EQ(slots_hash(GetParam(), "lwm"), slots_hash(GetParam(), "pdom"));
}

TEST_P(LargeWarpWorkload, LeavesTheMemoryThatPdomLeaves) {
  const std::vector<std::byte> expected = run_workload(GetParam(), "pdom", {}).memory;
  for (const char* width : {"warp_size=4", "warp_size=8", "warp_size=32"})
    for (const char* lanes : {"none", "balanced"}) {
      const WorkloadRun result = run_workload(GetParam(), "lwm", {.set = {width}, .lanes = lanes});
      EXPECT_TRUE(result.passed) << width << " " << lanes << ": " << result.detail;
      EXPECT_TRUE(result.memory == expected) << width << " " << lanes;
    }
}

TEST_P(LargeWarpWorkload, NeverMovesAThreadOutOfItsColumn) {
  const auto at_home = [](const Step& step) {
    LaneMask lanes;
    for_each_lane(step.group.mask, [&](unsigned k) {
      const unsigned home = step.host.home_lane(step.warp.block, step.group.thread(k));
      if (step.group.kind == Group::Kind::List) {
        ASSERT_EQ(home, k);
      }
      ASSERT_FALSE(lanes.has(home));
      lanes.add(home);
    });
  };
  for (const char* lanes : {"none", "balanced"})
    EXPECT_TRUE(run_workload(GetParam(), "lwm", {.set = {"warp_size=8"}, .lanes = lanes, .tracer = at_home}).passed);
}

INSTANTIATE_TEST_SUITE_P(All, LargeWarpWorkload, testing::ValuesIn(workloads_that_end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::scripted::lwm_test
