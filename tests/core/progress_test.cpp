// A machine with a clock that cannot go on says what everyone waits for, and keeps what it has measured.
#include "core/micro.h"

namespace heddle::test {
namespace {

std::string message(TimedGpu& gpu, Dim3 block, Address pointer = 0) {
  try {
    gpu.run({1}, block, pointer);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Deadlock) << error.what();
    EXPECT_EQ(gpu.launches().size(), 1U) << "what was measured is kept";
    EXPECT_GT(gpu.launches().back().issue_slots, 0U);
    return error.what();
  }
  ADD_FAILURE() << "it ended";
  return "";
}

TEST(Progress, a_barrier_that_never_completes_is_named_at_once) {
  TimedGpu gpu;
  gpu.load_body("bar.sync 0, 96;\n");
  const std::string text = message(gpu, {64});
  EXPECT_NE(text.find("deadlock in kernel k under 'pdom'"), std::string::npos) << text;
  EXPECT_NE(text.find("barrier 0: 64 of 96 threads have come"), std::string::npos) << text;
  EXPECT_NE(text.find("micro.ptx:"), std::string::npos) << text;
}

TEST(Progress, a_loop_without_end_stops_at_max_cycles_and_says_where_warps_are) {
  TimedGpu gpu({"tbc-hpca11", {"max_cycles=100000"}});
  gpu.load_body("AGAIN: add.u32 %r1, %r1, 1; bra AGAIN;\n");
  const std::string text = message(gpu, {32});
  EXPECT_NE(text.find("has not ended after"), std::string::npos) << text;
  EXPECT_NE(text.find("(max_cycles)"), std::string::npos) << text;
  EXPECT_NE(text.find("micro.ptx:"), std::string::npos) << text;
}

TEST(Progress, nothing_issued_for_stall_limit_cycles_is_reported_with_what_is_under_way) {
  // A DRAM so slow that the core waits longer than it may.
  TimedGpu gpu({"tbc-hpca11", {"stall_limit=500", "dram_tcl=1000", "network_latency=1000"}});
  gpu.load_body(repeat("ld.global.u32 %r1, [%rd1]; add.u64 %rd1, %rd1, 4096;\n", 2000));
  const std::string text = message(gpu, {1}, gpu.allocate(4096 * 2001, "far"));
  EXPECT_NE(text.find("(stall_limit)"), std::string::npos) << text;
  EXPECT_NE(text.find("wait for memory"), std::string::npos) << text;
  EXPECT_NE(text.find("micro.ptx:"), std::string::npos) << text;
}

TEST(Progress, a_launch_after_one_that_was_given_up_finds_a_quiet_machine) {
  TimedGpu gpu;
  const std::string header = ".version 8.0\n.target sm_80\n.address_size 64\n";
  const std::string loads = repeat("ld.global.u32 %r1, [%rd1]; add.u64 %rd1, %rd1, 64;\n", 8);
  gpu.load("two.ptx", header + TimedGpu::kernel_text("faults", loads + "ld.global.u32 %r1, [%rd2];\n") +
                          TimedGpu::kernel_text("works", loads));
  const Address buffer = gpu.allocate(1024, "buffer");
  EXPECT_THROW(gpu.run({30}, {512}, buffer, "faults"), Error);
  EXPECT_EQ(gpu.run({30}, {512}, buffer, "works").blocks, 30U);
}

TEST(Progress, the_breakdown_of_a_launch_that_was_given_up_sums_to_its_cycles) {
  TimedGpu gpu({"tbc-hpca11", {"max_cycles=100000"}});
  gpu.load_body("AGAIN: add.u32 %r1, %r1, 1; bra AGAIN;\n");
  message(gpu, {32});
  const TimingStats& timing = *gpu.launches().back().timing;
  EXPECT_GE(timing.cycles, 100000U);
  for (const CoreStats& core : timing.cores) EXPECT_EQ(core.cycles(), timing.cycles);
}

}  // namespace
}  // namespace heddle::test
