// Splits of one warp on a machine with a clock: what halves.h, which uses all that is offered to them, hears and gets.
#include <fmt/format.h>

#include "core/micro.h"
#include "core/scoreboard.h"
#include "observe/steps.h"
#include "support/amount.h"
#include "support/halves.h"
#include "support/memory_image.h"
#include "support/workload_run.h"

namespace heddle::test {
namespace {

Micro halves(std::vector<std::string> set = {}, std::string preset = "default") {
  Halves::add();
  Halves::heard = {};
  set.emplace_back("icache_bytes=0");
  return {std::move(preset), std::move(set), "halves"};
}

struct IssueAt {
  Pc pc;
  LaneMask lanes;
  CoreCycle cycle;
};

// Every slot of a kernel whose body this is, of one warp.
std::vector<IssueAt> issues_of(const Micro& micro, std::string_view body, bool skip = true) {
  std::vector<IssueAt> issues;
  GpuOptions options;
  options.timed = true;
  options.skip = skip;
  options.mechanism = micro.mechanism;
  options.schedule = micro.schedule;
  options.observers.push_back(std::make_shared<Steps>([&](const Step& step) {
    issues.push_back({step.warp.pc, step.group.mask, step.host.now});
  }));
  Gpu gpu(make_config(micro.preset, micro.set), options);
  gpu.load("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n" + TimedGpu::kernel_text("k", body));
  const Buffer<uint32_t> words(gpu, 4096, "words");
  gpu.launch("k", {{1}, {32}}, Arguments(words.address()));
  return issues;
}

constexpr LaneMask kLower = LaneMask::first(16), kUpper = ~LaneMask::first(16);

TEST(Splits, are_issued_alternately_by_round_robin) {
  const std::vector<IssueAt> issues = issues_of(halves(), repeat("add.u32 %r1, %r2, %r3;\n", 20));
  ASSERT_EQ(issues.size(), 2 * (20 + 2));
  for (size_t i = 0; i < issues.size(); ++i) EXPECT_EQ(issues[i].lanes, i % 2 == 0 ? kLower : kUpper) << i;
}

TEST(Splits, that_go_together_take_one_cycle_and_fill_the_lanes) {
  std::string adds;  // that wait for nothing
  for (unsigned i = 0; i < 100; ++i) adds += fmt::format("add.u32 %r{}, %r0, %r0;\n", 1 + i % 12);
  const auto stats_of = [&](const Micro& micro) {
    TimedGpu gpu(micro);
    gpu.load_body(adds);
    return gpu.run({1}, {32});
  };
  const KernelStats whole = stats_of({"default", {"icache_bytes=0"}}), one = stats_of(halves()),
                    two = stats_of(halves({"halves_width=2"}));
  EXPECT_EQ(two.timing->cycles, whole.timing->cycles);
  EXPECT_GE(one.timing->cycles, whole.timing->cycles + 90) << "an issue cycle for each half";
  EXPECT_EQ(two.issue_slots, 2 * whole.issue_slots) << "slots are instructions";
  EXPECT_EQ(two.slots_beside, whole.issue_slots);
  EXPECT_EQ(two.simd_efficiency(32), 1.0) << "over issue cycles";
  EXPECT_EQ(one.simd_efficiency(32), 0.5);
  EXPECT_EQ(two.timing->all_cores().issue_cycles[32], whole.timing->all_cores().issue_cycles[32]);
}

TEST(Splits, emulation_lets_them_go_together_too) {
  Halves::add();
  GpuOptions options;
  options.mechanism = "halves";
  Gpu gpu(make_config("default", std::vector<std::string>{"halves_width=2", "interleave=true"}), options);
  gpu.load("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n" +
                        TimedGpu::kernel_text("k", repeat("add.u32 %r1, %r2, %r3;\n", 10)));
  gpu.launch("k", {{1}, {32}}, Arguments(Address{0}));
  EXPECT_EQ(gpu.launches()[0].issue_slots, 2U * 12);
  EXPECT_EQ(gpu.launches()[0].slots_beside, 12U);
}

// The lower half loads into %r1 (a miss), the upper half computes in a register of its choice.
std::string load_and_compute(std::string_view reg) {
  return "mov.u32 %r5, %tid.x; setp.lt.u32 %p1, %r5, 16; @%p1 bra LOAD;\n" +
         repeat(fmt::format("add.u32 {}, {}, 1;\n", reg, reg), 30) +
         "bra END;\nLOAD: ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 1;\nEND:\n";
}

TEST(Splits, of_one_warp_do_not_wait_for_each_others_registers) {
  const auto cycles_with = [&](std::string_view reg) {
    const std::vector<IssueAt> issues = issues_of(halves(), load_and_compute(reg));
    return issues.back().cycle;
  };
  EXPECT_EQ(cycles_with("%r1"), cycles_with("%r2"));
}

constexpr CoreCycle kNow{1};  // at any time: nothing has a known end

TEST(Scoreboard, is_precise_to_the_lane_for_splits_and_to_the_row_for_others) {
  Kernel kernel;
  RegisterUses uses(kernel);
  uint32_t same_mark = 8;
  while (RegisterUses::mark_of(same_mark) != RegisterUses::mark_of(4)) same_mark += 4;
  for (const uint32_t name : {4U, 8U, same_mark}) uses.add({name}, {});
  for (const bool lanes : {true, false}) {
    Scoreboard board(uses, lanes);
    board.take(0, 0, Group::rows(3, kLower));
    EXPECT_FALSE(board.free(0, Group::rows(3, LaneMask::of(2)), kNow));
    EXPECT_EQ(board.free(0, Group::rows(3, kUpper), kNow), lanes);
    EXPECT_TRUE(board.free(1, Group::rows(3, kLower), kNow)) << "another register";
    EXPECT_TRUE(board.free(2, Group::rows(3, kLower), kNow)) << "another register with the same mark";
    EXPECT_TRUE(board.free(0, Group::rows(2, kLower), kNow)) << "another row";
    board.release(WarpId(0));
    EXPECT_TRUE(board.free(0, Group::rows(3, LaneMask::all()), kNow));
  }
}

TEST(Scoreboard, lets_lanes_go_one_by_one) {
  Kernel kernel;
  RegisterUses uses(kernel);
  uses.add({4}, {});
  Scoreboard board(uses, true);
  board.take(5, 0, Group::rows(0, kLower));
  board.release(5, Group::rows(0, LaneMask::first(4)));
  EXPECT_TRUE(board.free(0, Group::rows(0, LaneMask::first(4)), kNow));
  EXPECT_FALSE(board.free(0, Group::rows(0, LaneMask::first(5)), kNow));
  board.release(WarpId(5));
  EXPECT_TRUE(board.free(0, Group::rows(0, kLower), kNow));
}

// Lanes 0 to 7 read a line that an earlier load has brought, lanes 8 to 15 one that nobody has read; the upper half
// leaves. Then all add to what they read.
constexpr std::string_view kHalfHits =
    "mov.u32 %r5, %tid.x; setp.ge.u32 %p1, %r5, 16; @%p1 bra END;\n"
    "ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1;\n"  // brings the line
    "and.b32 %r6, %r5, 8; mul.wide.u32 %rd2, %r6, 512; add.u64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r3, [%rd3]; add.u32 %r4, %r3, 1;\nEND:\n";

TEST(Splits, hear_of_lanes_in_the_cycle_their_data_is_there) {
  for (const char* preset : {"default", "tbc-hpca11"}) {
    const std::vector<IssueAt> issues = issues_of(halves({}, preset), kHalfHits);
    const std::vector<LanesBack>& returns = Halves::heard.returns;
    ASSERT_EQ(returns.size(), 3U) << preset;  // the first load comes as a whole
    EXPECT_EQ(returns[0].lanes, kLower);
    EXPECT_EQ(returns[1].lanes, LaneMask::first(8));
    EXPECT_FALSE(returns[0].hit || returns[2].hit);
    EXPECT_TRUE(returns[1].hit);
    EXPECT_EQ(returns[2].lanes, kLower.without(LaneMask::first(8)));
    EXPECT_GT(returns[2].at, returns[1].at);
    // Nobody is split here: the add behind the load goes when the last lane has its data, not a cycle before.
    const Pc last_add = issues.back().pc - 1;
    const auto add = std::find_if(issues.begin(), issues.end(), [&](const IssueAt& i) { return i.pc == last_add; });
    ASSERT_NE(add, issues.end());
    EXPECT_EQ(add->cycle, returns[2].at) << preset;
  }
}

TEST(Splits, hear_of_lanes_in_the_same_cycle_whether_the_machine_skips_or_not) {
  // Eight lines, each missed by four lanes, come back one after another.
  constexpr std::string_view kMisses =
      "mov.u32 %r5, %tid.x; and.b32 %r6, %r5, 28; mul.wide.u32 %rd2, %r6, 512; add.u64 %rd3, %rd1, %rd2;\n"
      "ld.global.u32 %r3, [%rd3]; add.u32 %r4, %r3, 1;\n";
  for (const char* preset : {"default", "tbc-hpca11"}) {
    issues_of(halves({}, preset), kMisses);
    const std::vector<LanesBack> skipping = Halves::heard.returns;
    issues_of(halves({}, preset), kMisses, false);
    EXPECT_EQ(skipping, Halves::heard.returns) << preset;
    EXPECT_GT(skipping.size(), 2U) << preset;
  }
}

TEST(Splits, lanes_that_have_their_data_go_on_by_themselves) {
  for (const char* preset : {"default", "tbc-hpca11"}) {
    const std::vector<IssueAt> issues = issues_of(halves({"halves_returns=true"}, preset), kHalfHits);
    const std::vector<LanesBack>& returns = Halves::heard.returns;
    ASSERT_EQ(returns.size(), 3U) << preset;
    const Pc last_add = issues.back().pc - 1;
    std::vector<IssueAt> adds;
    std::copy_if(issues.begin(), issues.end(), std::back_inserter(adds),
                 [&](const IssueAt& i) { return i.pc == last_add; });
    ASSERT_EQ(adds.size(), 2U) << preset;
    EXPECT_EQ(adds[0].lanes, LaneMask::first(8));
    EXPECT_EQ(adds[0].cycle, returns[1].at) << preset;
    EXPECT_EQ(adds[1].cycle, returns[2].at) << preset;
  }
}

TEST(Splits, hear_once_that_a_warp_stalls_and_when_nobody_can_go) {
  const std::vector<IssueAt> issues = issues_of(halves(), kHalfHits);
  const Pc last_add = issues.back().pc - 1;
  const auto& stalls = Halves::heard.stalls;
  EXPECT_EQ(std::count(stalls.begin(), stalls.end(), std::pair(WarpId(0), last_add)), 1);
  EXPECT_GT(Halves::heard.starved, 0U);
}

TEST(Splits, that_wait_for_registers_or_memory_are_left_out_of_wishes_too) {
  for (const char* workload : {"blackscholes", "bfs"}) {
    Halves::add();
    const auto cycles = [&](std::string_view wishes) {
      const auto all = scripted::selected_workloads();
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == workload; });
      if (found == all.end()) return uint64_t{0};  // with sanitizers
      return scripted::run_workload(*found, "halves", {.set = {std::string(wishes)}, .machine = "default"})
          .total.timing->cycles;
    };
    EXPECT_EQ(cycles("halves_wishes=true"), cycles("halves_wishes=false")) << workload;
  }
}

class SplitWorkloads : public testing::TestWithParam<const char*> {};

TEST_P(SplitWorkloads, come_out_right_whatever_the_splits_do) {
  Halves::add();
  const std::vector<workloads::Workload> all = scripted::selected_workloads();
  for (size_t i = 0; i < all.size(); i += *GetParam() == '\0' ? 1 : amount(1, 5, 5)) {
    const workloads::Workload& workload = all[i];
    if (workload.name == "nvrt") continue;  // right only where a static warp stays together
    const scripted::WorkloadRun right = scripted::run_workload(workload, "pdom", {});
    const scripted::WorkloadRun run = scripted::run_workload(
        workload, "halves", {.set = {"halves_width=2", "halves_returns=true"}, .machine = GetParam()});
    EXPECT_TRUE(run.passed) << workload.name << ": " << run.detail;
    EXPECT_EQ(run.memory == right.memory, true) << workload.name;
    EXPECT_EQ(run.total.thread_instructions, right.total.thread_instructions) << workload.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, SplitWorkloads, testing::Values("", "tbc-hpca11", "default"));

}  // namespace
}  // namespace heddle::test
