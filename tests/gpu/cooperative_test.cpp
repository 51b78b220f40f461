// Cooperative launches: all blocks are resident, and grid.sync() of nvcc's cooperative groups works.
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gpu/small_gpu.h"
#include "support/oracle.h"

namespace heddle::test {
namespace {

// What nvcc 13 makes of: data[i] = 3 * i + 1; grid.sync(); data[n + i] = data[n - 1 - i];
constexpr std::string_view kGridSync = R"(
.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred 	%p<5>;
	.reg .b32 	%r<34>;
	.reg .b64 	%rd<15>;
	ld.param.u64 	%rd4, [k_param_0];
	cvta.to.global.u64 	%rd1, %rd4;
	mov.u32 %r6, %envreg2;
	cvt.u64.u32 	%rd5, %r6;
	mov.u32 %r7, %envreg1;
	cvt.u64.u32 	%rd6, %r7;
	bfi.b64 	%rd2, %rd6, %rd5, 32, 32;
	mov.u32 	%r1, %ntid.x;
	mov.u32 	%r2, %ctaid.x;
	mov.u32 	%r3, %tid.x;
	mad.lo.s32 	%r4, %r2, %r1, %r3;
	mad.lo.s32 	%r8, %r4, 3, 1;
	mul.wide.u32 	%rd7, %r4, 4;
	add.s64 	%rd8, %rd1, %rd7;
	st.global.u32 	[%rd8], %r8;
	setp.ne.s64 	%p1, %rd2, 0;
	@%p1 bra 	$L__BB0_2;
	trap;
$L__BB0_2:
	barrier.sync 	0;
	mov.u32 	%r9, %tid.y;
	add.s32 	%r10, %r3, %r9;
	mov.u32 	%r11, %tid.z;
	neg.s32 	%r12, %r11;
	setp.eq.s32 	%p2, %r10, %r12;
	@%p2 bra 	$L__BB0_3;
	bra.uni 	$L__BB0_5;
$L__BB0_3:
	add.s64 	%rd9, %rd2, 4;
	mov.u32 	%r15, %nctaid.x;
	mov.u32 	%r16, %nctaid.y;
	mul.lo.s32 	%r17, %r15, %r16;
	mov.u32 	%r18, %nctaid.z;
	mul.lo.s32 	%r19, %r17, %r18;
	mov.u32 	%r20, %ctaid.y;
	add.s32 	%r21, %r2, %r20;
	mov.u32 	%r22, %ctaid.z;
	neg.s32 	%r23, %r22;
	setp.eq.s32 	%p3, %r21, %r23;
	mov.u32 	%r24, -2147483647;
	sub.s32 	%r25, %r24, %r19;
	selp.b32 	%r14, %r25, 1, %p3;
	atom.add.release.gpu.u32 %r13,[%rd9],%r14;
$L__BB0_4:
	ld.acquire.gpu.u32 %r26,[%rd9];
	xor.b32  	%r27, %r26, %r13;
	setp.gt.s32 	%p4, %r27, -1;
	@%p4 bra 	$L__BB0_4;
$L__BB0_5:
	mov.u32 	%r28, %nctaid.x;
	barrier.sync 	0;
	mul.lo.s32 	%r29, %r28, %r1;
	not.b32 	%r30, %r4;
	add.s32 	%r31, %r29, %r30;
	mul.wide.u32 	%rd11, %r31, 4;
	add.s64 	%rd12, %rd1, %rd11;
	ld.global.u32 	%r32, [%rd12];
	add.s32 	%r33, %r4, %r29;
	mul.wide.u32 	%rd13, %r33, 4;
	add.s64 	%rd14, %rd1, %rd13;
	st.global.u32 	[%rd14], %r32;
	ret;
})";

void expect_reversed(Device& device, unsigned blocks, unsigned threads) {
  const uint32_t n = blocks * threads;
  Buffer<uint32_t> data(device, 2 * n, "data");
  device.launch("k", {{blocks}, {threads}, 0, true}, Arguments(data.address()));
  const auto values = data.download();
  for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(values[n + i], 3 * (n - 1 - i) + 1) << i;
}

TEST(Cooperative, grid_sync_lets_every_block_see_what_all_wrote_under_every_mechanism) {
  for (const MechanismRow& mechanism : mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    SmallGpu gpu(kGridSync, {}, mechanism.name);
    expect_reversed(gpu, 5, 70);
  }
}

TEST(Cooperative, blocks_are_resident_beyond_what_a_core_holds) {
  SmallGpu gpu(kGridSync, {"core_blocks=1", "core_threads=64"});
  expect_reversed(gpu, 20, 64);
}

// A warp that waits asks a few times, not for as long as it may run.
TEST(Cooperative, waiting_for_the_grid_takes_few_slots) {
  SmallGpu gpu(kGridSync);
  expect_reversed(gpu, 32, 32);
  EXPECT_LT(gpu.total().issue_slots, 32U * 100);
}

TEST(Cooperative, the_oracle_agrees) {
  oracle::OracleDevice device;
  device.load("test.ptx", with_header(kGridSync));
  expect_reversed(device, 5, 70);
}

TEST(Cooperative, an_ordinary_launch_has_no_workspace_and_traps) {
  SmallGpu gpu(kGridSync);
  Buffer<uint32_t> data(gpu, 128, "data");
  EXPECT_EQ(error_of(ExitCode::Fault,
                     [&] {
                       gpu.launch("k", {{1}, {64}}, Arguments(data.address()));
                     })
                .find("trap\n"),
            0U);
}

TEST(Cooperative, a_grid_that_does_not_fit_the_machine_is_refused) {
  SmallGpu gpu(kGridSync);
  EXPECT_EQ(error_of(ExitCode::BadLaunch,
                     [&] {
                       gpu.launch("k", {{65}, {1024}, 0, true}, Arguments(uint64_t{0}));
                     }),
            "a cooperative launch of 66560 threads does not fit: at most 65535");
}

}  // namespace
}  // namespace heddle::test
