// Reads of what nobody has written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/checked.h"

namespace heddle::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> unwritten(std::string_view body, unsigned threads = 32, std::string_view mechanism = "pdom") {
  return found_in("init", body, 1, threads, mechanism);
}

TEST(Init, shared_memory_must_be_written_before_it_is_read) {
  constexpr std::string_view body = R"(
  setp.ne.u32 %p1, %r1, 9;
  @%p1 st.shared.u32 [%r3], %r1;
  bar.sync 0;
  ld.shared.u32 %r4, [%r3];
)";
  EXPECT_THAT(unwritten(body), ElementsAre("unwritten-memory 4"));
  EXPECT_THAT(unwritten(body, 9), IsEmpty());
  EXPECT_THAT(unwritten(body, 32, "dwf"), ElementsAre("unwritten-memory 4"));
}

TEST(Init, names_the_thread_and_the_byte) {
  CheckedGpu gpu("init", R"(.visible .entry k() {
  .shared .align 4 .b8 room[256];
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  st.shared.u16 [%r2], %r1;
  ld.shared.u32 %r3, [%r2];
  ret;
})");
  gpu.launch("k", {{1}, {3}}, Arguments());
  ASSERT_EQ(gpu.findings().size(), 1U);
  EXPECT_EQ(gpu.findings().front().what, "shared memory, byte 0x0");
  EXPECT_EQ(gpu.findings().front().count, 3U);
  EXPECT_EQ(gpu.findings().front().accesses.front().thread, "block (0,0,0), thread (0,0,0)");
}

TEST(Init, the_shared_memory_of_the_block_before_counts_as_unwritten) {
  constexpr std::string_view body = R"(
  setp.ne.u32 %p1, %r2, 0;
  @!%p1 st.shared.u32 [%r3], %r1;
  ld.shared.u32 %r4, [%r3];
)";
  EXPECT_THAT(found_in("init", body, 300, 1024), ElementsAre("unwritten-memory 3"));
}

constexpr std::string_view kReadGlobal = R"(.visible .entry k(.param .u64 data) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r2, [%rd2];
  st.global.u32 [%rd2], %r2;
  ret;
})";

TEST(Init, global_memory_is_unwritten_until_the_host_or_a_kernel_writes_it) {
  CheckedGpu gpu("init", kReadGlobal);
  const Address data = gpu.allocate_unwritten(256, "numbers");
  const std::vector<uint32_t> zeros(32);
  gpu.write(data, zeros.data(), 128);
  gpu.launch("k", {{1}, {32}}, Arguments(data));
  EXPECT_THAT(gpu.findings(), IsEmpty());
  gpu.launch("k", {{1}, {33}}, Arguments(data));
  ASSERT_EQ(gpu.findings().size(), 1U);
  EXPECT_THAT(gpu.findings().front().what, HasSubstr("128 bytes into 'numbers'"));
  EXPECT_EQ(gpu.findings().front().count, 1U);
  gpu.launch("k", {{1}, {33}}, Arguments(data));  // now it is written
  EXPECT_EQ(gpu.findings().front().count, 1U);
}

TEST(Init, variables_and_what_is_zero_by_contract_are_written) {
  CheckedGpu gpu("init", R"(.global .align 4 .u32 counter;
.visible .entry k(.param .u64 data) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.global.u32 %r1, [counter];
  ld.global.u32 %r2, [%rd1];
  ret;
})");
  Buffer<uint32_t> data(gpu, 1, "zero");
  gpu.launch("k", {{1}, {32}}, Arguments(data.address()));
  EXPECT_THAT(gpu.findings(), IsEmpty());
}

TEST(Init, local_memory_is_each_threads_own) {
  constexpr std::string_view body = R"(
  .local .align 4 .b8 mine[64];
  setp.lt.u32 %p1, %r1, 5;
  @%p1 st.local.u32 [mine+8], %r1;
  ld.local.u32 %r4, [mine+8];
)";
  EXPECT_THAT(unwritten(body), ElementsAre("unwritten-memory 4"));
  EXPECT_THAT(unwritten(body, 5), IsEmpty());
}

constexpr std::string_view kCall = R"(.func (.param .b32 out) twice(.param .b32 in) {
  .local .align 4 .b8 mine[8];
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [in];
  st.local.u32 [mine], %r1;
  ld.local.u32 %r3, [mine+PLACE];
  add.u32 %r2, %r3, %r1;
  st.param.b32 [out], %r2;
  ret;
}
.visible .entry k() {
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x;
  {
  .param .b32 a;
  .param .b32 b;
  st.param.b32 [a], %r1;
  call.uni (b), twice, (a);
  ld.param.b32 %r2, [b];
  }
  ret;
})";

TEST(Init, a_called_function_finds_its_parameters_and_its_caller_the_result) {
  for (const auto& [place, found] : {std::pair{"0", 0U}, {"4", 1U}}) {
    std::string text(kCall);
    CheckedGpu gpu("init", text.replace(text.find("PLACE"), 5, place));
    gpu.launch("k", {{1}, {32}}, Arguments());
    EXPECT_EQ(gpu.findings().size(), found) << place;
  }
}

TEST(Init, a_register_that_only_some_have_written_is_reported_when_it_is_used) {
  constexpr std::string_view body = R"(
  setp.lt.u32 %p1, %r1, 5;
  @%p1 mov.u32 %r10, 7;
  mov.u32 %r11, %r10;
  add.u32 %r12, %r11, 1;
)";
  EXPECT_THAT(unwritten(body), ElementsAre("unwritten-register 4"));
  EXPECT_THAT(unwritten(body, 5), IsEmpty());
}

TEST(Init, copies_of_an_unwritten_register_that_nobody_uses_are_quiet) {
  constexpr std::string_view body = R"(
  setp.lt.u32 %p1, %r1, 5;
  @%p1 mov.u32 %r10, 7;
  selp.b32 %r11, %r10, 3, %p1;
  mov.u32 %r12, %r10;
  add.u32 %r13, %r11, 1;
)";
  EXPECT_THAT(unwritten(body), IsEmpty());
}

}  // namespace
}  // namespace heddle::test
