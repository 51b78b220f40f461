// Which loops do several trips at once: those that the assembler unrolls (program/machine/unroll.h), asked of ptxas 13
// for sm_90 with loops like these of all sizes. That results stay the same is held here by bounds near the ends of the
// numbers, and by tests/workloads/machine_code_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/gpu.h"
#include "program/machine/lowered.h"

namespace heddle::test::unroll_test {
namespace {

CodeOptions unrolling() {
  CodeOptions options;
  options.unroll = true;
  return options;
}

std::string repeated(unsigned count, std::string_view what) {
  std::string all;
  for (unsigned i = 0; i < count; ++i) all += fmt::format(fmt::runtime(what), 4 * i, i % 4);
  return all;
}

// How many copies of a trip there are.
size_t copies(std::string_view body, std::string_view step = "add.s32 %r2, %r2, 1;",
              std::string_view test = "setp.lt.s32 %p1, %r2, %r1;", std::string_view before = "") {
  const auto kernel = machine_code_of(fmt::format(R"(
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [number];
    mov.u32 %r2, %tid.x;
    mov.u32 %r4, room;
    mov.f32 %f1, 0f3F800000;
    mov.f32 %f2, %f1;
  LOOP:
    {}
    {}
    neg.f32 %f1, %f1; // copy
    {}
    {}
    @%p1 bra LOOP;
  END:
    st.global.f32 [%rd1], %f1;
    st.global.u32 [%rd1+4], %r2;
    ret;)",
                                                  before, body, step, test),
                                      unrolling());
  size_t found = 0;
  for (Pc pc = 0; pc < kernel->code.size(); ++pc) found += kernel->text(pc).ends_with("// copy");
  return found;
}

constexpr size_t kUnrolled = 4 + 2 + 1;
constexpr std::string_view kFma = "fma.rn.f32 %f1, %f1, %f2, %f2;\n";
constexpr std::string_view kLoad = "ld.global.f32 %f3, [%rd1]; add.s64 %rd1, %rd1, 4;\n";
constexpr std::string_view kShared = "ld.shared.f32 %f4, [%r4]; add.s32 %r4, %r4, 32;\n";

TEST(Unroll, four_trips_at_once_then_two_then_one) {
  EXPECT_EQ(copies(kFma), kUnrolled);
  EXPECT_EQ(copies(kLoad), kUnrolled);
  EXPECT_EQ(copies("st.global.f32 [%rd1], %f1; add.s64 %rd1, %rd1, 4;"), kUnrolled);
}

// With the `neg` of each trip. ptxas: 18 and 19 of fma alone, 44 and 45 with a load and its address, 21 and 22 with one
// from shared memory, 9 and 10 stores of one address, 7 and 8 beside an atomic.
TEST(Unroll, those_that_are_short) {
  EXPECT_EQ(copies(repeated(17, kFma)), kUnrolled);
  EXPECT_EQ(copies(repeated(18, kFma)), 1u);
  EXPECT_EQ(copies(std::string(kLoad) + repeated(43, kFma)), kUnrolled);
  EXPECT_EQ(copies(std::string(kLoad) + repeated(44, kFma)), 1u);
  EXPECT_EQ(copies(std::string(kShared) + repeated(20, kFma)), kUnrolled);
  EXPECT_EQ(copies(std::string(kShared) + repeated(21, kFma)), 1u);
  EXPECT_EQ(copies(repeated(9, "st.global.f32 [%rd1+{}], %f2;")), kUnrolled);
  EXPECT_EQ(copies(repeated(10, "st.global.f32 [%rd1+{}], %f2;")), 1u);
  EXPECT_EQ(copies("red.global.add.u32 [%rd1], 1;" + repeated(6, kFma)), kUnrolled);
  EXPECT_EQ(copies("red.global.add.u32 [%rd1], 1;" + repeated(7, kFma)), 1u);
}

TEST(Unroll, those_that_count_to_a_bound) {
  EXPECT_EQ(copies(kFma, "add.s32 %r2, %r2, 256;", "setp.le.u32 %p1, %r2, %r1;"), kUnrolled);
  EXPECT_EQ(copies(kFma, "add.s32 %r2, %r2, -1;", "setp.gt.s32 %p1, %r2, %r1;"), kUnrolled);
  EXPECT_EQ(copies(kFma, "sub.s32 %r2, %r2, 4;", "setp.ne.s32 %p1, %r2, 0;"), kUnrolled);
  EXPECT_EQ(copies(kFma, "add.s32 %r3, %r2, 1;", "setp.lt.s32 %p1, %r3, %r1; mov.u32 %r2, %r3;"), kUnrolled);
  EXPECT_EQ(copies(kFma, "add.s32 %r2, %r2, %r1;"), 1u) << "no number";
  EXPECT_EQ(copies(kFma, "add.s32 %r2, %r2, 1;", "setp.gt.s32 %p1, %r2, %r1;"), 1u) << "counts away from it";
  EXPECT_EQ(copies(kFma, "add.s32 %r2, %r2, 1;", "add.s32 %r1, %r1, %r2; setp.lt.s32 %p1, %r2, %r1;"), 1u);
  EXPECT_EQ(copies("ld.global.u32 %r2, [%rd1];"), 1u) << "the next count comes from memory";
}

TEST(Unroll, none_that_wait_leave_in_the_middle_or_are_to_stay) {
  EXPECT_EQ(copies("membar.gl;"), 1u);
  EXPECT_EQ(copies("div.s32 %r3, %r2, %r1;"), 1u);
  EXPECT_EQ(copies("setp.gt.f32 %p2, %f1, %f2; @%p2 bra END;"), 1u);
  EXPECT_EQ(copies(kFma, "add.s32 %r2, %r2, 1;", "setp.lt.s32 %p1, %r2, %r1;", ".pragma \"nounroll\";"), 1u);
  EXPECT_EQ(copies("add.f32 %f1, %f1, %f5;", "add.s32 %r2, %r2, 1;", "setp.lt.s32 %p1, %r2, %r1;",
                   ".pragma \"nounroll\"; ld.global.f32 %f5, [%rd1];"),
            1u)
      << "though what it began with is done before it";
}

// Copies of loads do not wait for each other's addresses or counts.
TEST(Unroll, copies_load_from_one_address) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    mov.u64 %rd2, %rd1;
    mov.u32 %r2, 0;
    mov.f32 %f1, 0f00000000;
  LOOP:
    ld.global.f32 %f3, [%rd2];
    add.f32 %f1, %f1, %f3;
    add.s64 %rd2, %rd2, 4;
    add.s32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 1000;
    @%p1 bra LOOP;
    st.global.f32 [%rd1], %f1;
    ret;)",
                                      unrolling());
  std::vector<int64_t> offsets;
  for (const Instruction& each : kernel->code)
    if (each.op == Op::Ld && each.space == Space::Global) offsets.push_back(each.displacement);
  EXPECT_EQ(offsets, (std::vector<int64_t>{0, 4, 8, 12, 0, 4, 0}));
}

// ---- what they compute

struct Counting {
  std::string type, compare;
  int64_t step;
  uint64_t first, bound;
};

std::string kernel_that(const Counting& each) {
  const bool wide = each.type.ends_with("64");
  return fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 first, .param .u64 bound) {{
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.{0} {1}2, [first];
  ld.param.{0} {1}3, [bound];
  mov.u32 %r7, 0;
  mov.u32 %r6, 1;
L:
  mad.lo.u32 %r6, %r6, 3, %r7;
  add.u32 %r7, %r7, 1;
  setp.gt.u32 %p3, %r6, 1000000;
  @%p3 sub.u32 %r6, %r6, 1000000;
  add.s{4} {1}2, {1}2, {2};
  setp.{3}.{0} %p1, {1}2, {1}3;
  @%p1 bra L;
  st.global.u32 [%rd1], %r7;
  st.global.u32 [%rd1+4], %r6;
  st.global.{0} [%rd1+8], {1}2;
  ret;
}})",
                     each.type, wide ? "%rd" : "%r", each.step, each.compare, wide ? 64 : 32);
}

std::vector<uint32_t> left_by(const Counting& each, bool unrolled) {
  Gpu gpu(make_config("default", {}), {});
  const auto program = Program::load(std::make_shared<ptx::Source>("count.ptx", kernel_that(each)));
  gpu.load(unrolled ? program->as_machine_code(unrolling()) : program);
  Buffer<uint32_t> out(gpu, 4, "out");
  gpu.launch("k", {{1}, {1}}, Arguments(out.address(), each.first, each.bound));
  return out.download();
}

size_t trips_in(const Counting& each) {
  const auto program = Program::load(std::make_shared<ptx::Source>("count.ptx", kernel_that(each)));
  const auto kernel = program->as_machine_code(unrolling())->kernel("k");
  return static_cast<size_t>(
      std::count_if(kernel->code.begin(), kernel->code.end(), [](const Instruction& i) { return i.op == Op::Mad; }));
}

TEST(Unroll, bounds_near_the_ends_of_the_numbers_are_met_as_before) {
  constexpr uint64_t kMax = 0x7fffffff, kMin = 0xffffffff80000000, kAll = 0xffffffff, kAll64 = ~uint64_t{0};
  std::vector<Counting> all;
  for (uint64_t trips = 0; trips < 14; ++trips) {
    all.push_back({"s32", "lt", 1, 0, trips});
    all.push_back({"s32", "lt", 3, kMin, kMin + trips});
    all.push_back({"s32", "le", 1, kMax - 14, kMax - 1 - trips});
    all.push_back({"s32", "gt", -2, 20, 20 - 2 * trips});
    all.push_back({"s32", "ge", -1, kMin + 14, kMin + 1 + trips});
    all.push_back({"u32", "lt", 256, 0, trips * 256 + 1});
    all.push_back({"u32", "lt", 5, kAll - 40, kAll - trips});
    all.push_back({"u32", "le", 7, 0, trips});
    all.push_back({"u32", "gt", -3, 40, 3 + trips});
    all.push_back({"u32", "ge", -1, 30, 1 + trips});
    all.push_back({"u32", "gt", -1, kAll, kAll - trips});
    all.push_back({"s32", "ne", 4, kAll - 11, 4 * trips - 8});
    all.push_back({"s32", "ne", -4, 4 * trips + 4, 0});
    all.push_back({"u64", "lt", 9, kAll64 - 200, kAll64 - 10 - trips});
    all.push_back({"s64", "gt", -1, 3, 0 - trips});
  }
  for (const Counting& each : all)
    EXPECT_EQ(left_by(each, true), left_by(each, false))
        << each.type << " " << each.compare << " " << each.step << " from " << each.first << " to " << each.bound;
  for (const Counting& each : all) EXPECT_EQ(trips_in(each), kUnrolled) << each.type << " " << each.compare;
}

}  // namespace
}  // namespace heddle::test::unroll_test
