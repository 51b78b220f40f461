// Figure 8 of the large-warp paper on the machine itself: 16 warps, 10 instructions, a long load, 10 instructions, on a
// barrel of 7 stages. Round robin lets all warps come to the load together and then idles; two groups of 8 overlap one
// group's load with the other's instructions.
#include "core/micro.h"

namespace heddle::test {
namespace {

// The load is one of shared memory that takes 80 cycles from fetch to fetch. Of the first ten instructions one reads
// the parameter, of the last ten one is the exit.
CoreStats figure_8(const std::string& schedule, unsigned group) {
  const std::string fetch_group = "fetch_group=" + std::to_string(group);
  TimedGpu gpu({"large-warp-2010", {"icache_bytes=0", "memory_latency=80", fetch_group}, "pdom", schedule});
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  gpu.load_body(".shared .b8 room[64];\n" + repeat(add, 9) + "ld.shared.u32 %r2, [room];\n" + repeat(add, 9));
  return gpu.run({1}, {512}).timing->cores[0];
}

constexpr uint64_t kIssued = 16 * 21;
constexpr uint64_t kAround = 1 + 7;  // before the first fetch, and behind the last

TEST(Figure8, round_robin_idles_for_64_cycles) {
  const CoreStats core = figure_8("rr", 8);
  EXPECT_EQ(core.issue_cycles[32], kIssued);
  EXPECT_EQ(core.idle(), 64 + kAround);
}

TEST(Figure8, groups_of_eight_hide_the_load_altogether) {
  const CoreStats core = figure_8("two-level", 8);
  EXPECT_EQ(core.issue_cycles[32], kIssued);
  EXPECT_EQ(core.idle(), kAround);
}

TEST(Figure8, one_group_and_groups_smaller_than_the_pipeline_are_no_better_than_round_robin) {
  for (unsigned group : {1U, 2U, 4U, 16U}) EXPECT_EQ(figure_8("two-level", group).idle(), 64 + kAround) << group;
}

}  // namespace
}  // namespace heddle::test
