// dwf: the starvation eddy exactly, the policies, and what leaves and re-enters the pool.
#include <gtest/gtest.h>

#include "divergence/meetings.h"
#include "support/scripted.h"
#include "workloads/workload.h"

namespace heddle::scripted::dwf_test {
namespace {

// A→B or C→D1→D2, exit; one instruction per block.
const char* const kEddy = R"(
  A:  if C
  B:  br D1
  C:  op
  D1: op
  D2: exit)";
bool falls_behind(const Visit& v) { return v.thread == 3 || v.thread == 4; }

ScriptedMachine eddy(const Listing& listing, std::string_view mechanism, std::string_view policy) {
  return {
      listing, mechanism, {.threads = 8, .set = {"warp_size=4", "dwf_policy=" + std::string(policy)}}, falls_behind};
}

TEST(Dwf, MajorityRunsIntoTheStarvationEddy) {
  const Listing listing(kEddy);
  ScriptedMachine machine = eddy(listing, "dwf", "majority");
  machine.run();
  EXPECT_EQ(machine.trace(),
            "A(0,1,2,3) A(4,5,6,7) B(0,1,2,7) B(-,5,6,-) D1(0,1,2,7) D1(-,5,6,-) D2(0,1,2,7) D2(-,5,6,-) "
            "C(4,-,-,3) D1(4,-,-,3) D2(4,-,-,3)");
  EXPECT_EQ(machine.slots().size(), 11U);
  EXPECT_EQ(machine.active(), 32U);
  EXPECT_DOUBLE_EQ(machine.efficiency(), 32.0 / 44.0);
}

TEST(Dwf, LosesToPdomInTheStarvationEddy) {
  const Listing listing(kEddy);
  ScriptedMachine machine = eddy(listing, "pdom", "majority");
  machine.run();
  EXPECT_EQ(machine.slots().size(), 10U);
  EXPECT_DOUBLE_EQ(machine.efficiency(), 0.8);
}

TEST(Dwf, MinorityDrainsTheRarestPc) {
  const Listing listing(kEddy);
  ScriptedMachine machine = eddy(listing, "dwf", "minority");
  machine.run();
  EXPECT_EQ(machine.trace(),
            "A(0,1,2,3) A(4,5,6,7) C(4,-,-,3) D1(4,-,-,3) D2(4,-,-,3) B(0,1,2,7) B(-,5,6,-) D1(0,1,2,7) D1(-,5,6,-) "
            "D2(0,1,2,7) D2(-,5,6,-)");
}

TEST(Dwf, PcFormsFullWarpsWhereTheEddyWas) {
  const Listing listing(kEddy);
  ScriptedMachine machine = eddy(listing, "dwf", "pc");
  machine.run();
  // (4,3) find the youngest warp at D1, (-,5,6,-), with both their lanes free.
  EXPECT_EQ(machine.trace(),
            "A(0,1,2,3) A(4,5,6,7) B(0,1,2,7) B(-,5,6,-) C(4,-,-,3) D1(0,1,2,7) D1(4,5,6,3) D2(0,1,2,7) D2(4,5,6,3)");
}

TEST(Dwf, TimeIssuesTheOldestWarp) {
  const Listing listing(kEddy);
  ScriptedMachine machine = eddy(listing, "dwf", "time");
  machine.run();
  // Ages: B(0,1,2,7), C(4,-,-,3), B(-,5,6,-); C's threads reach D1 second, where (5,6) join them.
  EXPECT_EQ(machine.trace(),
            "A(0,1,2,3) A(4,5,6,7) B(0,1,2,7) C(4,-,-,3) B(-,5,6,-) D1(0,1,2,7) D1(4,5,6,3) D2(0,1,2,7) D2(4,5,6,3)");
}

TEST(Dwf, PdomPriorityHoldsBackThreadsThatPassedThePostDominator) {
  const Listing listing(kEddy);
  ScriptedMachine machine = eddy(listing, "dwf", "pdom-priority");
  machine.run();
  // Until D1 nobody has passed one: B before C by address; D1 is the post-dominator of A's branch, so that a warp
  // behind it waits for those in front of it.
  EXPECT_EQ(machine.trace(),
            "A(0,1,2,3) A(4,5,6,7) B(0,1,2,7) B(-,5,6,-) C(4,-,-,3) D1(0,1,2,7) D1(4,5,6,3) D2(0,1,2,7) D2(4,5,6,3)");
}

TEST(Dwf, ThreadsNeverLeaveTheirHomeLanes) {
  const Listing listing(kEddy);
  ScriptedMachine machine(listing, "dwf", {.threads = 8, .set = {"warp_size=4"}, .lanes = "flip_odd"}, falls_behind);
  machine.run();
  // 4-7 sit in lanes 3-0: 3 and 4 compete for lane 3, and so do 0, 1, 2 with 7, 6, 5.
  EXPECT_EQ(executions_of(machine.slots()),
            (std::map<std::string, unsigned>{{"A", 2}, {"B", 2}, {"C", 2}, {"D1", 4}, {"D2", 4}}));
}

TEST(Dwf, MixesBlocksOfTheCore) {
  const Listing listing(R"(
    A: if C
    B: br D
    C: op
    D: op
    E: exit)");
  // Block 0 sends 0,1 to C, block 1 (threads 4-7) sends 6,7.
  ScriptedMachine machine(listing, "dwf", {.threads = 4, .blocks = 2, .resident = 2, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread < 2 || v.thread > 5; });
  machine.run();
  const std::string trace = machine.trace();
  EXPECT_NE(trace.find("B(4,5,2,3)"), std::string::npos) << trace;
  EXPECT_NE(trace.find("C(0,1,6,7)"), std::string::npos) << trace;
}

TEST(Dwf, ThreadsComeBackFromABarrierInThreadOrder) {
  const Listing listing(R"(
    A: if C
    B: br D
    C: op
    D: bar
    E: exit)");
  ScriptedMachine machine(listing, "dwf", {.threads = 8, .set = {"warp_size=4"}}, falls_behind);
  machine.run();
  const std::string trace = machine.trace();
  EXPECT_TRUE(trace.ends_with("D(4,-,-,3) E(0,1,2,3) E(4,5,6,7)")) << trace;
}

TEST(Dwf, ABlockAtABarrierDoesNotHoldUpAnother) {
  const Listing listing(R"(
    A: bar
    B: exit)");
  ScriptedMachine machine(listing, "dwf", {.threads = 6, .blocks = 3, .resident = 2, .set = {"warp_size=4"}},
                          [](const Visit&) { return 0; });
  machine.run();
  EXPECT_EQ(machine.active(), 36U);
  EXPECT_EQ(machine.slots().size(), 12U);
}

TEST(Dwf, ReturnsToManyCallersFromOneWarp) {
  const Listing listing(R"(
    A: if C
    B: call F
    C: call F
    D: exit
    F: ret)");
  ScriptedMachine machine(listing, "dwf", {.threads = 4, .set = {"warp_size=4", "dwf_policy=pc"}},
                          [](const Visit& v) { return v.thread > 1; });
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(0,1,-,-) C(-,-,2,3) F(0,1,2,3) C(0,1,-,-) D(-,-,2,3) F(0,1,-,-) D(0,1,-,-)");
}

// ---- on whole programs

TEST(Dwf, ThreadsMeetWhateverWarpsTheySitIn) {
  const auto run = [](std::string_view mechanism, std::string policy, std::string warp_size) {
    return run_ptx(kMeetings, "meetings", mechanism,
                   {.threads = 64,
                    .blocks = 3,
                    .set = {"dwf_policy=" + policy, "warp_size=" + warp_size},
                    .input = std::vector<uint32_t>(64 * 3 * 16)});
  };
  const PtxRun expected = run("stackless", "majority", "32");
  for (const char* policy : {"majority", "minority", "time", "pdom-priority", "pc"})
    for (const char* warp_size : {"2", "4", "8", "16", "32"})
      EXPECT_EQ(run("dwf", policy, warp_size).output, expected.output) << policy << " " << warp_size;
}

TEST(Dwf, PersistentThreadsThatLeanOnWarpSynchronyEndOneWayOrTheOther) {
  GpuOptions options;
  options.mechanism = "dwf";
  const std::vector<std::string> set{"dwf_patience=4096"};  // with majority alone the managers starve for ever
  Gpu gpu(make_config("default", set), options);
  const workloads::Workload& workload = workloads::find("nvrt");
  gpu.load(workload.name, workload.ptx());
  EXPECT_FALSE(workload.run(gpu, workloads::Size::Tiny).passed);  // as the paper reports
}

TEST(Dwf, AStarvingWarpGoesFirstWhenItsPatienceIsOver) {
  // 1-3 spin until 0 has run B and B2, which majority never lets it: 20 slots for each, and one to see it.
  const Listing listing(R"(
    A: if C
    B: br B2
    C: if C
    D: exit
    B2: exit)");
  bool passed = false;
  ScriptedMachine machine(listing, "dwf", {.threads = 4, .set = {"warp_size=4", "dwf_patience=20"}},
                          [&](const Visit& v) { return v.at == "A" ? v.thread > 0 : !passed; });
  machine.after_slot = [&](const Slot& slot) { passed = passed || slot.name == "B2"; };
  machine.run();
  EXPECT_EQ(executions_of(machine.slots())["C"], 41U);
  EXPECT_EQ(machine.slots().back().text(), "D(-,1,2,3)");
}

struct Case {
  std::string_view workload, policy, warp_size;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.workload << " " << c.policy << " W=" << c.warp_size; }

class DwfWorkloads : public testing::TestWithParam<Case> {};

TEST_P(DwfWorkloads, GiveTheRightResult) {
  const Case& c = GetParam();
  const std::vector<std::string> set{"dwf_policy=" + std::string(c.policy), "warp_size=" + std::string(c.warp_size)};
  GpuOptions options;
  options.mechanism = "dwf";
  Gpu gpu(make_config("default", set), options);
  const workloads::Workload& workload = workloads::find(c.workload);
  gpu.load(workload.name, workload.ptx());
  const workloads::Check check = workload.run(gpu, workloads::Size::Tiny);
  EXPECT_TRUE(check.passed) << check.detail;
}

INSTANTIATE_TEST_SUITE_P(Tiny, DwfWorkloads,
                         testing::Values(Case{"bfs", "majority", "32"}, Case{"bitonic", "majority", "8"},
                                         Case{"recursion", "minority", "32"}, Case{"indirect", "time", "32"},
                                         Case{"reduction0", "pdom-priority", "4"}, Case{"mandelbrot", "pc", "32"},
                                         Case{"histogram", "majority", "4"}));

}  // namespace
}  // namespace heddle::scripted::dwf_test
