// Faults inside kernels: what happened, who did it, where, and what lies there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

// Thread i of block b accesses data + offset + stride * i.
constexpr std::string_view kAccess = R"(
.visible .entry k(.param .u64 data, .param .u64 stride, .param .u64 offset) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [stride];
  ld.param.u64 %rd3, [offset];
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd4, %r1;
  mad.lo.u64 %rd5, %rd4, %rd2, %rd1;
  add.u64 %rd5, %rd5, %rd3;
  OPERATION;
  ret;
})";

std::string access_with(std::string_view operation) {
  std::string text(kAccess);
  text.replace(text.find("OPERATION"), 9, operation);
  return text;
}

std::string fault(std::string_view operation, uint64_t stride, uint64_t offset, unsigned threads,
                  std::string_view mechanism = "pdom") {
  SmallGpu gpu(access_with(operation), {}, mechanism);
  Buffer<uint32_t> data(gpu, 64, "numbers");
  return error_of(ExitCode::Fault, [&] {
    gpu.launch("k", {{2}, {threads}}, Arguments(data.address(), stride, offset));
  });
}

TEST(Fault, out_of_bounds_names_address_allocation_thread_and_line) {
  SmallGpu gpu(access_with("ld.global.u32 %r2, [%rd5]"));
  Buffer<uint32_t> data(gpu, 64, "numbers");
  const std::string text = error_of(ExitCode::Fault, [&] {
    gpu.launch("k", {{2}, {128}}, Arguments(data.address(), uint64_t{4}, uint64_t{0}));
  });
  EXPECT_EQ(
      text,
      fmt::format("out-of-bounds load of 4 bytes at {0:#x}: 0 bytes past the end of 'numbers' (256 bytes at {1:#x})\n"
                  "  in kernel k, block (0,0,0), thread (64,0,0)\n"
                  "  at test.ptx:15:3: ld.global.u32 %r2, [%rd5];",
                  data.address() + 256, data.address()));
}

TEST(Fault, out_of_bounds_is_found_under_every_mechanism) {
  for (const MechanismRow& mechanism : mechanisms()) {
    const std::string text = fault("st.global.u32 [%rd5+4], %r1", 4, 0, 64, mechanism.name);
    EXPECT_EQ(text.find("out-of-bounds store of 4 bytes at "), 0U) << mechanism.name << ": " << text;
    EXPECT_NE(text.find("thread (63,0,0)"), std::string::npos) << mechanism.name << ": " << text;
  }
}

TEST(Fault, an_access_half_inside_is_outside) {
  EXPECT_EQ(fault("ld.global.v4.u32 {%r1, %r2, %r3, %r1}, [%rd5]", 0, 256, 1).find("out-of-bounds load of 16 bytes"),
            0U);
  EXPECT_NE(fault("atom.global.add.u32 %r2, [%rd5], 1", 0, uint64_t{0} - 4, 1).find("4 bytes before 'numbers'"),
            std::string::npos);
}

TEST(Fault, misaligned_names_address_and_size) {
  SmallGpu gpu(access_with("st.global.u32 [%rd5], %r1"));
  Buffer<uint32_t> data(gpu, 64, "numbers");
  const std::string text = error_of(ExitCode::Fault, [&] {
    gpu.launch("k", {{1}, {32}}, Arguments(data.address(), uint64_t{4}, uint64_t{2}));
  });
  EXPECT_EQ(text, fmt::format("misaligned store of 4 bytes at {:#x}\n  in kernel k, block (0,0,0), thread (0,0,0)\n  "
                              "at test.ptx:15:3: st.global.u32 [%rd5], %r1;",
                              data.address() + 2));
}

TEST(Fault, a_vector_must_be_aligned_as_a_whole) {
  EXPECT_EQ(fault("ld.global.v2.u32 {%r1, %r2}, [%rd5]", 4, 0, 2).find("misaligned load of 8 bytes"), 0U);
}

TEST(Fault, use_after_free_says_that_it_was_freed) {
  SmallGpu gpu(access_with("ld.global.u32 %r2, [%rd5]"));
  Buffer<uint32_t> data(gpu, 64, "numbers");
  gpu.launch("k", {{1}, {32}}, Arguments(data.address(), uint64_t{4}, uint64_t{0}));
  gpu.free(data.address());
  const std::string text = error_of(ExitCode::Fault, [&] {
    gpu.launch("k", {{1}, {32}}, Arguments(data.address(), uint64_t{4}, uint64_t{0}));
  });
  EXPECT_EQ(text.find(fmt::format(
                "out-of-bounds load of 4 bytes at {0:#x}: 0 bytes into 'numbers' (256 bytes at {0:#x}, freed)",
                data.address())),
            0U)
      << text;
}

TEST(Fault, an_address_inside_no_allocation_says_what_is_nearest) {
  EXPECT_NE(fault("ld.u32 %r2, [16]", 0, 0, 1).find("out-of-bounds load of 4 bytes at 0x10: "), std::string::npos);
}

TEST(Fault, inactive_threads_may_hold_bad_addresses) {
  SmallGpu gpu(R"(
.visible .entry k(.param .u64 data) {
  .reg .pred %p;
  .reg .b32 %r;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r, %tid.x;
  mul.wide.u32 %rd2, %r, 4;
  add.u64 %rd1, %rd1, %rd2;
  setp.lt.u32 %p, %r, 64;
  @%p st.global.u32 [%rd1], %r;
  ret;
})");
  Buffer<uint32_t> data(gpu, 64, "numbers");
  EXPECT_NO_THROW(gpu.launch("k", {{1}, {100}}, Arguments(data.address())));
  EXPECT_EQ(data.download()[63], 63U);
}

TEST(Fault, outside_of_shared_memory_says_how_much_there_is) {
  const std::string text = fault("ld.shared.u32 %r2, [1024]", 0, 0, 1);
  EXPECT_EQ(text.find("out-of-bounds load of 4 bytes at 0x400: the block has 0 bytes of shared memory\n"), 0U) << text;
}

constexpr std::string_view kTrap = R"(
.visible .entry k() {
  .reg .pred %p;
  .reg .b32 %r;
  mov.u32 %r, %tid.x;
  setp.eq.u32 %p, %r, 40;
  @%p trap;
  ret;
})";

TEST(Fault, a_guarded_trap_stops_only_if_some_thread_executes_it) {
  SmallGpu gpu(kTrap);
  EXPECT_NO_THROW(gpu.launch("k", {{1}, {40}}, Arguments()));
  EXPECT_EQ(error_of(ExitCode::Fault,
                     [&] {
                       gpu.launch("k", {{1}, {64}}, Arguments());
                     }),
            "trap\n  in kernel k, block (0,0,0), thread (40,0,0)\n  at test.ptx:10:7: @%p trap;");
}

constexpr std::string_view kEndless = R"(
.func f(.param .b32 n) {
  .local .align 4 .b8 room[1000];
  .reg .b32 %r;
  .reg .b64 %x;
  mov.u64 %x, room;
  ld.param.b32 %r, [n];
  add.u32 %r, %r, 1;
  st.local.u32 [%x], %r;
  { .param .b32 a; st.param.b32 [a], %r; call.uni f, (a); }
  ret;
}
.visible .entry k() {
  { .param .b32 a; st.param.b32 [a], 0; call.uni f, (a); }
  ret;
})";

TEST(Fault, recursion_without_end_is_a_stack_overflow_with_its_depth) {
  const std::string text = error_of(ExitCode::Fault, [] { SmallGpu(kEndless).launch("k", {{1}, {1}}, Arguments()); });
  EXPECT_EQ(text.find("stack overflow: 25"), 0U) << text;  // 262144 / 1024 = 256 frames
  EXPECT_NE(text.find("calls deep, 262144 bytes of local memory"), std::string::npos) << text;
}

TEST(Fault, a_table_branch_beyond_its_table_is_named) {
  const std::string text = error_of(ExitCode::Fault, [] {
    SmallGpu(R"(
.visible .entry k() {
  .reg .b32 %r;
  mov.u32 %r, %tid.x;
  T: .branchtargets A, B;
  brx.idx %r, T;
A:
B:
  ret;
})")
        .launch("k", {{1}, {3}}, Arguments());
  });
  EXPECT_EQ(text.find("brx.idx: index 2 of a table of 2\n  in kernel k, block (0,0,0), thread (2,0,0)"), 0U) << text;
}

TEST(Fault, an_indirect_call_of_no_function_is_named) {
  const std::string text = error_of(ExitCode::Fault, [] {
    SmallGpu(R"(
.visible .entry k() {
  .reg .b64 %rd;
  mov.u64 %rd, 64;
  P: .callprototype _ ();
  call %rd, (), P;
  ret;
})")
        .launch("k", {{1}, {1}}, Arguments());
  });
  EXPECT_EQ(text.find("indirect call of 0x40, which is no function"), 0U) << text;
}

}  // namespace
}  // namespace heddle::test
