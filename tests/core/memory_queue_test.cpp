// The way of memory instructions to the memory stage where sub-cores have queues of their own, and what they take of
// the stage; to the cycle.
#include "core/micro.h"

namespace heddle::test {
namespace {

const std::string kPrologue = ".shared .b32 s[64];\nmov.u32 %r9, s;\n";
const std::string kStore = "st.shared.u32 [%r9], %r1;\n";

Micro queued(std::vector<std::string> more = {}) {
  std::vector<std::string> set{"icache_bytes=0",     "sub_cores=4",    "memory_queue=5",
                               "address_interval=4", "stage_cycles=2", "memory_stage=4"};
  set.insert(set.end(), more.begin(), more.end());
  return {"default", set};
}

TEST(MemoryQueue, a_sub_core_sends_one_per_address_interval_and_the_stage_takes_one_per_stage_cycles) {
  EXPECT_EQ(cycles_each(queued(), kPrologue, kStore, {32}), 4.0);
  EXPECT_EQ(cycles_each(queued(), kPrologue, kStore, {64}), 4.0) << "two sub-cores: the stage is half full";
  EXPECT_EQ(cycles_each(queued(), kPrologue, kStore, {96}), 6.0) << "three take turns";
  EXPECT_EQ(cycles_each(queued(), kPrologue, kStore, {128}), 8.0);
  // Of five warps two share a sub-core, which gets no more than its turn: while all four send it has done half.
  EXPECT_EQ(cycles_each(queued(), kPrologue, kStore, {160}), 8.0 + 4.0);
}

// Stores issue in cycles 0, 1, 2, … and leave the queue in cycles 4, 8, 12. The seventh finds five before it in cycles
// 6 and 7, the eighth in cycles 9 to 11.
TEST(MemoryQueue, who_finds_it_full_stalls) {
  const auto stalls = [](unsigned stores) {
    TimedGpu gpu(queued());
    gpu.load_body(kPrologue + repeat(kStore, stores));
    return gpu.run({1}, {32}).timing->cores[0].stall;
  };
  EXPECT_EQ(stalls(6), 0U);
  EXPECT_EQ(stalls(7), 2U);
  EXPECT_EQ(stalls(8), 2U + 3U);
}

TEST(MemoryQueue, memory_of_each_kind_may_have_its_own_latency) {
  const std::string chase = "ld.shared.u32 %r9, [%r9];\n";
  EXPECT_EQ(cycles_each({"default", {"icache_bytes=0", "shared_latency=30"}}, ".shared .b32 s[64];\nmov.u32 %r9, 0;\n",
                        chase),
            30.0);
  EXPECT_EQ(cycles_each(queued({"shared_latency=30"}), ".shared .b32 s[64];\nmov.u32 %r9, 0;\n", chase), 30.0);
  const auto constants = [](unsigned times) {
    TimedGpu gpu({"default", {"icache_bytes=0", "const_latency=12", "int_latency=4"}});
    gpu.declarations = ".const .b32 c[4];\n";
    gpu.load_body(repeat("ld.const.u32 %r1, [c];\nadd.u32 %r1, %r1, 1;\n", times));
    return gpu.run({1}, {32}).timing->cycles;
  };
  EXPECT_EQ(constants(140) - constants(40), 100U * (12 + 4)) << "the next load waits for the register of the sum";
}

TEST(MemoryStage, wide_accesses_are_joined_among_fewer_lanes) {
  const auto lines = [](const std::string& load, const std::vector<std::string>& set) {
    TimedGpu gpu({"default", set});
    gpu.load_body(load);
    const Address buffer = gpu.allocate(4096, "buffer");
    return gpu.run({1}, {32}, buffer).timing->cores[0].lines;
  };
  const std::string word = "ld.global.u32 %r1, [%rd1];\n", pair = "ld.global.v2.u32 {%r1, %r2}, [%rd1];\n",
                    four = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n";
  for (const std::string& load : {word, pair, four}) EXPECT_EQ(lines(load, {}), 1U) << "all lanes at one address";
  EXPECT_EQ(lines(word, {"coalesce_bytes=128"}), 1U);
  EXPECT_EQ(lines(pair, {"coalesce_bytes=128"}), 2U) << "half a warp each";
  EXPECT_EQ(lines(four, {"coalesce_bytes=128"}), 4U) << "eight lanes each";
}

TEST(MemoryStage, atomics_on_shared_memory_cost_more_for_each_conflict) {
  const std::string one = "red.shared.add.u32 [%r9], 1;\n";
  const Micro plain{"default", {"icache_bytes=0"}}, dear{"default", {"icache_bytes=0", "shared_atomic_cycles=3"}};
  EXPECT_EQ(cycles_each(plain, kPrologue, one), 32.0);
  EXPECT_EQ(cycles_each(dear, kPrologue, one), 32.0 * 4);
  EXPECT_EQ(cycles_each(dear, kPrologue, one, {1}), 4.0);
}

}  // namespace
}  // namespace heddle::test
