// Divisions of unusual numbers take longer and more instructions, by what an H200's counters and clock show.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr unsigned kTimes = 64;

struct Taken {
  double instructions, cycles, threads;  // per division
};

// Of `times` divisions in a loop, each waiting for the one before, the same for all threads of a warp but those from
// `usual_from` on, which divide 1.5.
Taken run(std::string_view type, double dividend, double divisor, unsigned usual_from) {
  GpuOptions options;
  options.timed = true;
  options.mechanism = "its";
  Gpu gpu(make_config("h200", {}), options);
  gpu.load("test.ptx", with_header(fmt::format(R"(
.visible .entry k(.param .u64 out, .param .f64 dividend, .param .f64 divisor, .param .u32 usual) {{
  .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f64 %g<9>; .reg .{0} %f<9>; .reg .pred %p, %q;
  ld.param.u64 %d0, [out];
  ld.param.f64 %g0, [dividend];
  ld.param.f64 %g1, [divisor];
  ld.param.u32 %r0, [usual];
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %q, %r1, %r0;
  @%q mov.f64 %g0, 0d3ff8000000000000;
  {1} %f0, %g0;
  {1} %f1, %g1;
  mov.u32 %r2, 0;
AGAIN:
  div.rn.{0} %f2, %f0, %f1;
  add.{0} %f3, %f3, %f2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, {2};
  @%p bra AGAIN;
  st.global.{0} [%d0], %f3;
  ret;
}})",
                                               type, type == "f32" ? "cvt.rn.f32.f64" : "mov.f64", kTimes)));
  const Buffer<double> out(gpu, 1, "out");
  gpu.launch("k", {{1}, {32}}, Arguments(out.address(), dividend, divisor, usual_from));
  const CoreStats cores = gpu.launches()[0].timing->all_cores();
  return {static_cast<double>(cores.machine_instructions) / kTimes,
          static_cast<double>(gpu.launches()[0].timing->cycles) / kTimes,
          static_cast<double>(cores.machine_threads) / kTimes};
}

struct Case {
  std::string_view type;
  double dividend, divisor;
  double instructions, cycles;  // more than 1.5 / 3 takes, on an H200 at 1500 MHz
};

class SlowPathsOnH200 : public testing::TestWithParam<Case> {};

TEST_P(SlowPathsOnH200, take_what_they_do_there) {
  const Case& each = GetParam();
  const Taken usual = run(each.type, 1.5, 3, 32), slow = run(each.type, each.dividend, each.divisor, 32);
  EXPECT_NEAR(slow.instructions - usual.instructions, each.instructions, 0.3 * each.instructions);
  EXPECT_NEAR(slow.cycles - usual.cycles, each.cycles, 0.3 * each.cycles);
}

// By the sum of 64 in a loop: (2827 - 779) / 64 instructions and (19775 - 7318) / 64 cycles, and so on.
INSTANTIATE_TEST_SUITE_P(Values, SlowPathsOnH200,
                         testing::Values(Case{"f32", 0, 3, 32.0, 194.6}, Case{"f32", 3, 0, 36.0, 219.1},
                                         Case{"f32", 1e38, 2e-38, 43.0, 226.2}, Case{"f32", 2e-38, 1e38, 45.0, 252.9},
                                         Case{"f32", 3, 1e38, 40.0, 209.4}, Case{"f64", 0, 3, 61.0, 300.8},
                                         Case{"f64", 3, 0, 53.0, 267.1}, Case{"f64", 3e-308, 1e308, 64.0, 282.3}));

TEST(SlowPaths, one_thread_lets_its_warp_wait_and_goes_alone) {
  const Taken usual = run("f32", 1.5, 3, 0), one = run("f32", 0, 3, 1), all = run("f32", 0, 3, 32);
  EXPECT_EQ(one.instructions, all.instructions);
  EXPECT_EQ(one.cycles, all.cycles);
  EXPECT_EQ(one.threads - usual.threads, one.instructions - usual.instructions);
  EXPECT_EQ(all.threads - usual.threads, 32 * (all.instructions - usual.instructions));
}

}  // namespace
}  // namespace heddle::test
