// What forming warps costs with a clock: the compactor of blocks, the sub-warps of large warps.
#include <fmt/format.h>

#include "core/micro.h"

namespace heddle::test {
namespace {

// Fetched at t with k sub-warps, a large warp is fetched again at t + k + 6 on the 7 stages (the worked example: 3
// sub-warps, at 9).
TEST(FormingTiming, a_large_warp_of_k_sub_warps_is_fetched_again_after_k_plus_6_cycles) {
  for (unsigned rows : {1U, 2U, 3U, 8U}) {
    const Micro micro{"large-warp-2010", {"icache_bytes=0", "large_warp_size=256"}, "lwm"};
    EXPECT_EQ(cycles_each(micro, "", "add.u32 %r1, %r1, 1;\n", {rows * 32}), rows + 6.0) << rows;
  }
}

TEST(FormingTiming, sub_warps_take_as_long_to_form_as_the_key_says) {
  for (unsigned cycles : {1U, 2U, 5U}) {
    const Micro micro{"large-warp-2010", {"icache_bytes=0", "form_cycles=" + std::to_string(cycles)}, "lwm"};
    EXPECT_EQ(cycles_each(micro, "", "add.u32 %r1, %r1, 1;\n", {96}), 2 * cycles + 7.0) << cycles;
  }
}

// Two large warps take turns: the next forms when all bits of the first are taken.
TEST(FormingTiming, the_next_large_warp_forms_behind_the_last_sub_warp) {
  const Micro micro{"large-warp-2010", {"icache_bytes=0", "large_warp_size=128"}, "lwm"};
  EXPECT_EQ(cycles_each(micro, "", "add.u32 %r1, %r1, 1;\n", {256}), 4 + 6.0) << "8 slots in 10 cycles";
  EXPECT_EQ(cycles_each(micro, "", "add.u32 %r1, %r1, 1;\n", {512}), 16.0) << "the port is busy in every cycle";
}

std::string branch_on_odd_lanes(unsigned number) {
  return fmt::format(
      "@%p1 bra LA{0}; add.u32 %r1, %r1, 1; bra.uni LB{0};\nLA{0}: add.u32 %r1, %r1, 2;\nLB{0}: add.u32 %r1, %r1, 3;\n",
      number);
}

TEST(FormingTiming, the_compactor_forms_one_warp_after_the_other) {
  const auto cycles = [](unsigned compact, unsigned branches) {
    std::string body = "mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0;\n";
    for (unsigned i = 0; i < branches; ++i) body += branch_on_odd_lanes(i);
    TimedGpu gpu({"capri-isca12", {fmt::format("compact_cycles={}", compact)}, "tbc", "srr"});
    gpu.load_body(body);
    return gpu.run({1}, {64}).timing->cycles;
  };
  // Even lanes and odd lanes of two warps: each path, and the join, are two warps. The second of them goes
  // compact_cycles after the first, and all wait for it: three times per branch.
  const double slow = static_cast<double>(cycles(41, 60) - cycles(41, 20)) / 40;
  const double quick = static_cast<double>(cycles(21, 60) - cycles(21, 20)) / 40;
  EXPECT_EQ(slow - quick, 3 * 20.0);
}

}  // namespace
}  // namespace heddle::test
