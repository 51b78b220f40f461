// stackless: the worked examples of the paper, and what sets it apart from a stack.
#include <gtest/gtest.h>

#include "divergence/meetings.h"
#include "support/scripted.h"
#include "workloads/workload.h"

namespace heddle::scripted::stackless_test {
namespace {

// The threads' PCs before each slot, by label.
std::string pcs_before_each_slot(const Listing& listing, ScriptedMachine& machine, unsigned threads) {
  std::string text;
  machine.before_slot = [&](const Slot&) {
    if (!text.empty()) text += " ";
    for (unsigned thread = 0; thread < threads; ++thread) text += listing.name(machine.pcs()[thread]);
  };
  machine.run();
  return text;
}

const char* const kTable2 = R"(
  1: op
  2: if 5
  3: op
  4: br 6
  5: op
  6: exit)";

TEST(Stackless, TracesTheIfThenElseOfTable2) {
  const Listing listing(kTable2);
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread > 1; });
  EXPECT_EQ(pcs_before_each_slot(listing, machine, 4), "1111 2222 3355 4455 6655 6666");
  EXPECT_EQ(machine.trace(), "1(0,1,2,3) 2(0,1,2,3) 3(0,1,-,-) 4(0,1,-,-) 5(-,-,2,3) 6(0,1,2,3)");
}

const char* const kListing1 = R"(
  1:  if 3
  2:  call 10
  3:  op
  4:  exit
  10: op
  11: ret)";

ScriptedMachine listing1(const Listing& listing, std::vector<std::string> set) {
  set.emplace_back("warp_size=4");
  return {listing, "stackless", {.threads = 4, .set = set}, [](const Visit& v) { return v.thread > 1; }};
}

TEST(Stackless, ReconvergesBehindACallToAHigherAddress) {
  const Listing listing(kListing1);
  ScriptedMachine machine = listing1(listing, {});
  machine.run();
  EXPECT_EQ(counts_of(machine.slots()), "1(4) 2(2) 10(2) 11(2) 3(4) 4(4)");
  EXPECT_EQ(machine.thread_instructions(), 18U);
  EXPECT_DOUBLE_EQ(machine.efficiency(), 0.75);
}

TEST(Stackless, WithPlainMinPcDoesNotReconvergeBehindSuchACall) {
  const Listing listing(kListing1);
  ScriptedMachine machine = listing1(listing, {"stackless_pick=min_pc"});
  machine.run();
  EXPECT_EQ(counts_of(machine.slots()), "1(4) 2(2) 3(2) 4(2) 10(2) 11(2) 3(2) 4(2)");
  EXPECT_EQ(machine.thread_instructions(), 18U);
  EXPECT_DOUBLE_EQ(machine.efficiency(), 0.5625);
}

const char* const kExitBelowLoop = R"(
  1: br 4
  2: op
  3: exit
  4: op
  5: if 2
  6: br 4)";

TEST(Stackless, CanBeLessEfficientThanAStackWhereTheExitLiesBelowTheLoop) {
  const Listing listing(kExitBelowLoop);
  const auto trips = [](const Visit& v) {
    return v.time == v.thread + 1;
  };  // thread 0 leaves at its first, 1 at its second
  ScriptedMachine stackless(listing, "stackless", {.threads = 2, .set = {"warp_size=2"}}, trips);
  stackless.run();
  EXPECT_EQ(counts_of(stackless.slots()), "1(2) 4(2) 5(2) 2(1) 3(1) 6(1) 4(1) 5(1) 2(1) 3(1)");
  EXPECT_EQ(stackless.active(), 13U);
  ScriptedMachine pdom(listing, "pdom", {.threads = 2, .set = {"warp_size=2"}}, trips);
  pdom.run();
  EXPECT_EQ(pdom.slots().size(), 8U);
  EXPECT_DOUBLE_EQ(pdom.efficiency(), 0.8125);
}

const char* const kRecursion = R"(
  1:  call 10
  2:  exit
  10: if 12
  11: call 10
  12: ret)";

TEST(Stackless, RunsThreadsOfDifferentCallDepthTogether) {
  const Listing listing(kRecursion);
  const auto leaves = [](const Visit& v) { return v.time == v.thread + 1; };  // depth = how often it has been here
  ScriptedMachine stackless(listing, "stackless", {.threads = 2, .set = {"warp_size=2"}}, leaves);
  stackless.run();
  EXPECT_EQ(counts_of(stackless.slots()), "1(2) 10(2) 11(1) 10(1) 12(2) 12(1) 2(2)");
  EXPECT_EQ(stackless.thread_instructions(), 11U);
  ScriptedMachine pdom(listing, "pdom", {.threads = 2, .set = {"warp_size=2"}}, leaves);
  pdom.run();
  EXPECT_EQ(counts_of(pdom.slots()), "1(2) 10(2) 11(1) 10(1) 12(1) 12(2) 2(2)");
  EXPECT_EQ(pdom.thread_instructions(), 11U);
}

TEST(Stackless, TakesIndirectJumpsLowestAddressFirst) {
  const Listing listing(R"(
    A: brx D B C
    B: br E
    C: br E
    D: op
    E: exit)");
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread % 3; });
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(-,1,-,-) C(-,-,2,-) D(0,-,-,3) E(0,1,2,3)");
}

TEST(Stackless, TakesIndirectCallsAndReconvergesBehindThem) {
  const Listing listing(R"(
    A: call F G
    B: exit
    F: br FR
    FR: ret
    G: ret)");
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread % 2; });
  machine.run();
  EXPECT_EQ(counts_of(machine.slots()), "A(4) F(2) FR(2) G(2) B(4)");
}

TEST(Stackless, LetsTheOthersGoOnWhileSomeThreadsWaitAtABarrier) {
  // One barrier on each side of a branch: a stack never gets the two halves of a warp there, stackless does.
  const Listing listing(R"(
    A: if D
    B: bar
    C: br E
    D: bar
    E: exit)");
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread > 1; });
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-) E(0,1,2,3)");
  ScriptedMachine stack(listing, "pdom", {.threads = 4, .set = {"warp_size=4"}},
                        [](const Visit& v) { return v.thread > 1; });
  EXPECT_THROW(stack.run(), Error);
}

TEST(Stackless, FallsIntoABarrierWithAllThreadsThatWaitThere) {
  const Listing listing(R"(
    A: if C
    B: op
    C: bar
    D: exit)");
  ScriptedMachine machine(listing, "stackless", {.threads = 8, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread % 2; });
  machine.run();
  EXPECT_EQ(executions_of(machine.slots()), (std::map<std::string, unsigned>{{"A", 2}, {"B", 2}, {"C", 2}, {"D", 2}}));
}

TEST(Stackless, ThreadsThatExitLetABarrierComplete) {
  const Listing listing(R"(
    A: if C
    B: exit
    C: bar
    D: exit)");
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread > 0; });
  machine.run();
  EXPECT_EQ(counts_of(machine.slots()), "A(4) B(1) C(3) D(3)");
}

TEST(Stackless, KeepsAConstantState) {
  const Listing listing(kRecursion);
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.time == v.thread + 1; });
  const uint64_t before = machine.mechanism().cost().bits_per_warp;
  machine.run();
  EXPECT_TRUE(machine.mechanism().cost().constant);
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, before);
  EXPECT_EQ(before, 4U * 64);
}

// ---- on whole programs

TEST(Stackless, ThreadsMeetAcrossDivergedPathsWhereverTheyAre) {
  const auto run = [](std::string_view warp_size, bool every_step) {
    const std::vector<std::string> set{"warp_size=" + std::string(warp_size),
                                       every_step ? "stackless_every_step=true" : "stackless_every_step=false"};
    return run_ptx(kMeetings, "meetings", "stackless",
                   {.threads = 64, .blocks = 3, .set = set, .input = std::vector<uint32_t>(64 * 3 * 16)});
  };
  const PtxRun wide = run("32", false);
  EXPECT_EQ(wide.output[2], 32U);
  EXPECT_EQ(wide.output[7 * 16 + 2], 132U);  // thread 7 comes from the other side
  for (const char* warp_size : {"2", "4", "8", "16", "32"})
    for (bool every_step : {false, true}) EXPECT_EQ(run(warp_size, every_step).output, wide.output) << warp_size;
}

struct Result {
  bool passed;
  uint64_t slots, thread_instructions, active;
  bool operator==(const Result&) const = default;
};

Result run(const workloads::Workload& workload, std::vector<std::string> set) {
  GpuOptions options;
  options.mechanism = "stackless";
  Gpu gpu(make_config("default", set), options);
  gpu.load(workload.name, workload.ptx());
  const workloads::Check check = workload.run(gpu, workloads::Size::Tiny);
  const KernelStats total = gpu.total();
  return {check.passed, total.issue_slots, total.thread_instructions, total.active_slots};
}

class StacklessWorkloads : public testing::TestWithParam<std::string_view> {};

TEST_P(StacklessWorkloads, ArbitrationAtControlInstructionsEqualsArbitrationAtEveryStep) {
  for (const char* pick : {"stackless_pick=min_sp_pc", "stackless_pick=min_pc"}) {
    const Result lazy = run(workloads::find(GetParam()), {pick});
    const Result eager = run(workloads::find(GetParam()), {pick, "stackless_every_step=true"});
    EXPECT_TRUE(lazy.passed) << pick;
    EXPECT_EQ(lazy, eager) << pick << ": " << lazy.slots << " and " << eager.slots << " slots";
  }
}

TEST_P(StacklessWorkloads, GiveTheRightResultWithWarpsOfFourAndEight) {
  EXPECT_TRUE(run(workloads::find(GetParam()), {"warp_size=4"}).passed);
  EXPECT_TRUE(run(workloads::find(GetParam()), {"warp_size=8"}).passed);
}

INSTANTIATE_TEST_SUITE_P(Tiny, StacklessWorkloads,
                         testing::Values("bfs", "mandelbrot", "recursion", "indirect", "reduction0", "bitonic",
                                         "histogram"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace heddle::scripted::stackless_test
