// Modules with addresses of 32 bits: all spaces, pointers in parameters and in variables, functions by address.
#include <gtest/gtest.h>

#include "base/address_map.h"
#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kShortHead = ".version 6.3\n.target sm_75\n.address_size 32\n";

class ShortGpu : public Gpu {
 public:
  explicit ShortGpu(std::string_view ptx, std::string_view head = kShortHead) : Gpu(make_config(), GpuOptions{}) {
    load("short.ptx", std::string(head) + std::string(ptx));
  }
};

// What 64 threads of kernel k(out) leave in out; %r1 is the thread, %r2 what it stores, %r0 where.
std::vector<uint32_t> stored_by(std::string_view declarations, std::string_view body,
                                std::string_view head = kShortHead) {
  ShortGpu gpu(std::string(declarations) + R"(
    .visible .entry k(.param .u32 out) {
      .reg .b32 %r<20>;
      .reg .pred %p<4>;
      ld.param.u32 %r0, [out];
      mov.u32 %r1, %tid.x;
      shl.b32 %r19, %r1, 2;
      add.u32 %r0, %r0, %r19;)" +
                   std::string(body) + R"(
      st.global.u32 [%r0], %r2;
      ret;
    })",
               head);
  const Buffer<uint32_t> out(gpu, 64, "out");
  gpu.launch("k", {{1}, {64}}, Arguments(out.address()));
  return out.download();
}

TEST(ShortAddresses, lie_below_4_gib_and_fit_parameters_of_4_bytes) {
  ShortGpu gpu(".visible .entry k(.param .u32 out) { ret; }");
  EXPECT_EQ(gpu.pointer_bytes(), 4U);
  const Address out = gpu.allocate(1U << 20, "out");
  EXPECT_GE(out, kLocalWindow + kWindowBytes);
  EXPECT_LT(out + (1U << 20), kShortEnd);
  gpu.launch("k", {{1}, {1}}, Arguments(out));
  EXPECT_THROW(gpu.allocate(size_t{1} << 32, "more than there is"), Error);
}

TEST(ShortAddresses, are_refused_as_arguments_where_they_are_long) {
  ShortGpu gpu(".visible .entry k(.param .u32 out) { ret; }");
  const std::string text = error_of(ExitCode::BadLaunch, [&] {
    gpu.launch("k", {{1}, {1}}, Arguments(uint64_t{1} << 32));
  });
  EXPECT_NE(text.find("has 4 bytes, 8 given"), std::string::npos) << text;
}

TEST(ShortAddresses, store_to_global_memory) {
  const auto stored = stored_by("", "add.u32 %r2, %r1, 7;");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], i + 7);
}

TEST(ShortAddresses, reach_shared_local_and_global_memory_as_generic_ones) {
  const auto stored = stored_by(".shared .align 4 .b32 common[64]; .global .align 4 .b32 far[64];", R"(
      .local .align 8 .b8 __local_depot0[16];
      mov.u32 %r3, __local_depot0;
      cvta.local.u32 %r4, %r3;
      st.u32 [%r4+4], %r1;
      cvta.local.u32 %r5, __local_depot0;
      ld.u32 %r6, [%r5+4];
      mov.u32 %r7, common;
      cvta.shared.u32 %r7, %r7;
      add.u32 %r7, %r7, %r19;
      st.u32 [%r7], %r6;
      cvta.to.shared.u32 %r8, %r7;
      ld.shared.u32 %r9, [%r8];
      mov.u32 %r10, far;
      cvta.global.u32 %r10, %r10;
      add.u32 %r10, %r10, %r19;
      st.u32 [%r10], %r9;
      ld.global.u32 %r11, [%r10];
      add.u32 %r2, %r11, 1000;)");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], i + 1000);
}

TEST(ShortAddresses, say_which_space_they_are_of) {
  const auto stored = stored_by(".shared .b32 common; .const .b32 fixed;", R"(
      .local .b32 own;
      mov.u32 %r2, 0;
      cvta.shared.u32 %r3, common;
      cvta.local.u32 %r4, own;
      cvta.const.u32 %r5, fixed;
      isspacep.shared %p0, %r3;
      @%p0 add.u32 %r2, %r2, 1;
      isspacep.local %p0, %r4;
      @%p0 add.u32 %r2, %r2, 2;
      isspacep.global %p0, %r0;
      @%p0 add.u32 %r2, %r2, 4;
      isspacep.const %p0, %r5;
      @%p0 add.u32 %r2, %r2, 8;
      isspacep.global %p0, %r4;
      @%p0 add.u32 %r2, %r2, 16;
      isspacep.shared %p0, %r0;
      @%p0 add.u32 %r2, %r2, 32;)");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], 15U);
}

// An index below zero is a large number that wraps.
TEST(ShortAddresses, wrap_at_32_bits) {
  const auto stored = stored_by("", R"(
      add.u32 %r3, %r0, -64;
      st.global.u32 [%r3+64], %r1;
      sub.u32 %r4, %r0, 0x80000000;
      sub.u32 %r4, %r4, 0x80000000;
      ld.global.u32 %r2, [%r4];
      mov.u32 %r5, %r0;
      add.u32 %r5, %r5, 0x7ffffffc;
      ld.global.u32 %r6, [%r5+-2147483644];
      sub.u32 %r7, 0, 16;
      sub.u32 %r8, %r0, %r7;
      ld.global.u32 %r9, [%r8+-16];
      add.u32 %r2, %r2, %r6;
      add.u32 %r2, %r2, %r9;)");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], 3 * i);
}

TEST(ShortAddresses, stand_in_variables) {
  const auto stored = stored_by(R"(
    .global .align 4 .b32 values[2] = {11, 22};
    .global .align 4 .u32 where[2] = {values, generic(values)+4};)",
                                R"(
      ld.global.u32 %r3, [where];
      ld.global.u32 %r4, [where+4];
      ld.global.u32 %r5, [%r3];
      ld.u32 %r6, [%r4];
      mad.lo.u32 %r2, %r5, 100, %r6;)");
  EXPECT_EQ(stored[5], 1122U);
}

// Frames of a function lie behind the caller's: its variables have other addresses than the kernel's.
TEST(ShortAddresses, of_local_variables_differ_between_a_kernel_and_what_it_calls) {
  const auto stored = stored_by(R"(
    .func (.param .b32 sum) add_up (.param .b32 where) {
      .reg .b32 %r<8>;
      .local .align 4 .b32 own[2];
      mov.u32 %r1, own;
      cvta.local.u32 %r2, own;
      st.local.u32 [%r1+4], 5;
      ld.param.b32 %r3, [where];
      ld.u32 %r4, [%r3];
      ld.u32 %r5, [%r2+4];
      add.u32 %r6, %r4, %r5;
      st.param.b32 [sum], %r6;
      ret;
    })",
                                R"(
      .local .align 4 .b32 mine[4];
      cvta.local.u32 %r3, mine;
      add.u32 %r3, %r3, 12;
      st.u32 [%r3], %r1;
      { .param .b32 a; st.param.b32 [a], %r3; .param .b32 r; call (r), add_up, (a); ld.param.b32 %r2, [r]; }
      ld.local.u32 %r4, [mine+12];
      mad.lo.u32 %r2, %r2, 100, %r4;)");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], (i + 5) * 100 + i);
}

TEST(ShortAddresses, of_functions_can_be_called) {
  const auto stored = stored_by(R"(
    .func (.param .b32 y) twice (.param .b32 x) {
      .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.u32 %r2, %r1, %r1; st.param.b32 [y], %r2; ret; }
    .func (.param .b32 y) next (.param .b32 x) {
      .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.u32 %r2, %r1, 1; st.param.b32 [y], %r2; ret; }
    .global .align 4 .u32 table[2] = {twice, next};)",
                                R"(
      and.b32 %r3, %r1, 1;
      shl.b32 %r3, %r3, 2;
      mov.u32 %r4, table;
      add.u32 %r4, %r4, %r3;
      ld.global.u32 %r5, [%r4];
      shape: .callprototype (.param .b32 _) _ (.param .b32 _);
      { .param .b32 a; st.param.b32 [a], %r1; .param .b32 r; call (r), %r5, (a), shape; ld.param.b32 %r2, [r]; }
      mov.u32 %r6, next;
      { .param .b32 a; st.param.b32 [a], %r2; .param .b32 r; call (r), %r6, (a), shape; ld.param.b32 %r2, [r]; })");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], (i % 2 == 0 ? 2 * i : i + 1) + 1);
}

TEST(ShortAddresses, are_what_malloc_gives) {
  const auto stored = stored_by(R"(
    .extern .func (.param .b32 r) malloc (.param .b32 size);
    .extern .func free (.param .b32 p);)",
                                R"(
      { .param .b32 a; st.param.b32 [a], 8; .param .b32 r; call.uni (r), malloc, (a); ld.param.b32 %r3, [r]; }
      st.u32 [%r3+4], %r1;
      ld.global.u32 %r2, [%r3+4];
      { .param .b32 a; st.param.b32 [a], %r3; call.uni free, (a); })");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], i);
}

// Pointers, long and size_t have 4 bytes in the buffer, long long has 8.
TEST(ShortAddresses, are_what_printf_takes) {
  ShortGpu gpu(R"(
    .extern .func (.param .b32 r) vprintf (.param .b32 format, .param .b32 buffer);
    .global .align 1 .b8 format[20] = {37, 115, 32, 37, 108, 100, 32, 37, 108, 108, 100, 32, 37, 122, 117, 10, 0};
    .global .align 1 .b8 word[3] = {104, 105, 0};
    .visible .entry k() {
      .reg .b32 %r<8>;
      .reg .b64 %rd<2>;
      .local .align 8 .b8 __local_depot0[32];
      mov.u32 %r1, __local_depot0;
      cvta.local.u32 %r2, %r1;
      mov.u32 %r3, word;
      cvta.global.u32 %r3, %r3;
      st.local.u32 [%r1], %r3;
      st.local.u32 [%r1+4], -5;
      st.local.u64 [%r1+8], 5000000000;
      st.local.u32 [%r1+16], 6;
      mov.u32 %r4, format;
      cvta.global.u32 %r4, %r4;
      { .param .b32 a; st.param.b32 [a], %r4; .param .b32 b; st.param.b32 [b], %r2; .param .b32 r;
        call.uni (r), vprintf, (a, b); }
      ret;
    })");
  testing::internal::CaptureStdout();
  gpu.launch("k", {{1}, {1}}, Arguments());
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hi -5 5000000000 6\n");
}

TEST(ShortAddresses, stand_in_a_struct_that_a_kernel_takes) {
  ShortGpu gpu(R"(
    .visible .entry k(.param .align 8 .b8 all[24]) {
      .reg .b32 %r<8>;
      .reg .f64 %d;
      ld.param.u32 %r1, [all];
      ld.param.u32 %r2, [all+16];
      ld.param.f64 %d, [all+8];
      cvt.rzi.u32.f64 %r3, %d;
      st.global.u32 [%r1], %r2;
      st.global.u32 [%r1+4], %r3;
      ret;
    })");
  const Buffer<uint32_t> out(gpu, 2, "out");
  gpu.launch("k", {{1}, {1}},
             Arguments(Struct(gpu.pointer_bytes()).pointer(out.address()).value(6.0).value(uint32_t{9})));
  EXPECT_EQ(out.download(), (std::vector<uint32_t>{9, 6}));
}

// Texts of 2009 do not say; what they do with their registers shows it.
TEST(ShortAddresses, need_not_be_announced) {
  const auto stored = stored_by("", "add.u32 %r2, %r1, 7;", ".version 1.4\n.target sm_10\n");
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(stored[i], i + 7);
}

TEST(ShortAddresses, come_too_late_when_memory_is_in_use) {
  Gpu gpu(make_config(), GpuOptions{});
  const Address early = gpu.allocate(16, "early");
  const std::string text = std::string(kShortHead) + ".visible .entry k() { ret; }";
  EXPECT_NE(error_of(ExitCode::BadProgram, [&] { gpu.load("short.ptx", text); })
                .find("load such a module before anything is allocated"),
            std::string::npos);
  gpu.free(early);
  gpu.load("short.ptx", text);
  gpu.load("long.ptx", with_header(".visible .entry l(.param .u64 p) { ret; }"));
  gpu.launch("l", {{1}, {1}}, Arguments(gpu.allocate(16, "late")));
}

}  // namespace
}  // namespace heddle::test
