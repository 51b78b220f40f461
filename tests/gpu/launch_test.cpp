// Launches that do not fit say why; arguments must fit the kernel.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kKernels = R"(
.visible .entry plain() { ret; }
.visible .entry limited() .maxntid 64, 2, 1 { ret; }
.visible .entry required() .reqntid 32, 2, 1 { ret; }
.visible .entry arguments(.param .u32 count, .param .u64 data) { ret; }
.visible .entry shared() { .shared .b8 room[1000]; .reg .b32 %r; ld.shared.u32 %r, [room]; ret; }
.extern .shared .b8 dynamic[];
.visible .entry registers() {
  .reg .b64 %rd<8>;
  mov.u64 %rd1, 1;
  mov.u64 %rd2, 2;
  mov.u64 %rd3, 3;
  add.u64 %rd1, %rd1, %rd2;
  add.u64 %rd1, %rd1, %rd3;
  st.local.u64 [0], %rd1;
  ret;
})";

std::string refusal(std::string_view kernel, Dim3 grid, Dim3 block, uint32_t shared = 0,
                    const std::vector<std::string>& set = {}) {
  return error_of(ExitCode::BadLaunch, [&] {
    SmallGpu(kKernels, set).launch(kernel, {grid, block, shared}, Arguments());
  });
}

TEST(Launch, runs_every_thread_of_every_block) {
  SmallGpu gpu(kKernels);
  gpu.launch("plain", {{3, 2, 2}, {7, 3, 2}}, Arguments());
  ASSERT_EQ(gpu.launches().size(), 1U);
  EXPECT_EQ(gpu.launches()[0].blocks, 12U);
  EXPECT_EQ(gpu.launches()[0].threads, 12U * 42U);
  EXPECT_EQ(gpu.launches()[0].thread_instructions, 12U * 42U);
}

TEST(Launch, of_no_size_is_refused) {
  EXPECT_EQ(refusal("plain", {0}, {32}), "launch of plain: a grid or block of no size");
  EXPECT_EQ(refusal("plain", {1}, {32, 0}), "launch of plain: a grid or block of no size");
}

TEST(Launch, beyond_the_limits_of_cuda_is_refused) {
  EXPECT_EQ(refusal("plain", {1}, {1025}), "launch of plain: 1025 threads in a block, at most 1024");
  EXPECT_EQ(refusal("plain", {1}, {1, 1, 65}), "launch of plain: a block of depth 65, at most 64");
  EXPECT_EQ(refusal("plain", {1, 65536}, {1}),
            "launch of plain: the grid is too large: at most 2147483647 x 65535 x 65535");
  EXPECT_NO_THROW(SmallGpu(kKernels).launch("plain", {{1}, {1024}}, Arguments()));
}

TEST(Launch, obeys_maxntid_and_reqntid) {
  EXPECT_EQ(refusal("limited", {1}, {129}),
            "launch of limited: 129 threads in a block, the kernel allows 128 (.maxntid)");
  EXPECT_EQ(refusal("required", {1}, {64}), "launch of required: the kernel requires blocks of 32x2x1 (.reqntid)");
  SmallGpu gpu(kKernels);
  EXPECT_NO_THROW(gpu.launch("limited", {{1}, {128}}, Arguments()));
  EXPECT_NO_THROW(gpu.launch("required", {{1}, {32, 2}}, Arguments()));
}

TEST(Launch, of_a_block_that_fits_no_core_names_what_is_missing) {
  EXPECT_EQ(refusal("plain", {1}, {96}, 0, {"core_threads=64"}),
            "a block of plain does not fit a core: 96 threads of 64 (core_threads)");
  EXPECT_EQ(refusal("shared", {1}, {32}, 25, {"core_shared=1024"}),
            "a block of shared does not fit a core: 1033 bytes of shared memory of 1024 (core_shared)");
  EXPECT_NO_THROW(SmallGpu(kKernels, {"core_shared=1024"}).launch("shared", {{1}, {32}, 16}, Arguments()));
  EXPECT_EQ(refusal("registers", {1}, {512}, 0, {"core_registers=1024"}),
            "a block of registers does not fit a core: 4096 registers, 8 per thread, of 1024 (core_registers)");
}

TEST(Launch, takes_as_many_arguments_as_the_kernel_has_parameters) {
  SmallGpu gpu(kKernels);
  const auto launch = [&](const Arguments& arguments) { gpu.launch("arguments", {{1}, {1}}, arguments); };
  EXPECT_EQ(error_of(ExitCode::BadLaunch, [&] { launch(Arguments(uint32_t{1})); }),
            "kernel arguments takes 2 arguments, 1 given");
  EXPECT_EQ(error_of(ExitCode::BadLaunch, [&] { launch(Arguments(uint32_t{1}, uint64_t{1}, 1)); }),
            "kernel arguments takes 2 arguments, 3 given");
  EXPECT_EQ(error_of(ExitCode::BadLaunch, [&] { launch(Arguments(uint32_t{1}, uint32_t{1})); }),
            "argument 1 of kernel arguments ('data') has 8 bytes, 4 given");
  EXPECT_NO_THROW(launch(Arguments(uint32_t{1}, uint64_t{1})));
}

TEST(Launch, of_an_unknown_kernel_names_the_nearest) {
  EXPECT_NE(error_of(ExitCode::BadProgram,
                     [] {
                       SmallGpu(kKernels).launch("plane", {{1}, {1}}, Arguments());
                     })
                .find("no kernel 'plane'; did you mean 'plain'"),
            std::string::npos);
}

TEST(Launch, of_an_unknown_mechanism_lists_the_known_ones) {
  const std::string text = error_of(ExitCode::Usage, [] { SmallGpu(kKernels, {}, "pdon"); });
  EXPECT_EQ(text.find("no mechanism 'pdon'; did you mean 'pdom'"), 0U) << text;
}

constexpr std::string_view kSpecials = R"(
.visible .entry where(.param .u64 out) {
  .reg .b32 %r<20>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %tid.z;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %ntid.y;
  mov.u32 %r6, %ctaid.x;
  mov.u32 %r7, %ctaid.y;
  mov.u32 %r8, %nctaid.x;
  mov.u32 %r15, %ntid.z;
  mad.lo.u32 %r9, %r3, %r5, %r2;
  mad.lo.u32 %r9, %r9, %r4, %r1;
  mad.lo.u32 %r10, %r7, %r8, %r6;
  mul.lo.u32 %r11, %r4, %r5;
  mul.lo.u32 %r11, %r11, %r15;
  mad.lo.u32 %r12, %r10, %r11, %r9;
  mul.wide.u32 %rd2, %r12, 16;
  add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r13, %laneid;
  mov.u32 %r14, %warpid;
  mov.u32 %r16, %lanemask_lt;
  st.global.v4.u32 [%rd1], {%r9, %r13, %r14, %r16};
  ret;
})";

TEST(Launch, numbers_threads_x_first_and_static_warps_have_32) {
  SmallGpu gpu(kSpecials, {"warp_size=4"});
  const unsigned threads = 5 * 3 * 4, blocks = 6;
  Buffer<std::array<uint32_t, 4>> out(gpu, threads * blocks, "out");
  gpu.launch("where", {{3, 2}, {5, 3, 4}}, Arguments(out.address()));
  const auto values = out.download();
  for (unsigned i = 0; i < threads * blocks; ++i) {
    const unsigned thread = i % threads, lane = thread % 32;
    EXPECT_EQ(values[i], (std::array<uint32_t, 4>{thread, lane, thread / 32, (1U << lane) - 1})) << i;
  }
}

}  // namespace
}  // namespace heddle::test
