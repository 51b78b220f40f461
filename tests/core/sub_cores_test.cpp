// Sub-cores: what is each one's own, and what all of a core share; to the cycle.
#include "core/micro.h"

namespace heddle::test {
namespace {

const std::string kAdd = "add.u32 %r1, %r1, 1;\n";

Micro four(std::vector<std::string> set = {}) {
  set.insert(set.end(), {"sub_cores=4", "icache_bytes=0"});
  return {"default", std::move(set)};
}

TEST(SubCores, each_issues_once_per_cycle) {
  // 32 warps, eight to a sub-core: a round takes eight cycles, not 32.
  EXPECT_EQ(cycles_each({"default", {"icache_bytes=0"}}, "", kAdd, {1024}), 32.0);
  EXPECT_EQ(cycles_each(four(), "", kAdd, {1024}), 8.0);
}

TEST(SubCores, a_warp_issues_in_that_of_its_number) {
  // Five warps: 0 and 4 share a sub-core, whose unit takes one instruction in ten cycles; four do not.
  const Micro slow = four({"int_interval=10", "int_latency=10"});
  EXPECT_EQ(cycles_each(slow, "", kAdd, {4 * 32}), 10.0);
  EXPECT_EQ(cycles_each(slow, "", kAdd, {5 * 32}), 20.0);
  EXPECT_EQ(cycles_each(slow, "", kAdd, {8 * 32}), 20.0);
  EXPECT_EQ(cycles_each(slow, "", kAdd, {9 * 32}), 30.0);
}

TEST(SubCores, blocks_of_one_warp_are_spread_over_them) {
  const Micro slow = four({"int_interval=10", "int_latency=10"});
  EXPECT_EQ(cycles_each(slow, "", kAdd, {32}, {4}), 10.0);
  EXPECT_EQ(cycles_each(slow, "", kAdd, {32}, {5}), 20.0);
}

TEST(SubCores, share_the_memory_stage) {
  const std::string store = "st.shared.u32 [%r9], %r1;\n";
  const std::string prologue = ".shared .b32 s[32];\nmov.u32 %r9, s;\n";
  EXPECT_EQ(cycles_each({"default", {"icache_bytes=0"}}, prologue, store, {1024}), 32.0);
  EXPECT_EQ(cycles_each(four(), prologue, store, {1024}), 32.0);
}

TEST(SubCores, the_breakdown_sums_to_the_cycles_of_each) {
  TimedGpu gpu(four());
  gpu.load_body(repeat(kAdd, 100));
  const KernelStats stats = gpu.run({1}, {32});
  const CoreStats core = stats.timing->cores[0];
  EXPECT_EQ(stats.timing->sub_cores, 4U);
  EXPECT_EQ(core.cycles(), 4 * stats.timing->cycles);
  EXPECT_EQ(core.issue_cycles[32], stats.issue_slots);
  EXPECT_EQ(core.w0_idle, 4 * stats.timing->cycles - stats.issue_slots) << "three sub-cores have no warp";
}

TEST(SubCores, who_waits_for_memory_is_said_of_each_by_itself) {
  TimedGpu gpu(four());
  gpu.load_body("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, 1;\n");
  const Address buffer = gpu.allocate(4096, "buffer");
  const uint64_t one = gpu.run({1}, {32}, buffer).timing->cores[0].w0_mem;
  EXPECT_GT(one, 0U);
  EXPECT_LT(one, gpu.launches().back().timing->cycles) << "three sub-cores have no warp that waits";
}

TEST(SubCores, a_barrier_releases_warps_of_all) {
  // Four warps of four sub-cores come in the same cycle, and go on when the barrier's time has passed.
  const double latency = static_cast<double>(make_config("default", {}).integer("int_latency"));
  EXPECT_EQ(cycles_each(four(), "", "bar.sync 0;\n", {128}), latency);
  EXPECT_EQ(cycles_each(four({"barrier_latency=20"}), "", "bar.sync 0;\n", {128}), 20.0);
}

// ---- latencies of control instructions

TEST(ControlLatency, behind_a_branch_a_warp_waits_for_as_long_as_that_takes) {
  const auto chain = [](unsigned times) {
    std::string text;
    for (unsigned i = 0; i < times; ++i) {
      const std::string label = "L" + std::to_string(i);
      text += "bra.uni " + label + ";\n" + label + ":\n";
    }
    return text;
  };
  const auto each = [&](const std::vector<std::string>& set) {
    const auto cycles = [&](unsigned times) {
      TimedGpu gpu({"default", set});
      gpu.load_body(chain(times));
      return gpu.run({1}, {32}).timing->cycles;
    };
    return static_cast<double>(cycles(140) - cycles(40)) / 100;
  };
  EXPECT_EQ(each({"icache_bytes=0"}), static_cast<double>(make_config("default", {}).integer("int_latency")));
  EXPECT_EQ(each({"icache_bytes=0", "branch_latency=9"}), 9.0);
}

TEST(ControlLatency, behind_a_warp_wide_instruction_too) {
  const std::string vote = "vote.sync.ballot.b32 %r1, %p1, 0xffffffff;\n";
  EXPECT_EQ(cycles_each({"default", {"icache_bytes=0", "sync_latency=23"}}, "setp.eq.u32 %p1, 0, 0;\n", vote), 23.0);
}

}  // namespace
}  // namespace heddle::test
