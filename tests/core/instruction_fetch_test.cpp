// How code comes to a core: through its caches, ahead of who executes it, and from a cache that cores share.
#include "core/micro.h"

namespace heddle::test {
namespace {

constexpr unsigned kInLine = 16;  // instructions: 128 bytes of 8
const std::string kStep = "add.u32 %r1, %r1, 1;\n";

// One warp goes once through so many lines of code, each instruction of which waits for the one before.
KernelStats through_lines(unsigned lines, std::vector<std::string> set) {
  TimedGpu gpu({"default", std::move(set)});
  gpu.load_body(repeat(kStep, lines * kInLine - 2));  // with the parameter and the end
  return gpu.run({1}, {32});
}

uint64_t fetch_cycles(unsigned lines, std::vector<std::string> set) {
  const uint64_t without = through_lines(lines, {"icache_bytes=0"}).timing->cycles;
  set.insert(set.end(), {"icache_bytes=16384", "launch_code=l2"});
  return through_lines(lines, std::move(set)).timing->cycles - without;
}

// There and back through the network, flits of 8 and of 136 bytes, the L2: a core cycle is a network cycle here.
uint64_t way_to_l2() {
  const Config config = make_config("default", {});
  return static_cast<uint64_t>(2 * config.integer("network_latency") + 1 + 5 + 1 + config.integer("l2_latency"));
}

TEST(InstructionFetch, a_line_that_is_not_there_comes_from_the_l2_where_the_launch_has_put_it) {
  EXPECT_EQ(fetch_cycles(1, {}), way_to_l2());
  EXPECT_EQ(fetch_cycles(10, {}), 10 * way_to_l2());
  const uint64_t base = through_lines(1, {"icache_bytes=0"}).timing->cycles;
  EXPECT_GT(through_lines(1, {"icache_bytes=16384"}).timing->cycles, base + way_to_l2());  // from DRAM
}

TEST(InstructionFetch, lines_ahead_are_there_when_they_are_needed) {
  // A line lasts 64 cycles, longer than the way to the L2: all but the first have come.
  EXPECT_EQ(fetch_cycles(10, {"icache_ahead=1"}), fetch_cycles(1, {"icache_ahead=1"}));
  EXPECT_LE(fetch_cycles(10, {"icache_ahead=1"}), way_to_l2());
  const KernelStats stats = through_lines(10, {"icache_bytes=16384", "icache_ahead=32", "launch_code=l2"});
  EXPECT_EQ(stats.timing->all_cores().instruction.fills, 10);  // and none beyond the end
}

TEST(InstructionFetch, the_first_lines_come_while_the_block_is_on_its_way) {
  EXPECT_EQ(fetch_cycles(10, {"icache_ahead=1", "block_latency=100"}), 100);
}

TEST(InstructionFetch, what_a_sub_core_has_itself_it_asks_nobody_for) {
  const std::vector<std::string> far{"icache_bytes=16384", "launch_code=l2"};
  std::vector<std::string> near = far;
  near.push_back("icache_near_bytes=2048");
  const KernelStats all = through_lines(10, far), few = through_lines(10, near);
  EXPECT_EQ(all.timing->cycles, few.timing->cycles);
  EXPECT_EQ(all.timing->all_cores().instruction.reads, 10 + 10 * kInLine);  // each line is asked for, then read
  EXPECT_EQ(few.timing->all_cores().instruction.reads, 10 + 10);
}

TEST(InstructionFetch, of_machine_code_every_machine_instruction_has_its_bytes) {
  // A product of 64 bits is three at least; what else there is of the kernel is smaller than a line.
  const auto fills = [](const std::string& body) {
    TimedGpu gpu({"default", {"code=machine", "icache_bytes=16384", "instruction_bytes=16"}});
    gpu.load_body(body);
    return gpu.run({1}, {32}, gpu.allocate(64, "data")).timing->all_cores().instruction.fills;
  };
  const std::string use = "st.global.u64 [%rd1], %rd2;\n";
  const uint64_t one = fills("mov.u64 %rd2, 5;\n" + use);
  EXPECT_EQ(one, 1);
  const uint64_t many = fills("mov.u64 %rd2, 5;\n" + repeat("mul.lo.u64 %rd2, %rd2, %rd1;\n", 64) + use);
  EXPECT_GE(many, 64 * 3 * 16 / 128);
}

// Caches that cores share, with all that there is in this launch.
std::vector<std::string> shared_code(std::vector<std::string> more) {
  more.insert(more.begin(), {"icache_bytes=16384", "icache_groups=1", "icache_group_latency=100",
                             "icache_group_miss_latency=250", "icache_group_launch=65536", "cores=2"});
  return more;
}

uint64_t shared_cycles(unsigned lines, std::vector<std::string> more, uint32_t cores = 1) {
  const auto cycles = [&](const std::vector<std::string>& set) {
    TimedGpu gpu({"default", set});
    gpu.load_body(repeat(kStep, lines * kInLine - 2));
    return gpu.run({cores}, {32}).timing->cycles;
  };
  return cycles(shared_code(std::move(more))) - cycles({"icache_bytes=0", "cores=2"});
}

TEST(InstructionFetch, a_line_comes_from_the_cache_that_cores_share) {
  EXPECT_EQ(shared_cycles(10, {}), 10 * 100U);
  EXPECT_EQ(shared_cycles(10, {"icache_group_launch=0"}), 10 * 250U) << "or through it from the L2";
  EXPECT_EQ(shared_cycles(10, {"icache_group_launch=640"}), 5 * 100 + 5 * 250U) << "the launch has brought five";
  EXPECT_EQ(shared_cycles(10, {"icache_ahead=2"}), 99U) << "a line lasts 64 cycles: all but the first have come";
}

// Each line is asked for once by each core, at the same time.
TEST(InstructionFetch, cores_of_a_group_wait_for_each_other_at_its_cache) {
  EXPECT_EQ(shared_cycles(10, {}, 2), 10 * 100U);
  EXPECT_EQ(shared_cycles(10, {"core_clock=1000", "icache_group_clock=50"}, 2), 10 * 100 + 20U) << "the second, once";
  EXPECT_EQ(shared_cycles(10, {"core_clock=1000", "icache_group_clock=50", "icache_group_joins=2"}, 2), 10 * 100U);
  EXPECT_EQ(shared_cycles(10, {"icache_group_far_latency=7"}, 2), 10 * 107U) << "the second is farther away";
  EXPECT_EQ(shared_cycles(10, {"icache_group_launch=0"}, 2), 10 * 250U) << "what one has asked for is there for both";
}

}  // namespace
}  // namespace heddle::test
