// Device printf and assert, as nvcc calls them.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kPrint = R"(
.extern .func  (.param .b32 func_retval0) vprintf(.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.global .align 1 .b8 format[30] = {110, 61, 37, 100, 32, 102, 61, 37, 46, 50, 102, 32, 115, 61, 37, 115, 32, 120, 61, 37, 48, 52, 120, 32, 37, 37, 10, 0};
.global .align 1 .b8 text[5] = {116, 101, 120, 116, 0};
.visible .entry k(.param .u32 n, .param .u64 out) {
	.local .align 8 .b8 	depot[32];
	.reg .b64 	%SP, %SPL;
	.reg .pred 	%p<3>;
	.reg .b32 	%r<4>;
	.reg .f64 	%fd<3>;
	.reg .b64 	%rd<13>;
	mov.u64 	%SPL, depot;
	cvta.local.u64 	%SP, %SPL;
	ld.param.u32 	%r1, [n];
	mov.u32 	%r2, %tid.x;
	setp.ne.s32 	%p1, %r2, 1;
	@%p1 bra 	DONE;
	cvt.rn.f64.s32 	%fd1, %r1;
	mul.f64 	%fd2, %fd1, 0d3FF8000000000000;
	st.local.u32 	[%SPL], %r1;
	st.local.f64 	[%SPL+8], %fd2;
	mov.u64 	%rd3, text;
	cvta.global.u64 	%rd4, %rd3;
	st.local.u64 	[%SPL+16], %rd4;
	st.local.u32 	[%SPL+24], 171;
	mov.u64 	%rd5, format;
	cvta.global.u64 	%rd6, %rd5;
	{
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd6;
	.param .b64 param1;
	st.param.b64 	[param1+0], %SP;
	.param .b32 retval0;
	call.uni (retval0), vprintf, (param0, param1);
	ld.param.b32 	%r3, [retval0+0];
	}
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], %r3;
DONE:
	ret;
})";

TEST(Print, formats_as_c_does_for_the_threads_that_call_it) {
  SmallGpu gpu(kPrint);
  Buffer<uint32_t> out(gpu, 1, "out");
  testing::internal::CaptureStdout();
  gpu.launch("k", {{2}, {32}}, Arguments(int32_t{-3}, out.address()));
  std::fflush(stdout);
  const std::string once = "n=-3 f=-4.50 s=text x=00ab %\n";
  EXPECT_EQ(testing::internal::GetCapturedStdout(), once + once);
}

constexpr std::string_view kAssert = R"(
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 function[7] = {118, 111, 105, 100, 32, 112, 0};
.global .align 1 .b8 condition[6] = {110, 32, 62, 32, 48, 0};
.global .align 1 .b8 file[5] = {112, 46, 99, 117, 0};
.visible .entry k(.param .u32 n) {
	.reg .pred 	%p<3>;
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<13>;
	ld.param.u32 	%r1, [n];
	mov.u32 	%r2, %tid.x;
	setp.ge.s32 	%p2, %r1, %r2;
	@%p2 bra 	DONE;
	mov.u64 	%rd8, condition;
	mov.u64 	%rd10, file;
	mov.u64 	%rd12, function;
	{
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd8;
	.param .b64 param1;
	st.param.b64 	[param1+0], %rd10;
	.param .b32 param2;
	st.param.b32 	[param2+0], 5;
	.param .b64 param3;
	st.param.b64 	[param3+0], %rd12;
	.param .b64 param4;
	st.param.b64 	[param4+0], 1;
	call.uni __assertfail, (param0, param1, param2, param3, param4);
	}
DONE:
	ret;
})";

TEST(Assert, that_fails_names_condition_place_and_thread) {
  SmallGpu gpu(kAssert);
  const std::string text = error_of(ExitCode::Fault, [&] { gpu.launch("k", {{1}, {32}}, Arguments(int32_t{20})); });
  EXPECT_EQ(text.find("assertion `n > 0` failed in void p (p.cu:5)\n  in kernel k, block (0,0,0), thread (21,0,0)\n  "
                      "at test.ptx:31:"),
            0U)
      << text;
}

TEST(Assert, that_holds_for_all_says_nothing) {
  SmallGpu gpu(kAssert);
  EXPECT_NO_THROW(gpu.launch("k", {{1}, {32}}, Arguments(int32_t{31})));
}

}  // namespace
}  // namespace heddle::test
