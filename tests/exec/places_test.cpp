// Rows of loads, stores and atomics by where their lanes lie, held against the same done lane by lane here: parts of
// eight lanes on one place or one behind the other, parts that overlap, lanes that go their own ways, masks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "gpu/gpu.h"

namespace heddle::test {
namespace {

constexpr unsigned kWords = 256;  // of the memory that is loaded from and stored to

struct Pattern {
  const char* name;
  std::function<unsigned(unsigned)> word;  // of a lane
};

const Pattern kPatterns[] = {
    {"all one behind the other", [](unsigned lane) { return 5 + lane; }},
    {"up to the end", [](unsigned lane) { return kWords - 32 + lane; }},
    {"all on one place", [](unsigned) { return 77U; }},
    {"all on the last place", [](unsigned) { return kWords - 1; }},
    {"sixteen twice", [](unsigned lane) { return 40 + lane % 16; }},
    {"eight on a place", [](unsigned lane) { return 3 + lane / 8 * 20; }},
    {"sixteen on a place", [](unsigned lane) { return 9 - lane / 16; }},
    {"parts that overlap", [](unsigned lane) { return 100 - lane / 8 * 3 + lane % 8; }},
    {"one behind the other but for the last", [](unsigned lane) { return lane == 31 ? 3 : 60 + lane; }},
    {"one behind the other but for one inside", [](unsigned lane) { return lane == 12 ? 0 : 60 + lane; }},
    {"on one place but for one", [](unsigned lane) { return lane == 29 ? 0U : 61U; }},
    {"backwards", [](unsigned lane) { return 200 - lane; }},
    {"every second", [](unsigned lane) { return 10 + 2 * lane; }},
    {"scattered", [](unsigned lane) { return lane * 37 % kWords; }},
    {"scattered on a few", [](unsigned lane) { return lane * 11 % 5; }},
};
constexpr uint32_t kMasks[] = {0xffffffff, 0x0000ffff, 0xfffffffe, 0x80000001, 0x5a5aa5a5, 0x00000100};

// out: what each lane has loaded, then the memory as it is left. Lanes that are not in the mask load nothing. What may
// be done again is done twice: the first time nothing is known of where an instruction goes.
std::string kernel_for(const char* space, const char* act) {
  const bool shared = std::string_view(space) == "shared";
  return fmt::format(
      R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 words, .param .u32 mask, .param .u64 out) {{
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  .reg .pred %p<4>;
  .shared .align 16 .b8 inside[{bytes}];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [words];
  ld.param.u32 %r1, [mask];
  ld.param.u64 %rd3, [out];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, inside;
  mov.u32 %r4, 0;
FILL:
  shl.b32 %r5, %r4, 2;
  cvt.u64.u32 %rd4, %r5;
  add.u64 %rd5, %rd1, %rd4;
  ld.global.u32 %r6, [%rd5];
  add.u32 %r7, %r3, %r5;
  st.shared.u32 [%r7], %r6;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, {words};
  @%p1 bra FILL;
  mad.wide.u32 %rd6, %r2, 4, %rd2;
  ld.global.u32 %r8, [%rd6];
  shl.b32 %r9, %r8, 2;
  add.u32 %r10, %r3, %r9;
  mad.wide.u32 %rd7, %r8, 4, %rd1;
  mad.wide.u32 %rd8, %r2, 4, %rd3;
  shr.b32 %r11, %r1, %r2;
  and.b32 %r11, %r11, 1;
  setp.eq.u32 %p2, %r11, 0;
  @%p2 bra DONE;
  mov.u32 %r13, 0;
AGAIN:
  mov.u32 %r12, 9;
  {act}
  add.u32 %r13, %r13, 1;
  setp.lt.u32 %p3, %r13, {times};
  @%p3 bra AGAIN;
  st.global.u32 [%rd8], %r12;
DONE:
  mov.u32 %r4, 0;
COPY:
  shl.b32 %r5, %r4, 2;
  add.u32 %r7, %r3, %r5;
  cvt.u64.u32 %rd4, %r5;
  {left}
  add.u64 %rd10, %rd3, %rd4;
  st.global.u32 [%rd10+128], %r6;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, {words};
  @%p1 bra COPY;
  ret;
}})",
      fmt::arg("bytes", 4 * kWords), fmt::arg("words", kWords), fmt::arg("act", act),
      fmt::arg("times", std::string_view(act).starts_with("atom") ? 1 : 2),
      fmt::arg("left", shared ? "ld.shared.u32 %r6, [%r7];" : "add.u64 %rd9, %rd1, %rd4; ld.global.u32 %r6, [%rd9];"));
}

using Act = std::function<uint32_t(uint32_t& word, unsigned lane)>;

struct Case {
  const char *space, *act;
  Act expected;  // by one lane after another
};

uint32_t load(uint32_t& word, unsigned) { return word; }
uint32_t store(uint32_t& word, unsigned lane) {
  word = lane;
  return 9;
}
uint32_t add(uint32_t& word, unsigned lane) { return std::exchange(word, word + lane); }

const Case kCases[] = {
    {"shared", "ld.shared.u32 %r12, [%r10];", load},
    {"shared", "st.shared.u32 [%r10], %r2;", store},
    {"shared", "atom.shared.add.u32 %r12, [%r10], %r2;", add},
    {"global", "ld.global.u32 %r12, [%rd7];", load},
    {"global", "st.global.u32 [%rd7], %r2;", store},
    {"global", "atom.global.add.u32 %r12, [%rd7], %r2;", add},
};

class Places : public ::testing::TestWithParam<bool> {};

TEST_P(Places, of_any_pattern_and_mask_are_loaded_stored_and_added_to_lane_by_lane) {
  std::vector<uint32_t> before(kWords);
  std::iota(before.begin(), before.end(), 1000U);
  for (const Case& each : kCases) {
    GpuOptions options;
    options.timed = GetParam();
    Gpu gpu(make_config("default", {}), options);
    gpu.load("test.ptx", kernel_for(each.space, each.act));
    for (const Pattern& pattern : kPatterns)
      for (const uint32_t mask : kMasks) {
        std::vector<uint32_t> words(32), memory = before, expected(32 + kWords);
        for (unsigned lane = 0; lane < 32; ++lane) {
          words[lane] = pattern.word(lane);
          if ((mask >> lane & 1) != 0) expected[lane] = each.expected(memory[words[lane]], lane);
        }
        std::copy(memory.begin(), memory.end(), expected.begin() + 32);
        const Buffer<uint32_t> in(gpu, before, "in"), places(gpu, words, "words");
        Buffer<uint32_t> out(gpu, expected.size(), "out");
        gpu.launch("k", {{1}, {32}}, Arguments(in.address(), places.address(), mask, out.address()));
        EXPECT_EQ(out.download(), expected) << each.act << " " << pattern.name << fmt::format(" {:#x}", mask);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Emulation, Places, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(CycleLevel, Places, ::testing::Values(true));

TEST(PlacesOutside, are_the_fault_of_the_first_lane_that_is_there) {
  for (const Case& each : kCases) {
    Gpu gpu(make_config("default", {}), {});
    gpu.load("test.ptx", kernel_for(each.space, each.act));
    std::vector<uint32_t> words(32);
    std::iota(words.begin(), words.end(), kWords - 30);
    const Buffer<uint32_t> in(gpu, kWords, "in"), places(gpu, words, "words"), out(gpu, 32 + kWords, "out");
    try {
      gpu.launch("k", {{1}, {32}}, Arguments(in.address(), places.address(), ~0U, out.address()));
      ADD_FAILURE() << each.act << " goes through";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("thread (30,0,0)"), std::string::npos) << error.what();
    }
    // The lanes that would be outside do not act.
    gpu.launch("k", {{1}, {32}}, Arguments(in.address(), places.address(), 0x3fffffffU, out.address()));
  }
}

// Runs of lanes of every width, and from which each lane goes on: copy the elements that lie `skip` elements behind
// those of a thread's own number, twice, where the mask lets it.
template <class T>
void expect_copied(const char* type, const char* reg, const char* wide) {
  const std::string ptx = fmt::format(
      R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u32 skip, .param .u32 mask, .param .u64 out, .param .u64 widened) {{
  .reg .b32 %r<8>;
  .reg .b64 %rd<12>;
  .reg .b16 %h<4>;
  .reg .pred %p<3>;
  ld.param.u64 %rd1, [in];
  ld.param.u32 %r1, [skip];
  ld.param.u32 %r2, [mask];
  ld.param.u64 %rd2, [out];
  ld.param.u64 %rd3, [widened];
  mov.u32 %r3, %tid.x;
  add.u32 %r4, %r1, %r3;
  mad.wide.u32 %rd4, %r4, {bytes}, %rd1;
  mad.wide.u32 %rd5, %r4, {bytes}, %rd2;
  mad.wide.u32 %rd6, %r3, 8, %rd3;
  shr.b32 %r5, %r2, %r3;
  and.b32 %r5, %r5, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra DONE;
  mov.u32 %r6, 0;
AGAIN:
  mov.b64 %rd8, 0;
  ld.global.{type} {reg}, [%rd4];
  st.global.{type} [%rd5], {reg};
  {wide};
  st.global.u64 [%rd6], %rd8;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, 2;
  @%p2 bra AGAIN;
DONE:
  ret;
}})",
      fmt::arg("bytes", sizeof(T)), fmt::arg("type", type), fmt::arg("reg", reg), fmt::arg("wide", wide));
  Gpu gpu(make_config("default", {}), {});
  gpu.load("test.ptx", ptx);
  constexpr unsigned elements = 40;
  std::vector<T> values(elements);
  for (unsigned i = 0; i < elements; ++i) values[i] = static_cast<T>(0xf1'93'85'77'c9'3b'ad'1fULL * (i + 1) >> 5);
  for (const unsigned skip : {0U, 1U, 8U})  // the last: up to the end
    for (const uint32_t mask : kMasks) {
      const Buffer<T> in(gpu, values, "in");
      Buffer<T> out(gpu, std::vector<T>(elements), "out");
      Buffer<uint64_t> widened(gpu, std::vector<uint64_t>(32), "widened");
      gpu.launch("k", {{1}, {32}}, Arguments(in.address(), skip, mask, out.address(), widened.address()));
      std::vector<T> copied(elements);
      std::vector<uint64_t> wide_values(32);
      for (unsigned lane = 0; lane < 32; ++lane)
        if ((mask >> lane & 1) != 0) {
          copied[lane + skip] = values[lane + skip];
          wide_values[lane] = static_cast<uint64_t>(static_cast<int64_t>(values[lane + skip]));
        }
      EXPECT_EQ(out.download(), copied) << type << skip << fmt::format(" {:#x}", mask);
      EXPECT_EQ(widened.download(), wide_values) << type << skip << fmt::format(" {:#x}", mask);
    }
}

TEST(PlacesInRuns, of_every_width_are_copied) {
  expect_copied<uint8_t>("u8", "%h1", "cvt.u64.u16 %rd8, %h1");
  expect_copied<int8_t>("s8", "%h1", "cvt.s64.s16 %rd8, %h1");
  expect_copied<int8_t>("s8", "%r7", "cvt.s64.s32 %rd8, %r7");
  expect_copied<uint16_t>("u16", "%h1", "cvt.u64.u16 %rd8, %h1");
  expect_copied<int16_t>("s16", "%rd7", "mov.b64 %rd8, %rd7");
  expect_copied<uint32_t>("u32", "%r7", "cvt.u64.u32 %rd8, %r7");
  expect_copied<int32_t>("s32", "%rd7", "mov.b64 %rd8, %rd7");
  expect_copied<uint64_t>("u64", "%rd7", "mov.b64 %rd8, %rd7");
}

}  // namespace
}  // namespace heddle::test
