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
              std::string_view test = "setp.lt.s32 %p1, %r2, %r1;", std::string_view before = "",
              std::string_view first = "%tid.x") {
  const auto kernel = machine_code_of(fmt::format(R"(
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [number];
    mov.u32 %r2, {};
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
                                                  first, before, body, step, test),
                                      unrolling());
  size_t found = 0;
  for (Pc pc = 0; pc < kernel->code.size(); ++pc) found += kernel->text(pc).ends_with("// copy");
  return found;
}

size_t copies_of_known(std::string_view body, unsigned trips) {
  return copies(body, "add.s32 %r2, %r2, 3;", fmt::format("setp.ne.s32 %p1, %r2, {};", 3 * trips - 6), "", "-6");
}

constexpr size_t kUnrolled = 4 + 2 + 1;
constexpr std::string_view kFma = "fma.rn.f32 %f1, %f1, %f2, %f2;\n";
constexpr std::string_view kLoad = "ld.global.f32 %f3, [%rd1]; add.s64 %rd1, %rd1, 4;\n";
constexpr std::string_view kShuffle = "shfl.sync.bfly.b32 %f1, %f1, 1, 31, -1;\n";
constexpr std::string_view kBarrier = "bar.sync 0;\n";
constexpr std::string_view kShared = "ld.shared.f32 %f4, [%r4]; add.s32 %r4, %r4, 32;\n";

TEST(Unroll, four_trips_at_once_then_two_then_one) {
  EXPECT_EQ(copies(kFma), kUnrolled);
  EXPECT_EQ(copies(kLoad), kUnrolled);
  EXPECT_EQ(copies("st.global.f32 [%rd1], %f1; add.s64 %rd1, %rd1, 4;"), kUnrolled);
  EXPECT_EQ(copies(kShuffle), kUnrolled);
  EXPECT_EQ(copies(kBarrier), kUnrolled);
}

// With the `neg` of each trip. ptxas: 18 and 19 of fma alone, 44 and 45 with a load and its address, 21 and 22 with one
// from shared memory, 9 and 10 stores of one address, 7 and 8 beside an atomic, 16 and 17 beside two barriers or
// shuffles; with loads from both, 45 and 46 sums of words of shared memory.
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
  for (const std::string_view waits : {kShuffle, kBarrier}) {
    EXPECT_EQ(copies(repeated(2, waits) + repeated(15, kFma)), kUnrolled) << waits;
    EXPECT_EQ(copies(repeated(2, waits) + repeated(16, kFma)), 1u) << waits;
  }
  const std::string load_and_sum = std::string(kLoad) + "add.f32 %f1, %f1, %f3; add.s32 %r4, %r4, 32;";
  const std::string_view sum = "ld.shared.f32 %f{1}, [%r4]; add.f32 %f1, %f1, %f{1};";
  EXPECT_EQ(copies(load_and_sum + repeated(45, sum)), kUnrolled);
  EXPECT_EQ(copies(load_and_sum + repeated(46, sum)), 1u);
}

// As many copies as ptxas made of loops of so many instructions (with the `neg`) and trips.
TEST(Unroll, known_trips_as_many_at_once_as_leave_few) {
  const auto made = [](unsigned size, unsigned trips) { return copies_of_known(repeated(size - 1, kFma), trips); };
  for (const unsigned trips : {1u, 2u, 3u, 5u, 7u, 31u}) EXPECT_EQ(made(12, trips), trips) << "no loop is left";
  EXPECT_EQ(made(93, 4), 4u);
  EXPECT_EQ(made(3, 1000), 111u + 1) << "1000 are 111 nine times, and one";
  EXPECT_EQ(made(12, 1000), 27u + 1);
  EXPECT_EQ(made(21, 1000), 12u + 4);
  EXPECT_EQ(made(22, 1000), 10u);
  EXPECT_EQ(made(25, 64), 10u + 4);
  EXPECT_EQ(made(26, 64), 9u + 1);
  EXPECT_EQ(made(71, 1001), 2u + 1);
  EXPECT_EQ(made(72, 1000), 4u);
  EXPECT_EQ(made(73, 1000), 1u);
}

TEST(Unroll, trips_are_known_where_the_last_count_before_the_loop_is_a_number) {
  const auto made = [](std::string_view first, std::string_view before_loop) {
    const auto kernel = machine_code_of(fmt::format(R"(
      ld.param.u32 %r1, [number];
      ld.param.u64 %rd1, [in];
      mov.u32 %r2, {};
      mov.f32 %f1, 0f3F800000;
      setp.eq.u32 %p2, %r1, 0;
      {}
    LOOP:
      ex2.approx.ftz.f32 %f1, %f1;
      add.s32 %r2, %r2, 1;
      setp.lt.s32 %p1, %r2, 5;
      @%p1 bra LOOP;
      st.global.f32 [%rd1], %f1;
    END:
      ret;)",
                                                    first, before_loop),
                                        unrolling());
    return std::count_if(kernel->code.begin(), kernel->code.end(),
                         [](const Instruction& i) { return i.op == Op::Ex2; });
  };
  EXPECT_EQ(made("0", ""), 5);
  EXPECT_EQ(made("0", "@%p2 bra END; mov.u32 %r3, 1;"), 5) << "two blocks above";
  EXPECT_EQ(made("%r1", "mov.u32 %r2, 2;"), 3) << "the nearest";
  EXPECT_EQ(made("%r1", ""), 7);
  EXPECT_EQ(made("0", "@%p2 mov.u32 %r2, 1;"), 7) << "some threads begin elsewhere";
  EXPECT_EQ(made("0", "@%p2 bra LOOP; add.s32 %r2, %r2, 1; bar.sync 0; add.s32 %r3, %r2, %r1; bar.sync 1;"), 7);
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
    mov.u32 %r2, %tid.x;
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

// `known`: the first count and the bound stand in the text.
std::string kernel_that(const Counting& each, bool known = false) {
  const bool wide = each.type.ends_with("64");
  const auto number = [&](uint64_t value) { return wide ? std::to_string(value) : fmt::format("{}", int32_t(value)); };
  return fmt::format(
      R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 first, .param .u64 bound) {{
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.{0} {1}2, [first];
  ld.param.{0} {1}3, [bound];
  {5}
  mov.u32 %r7, 0;
  mov.u32 %r6, 1;
L:
  mad.lo.u32 %r6, %r6, 3, %r7;
  add.u32 %r7, %r7, 1;
  setp.gt.u32 %p3, %r6, 1000000;
  @%p3 sub.u32 %r6, %r6, 1000000;
  add.s{4} {1}2, {1}2, {2};
  setp.{3}.{0} %p1, {1}2, {6};
  @%p1 bra L;
  st.global.u32 [%rd1], %r7;
  st.global.u32 [%rd1+4], %r6;
  st.global.{0} [%rd1+8], {1}2;
  ret;
}})",
      each.type, wide ? "%rd" : "%r", each.step, each.compare, wide ? 64 : 32,
      known ? fmt::format("mov.b{} {}, {};", wide ? 64 : 32, wide ? "%rd2" : "%r2", number(each.first)) : "",
      known  ? number(each.bound)
      : wide ? "%rd3"
             : "%r3");
}

std::vector<uint32_t> left_by(const Counting& each, bool unrolled, bool known = false) {
  Gpu gpu(make_config("default", {}), {});
  const auto program = Program::load(std::make_shared<ptx::Source>("count.ptx", kernel_that(each, known)));
  gpu.load(unrolled ? program->as_machine_code(unrolling()) : program);
  Buffer<uint32_t> out(gpu, 4, "out");
  gpu.launch("k", {{1}, {1}}, Arguments(out.address(), each.first, each.bound));
  return out.download();
}

size_t trips_in(const Counting& each, bool known = false) {
  const auto program = Program::load(std::make_shared<ptx::Source>("count.ptx", kernel_that(each, known)));
  const auto kernel = program->as_machine_code(unrolling())->kernel("k");
  return static_cast<size_t>(
      std::count_if(kernel->code.begin(), kernel->code.end(), [](const Instruction& i) { return i.op == Op::Mad; }));
}

std::vector<Counting> near_the_ends() {
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
  return all;
}

std::string in_words(const Counting& each) {
  return fmt::format("{} {} {} from {} to {}", each.type, each.compare, each.step, each.first, each.bound);
}

TEST(Unroll, bounds_near_the_ends_of_the_numbers_are_met_as_before) {
  for (const Counting& each : near_the_ends()) {
    EXPECT_EQ(left_by(each, true), left_by(each, false)) << in_words(each);
    EXPECT_EQ(trips_in(each), kUnrolled) << in_words(each);
  }
}

TEST(Unroll, known_trips_are_as_many_as_before) {
  std::vector<Counting> all = near_the_ends();
  for (uint64_t trips = 90; trips < 130; ++trips) {
    all.push_back({"s32", "lt", 3, 0, 3 * trips - 1});
    all.push_back({"s32", "ge", -1, 1, 2 - trips});
    all.push_back({"u32", "ne", 4, 8, 4 * trips + 8});
    all.push_back({"u64", "le", 5, 1, 5 * trips});
  }
  for (const Counting& each : all) EXPECT_EQ(left_by(each, true, true), left_by(each, false)) << in_words(each);
  for (const Counting& each :
       {Counting{"s32", "ge", -1, 5, 0}, Counting{"u64", "le", 1, 1, 6}, Counting{"s32", "ne", 3, 0, 18}})
    EXPECT_EQ(trips_in(each, true), 6u) << in_words(each);
  EXPECT_EQ(trips_in({"u32", "gt", -3, 8, 0}, true), kUnrolled) << "it comes to the other end of the numbers";
}

}  // namespace
}  // namespace heddle::test::unroll_test
