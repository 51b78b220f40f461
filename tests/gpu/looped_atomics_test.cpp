// Additions to shared memory that the machine does as a loop give what atomics must give, and take a trip for each
// thread on one word.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "gpu/small_gpu.h"

namespace heddle::test::looped_atomics_test {
namespace {

constexpr unsigned kThreads = 256;

// Every thread but each third adds one to word (tid & words - 1) and keeps what was there; the first words are stored
// behind all that.
std::string kernel(std::string_view type, std::string_view one) {
  return with_header(fmt::format(R"(
.visible .entry k(.param .u64 out, .param .u32 words) {{
  .shared .align 8 .b8 room[512];
  .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .{0} %x, %old; .reg .pred %p, %q;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [words];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, room;
  and.b32 %r3, %r1, 63;
  mad.lo.u32 %r3, %r3, 8, %r2;
  mov.b64 %d1, 0;
  st.shared.b64 [%r3], %d1;
  bar.sync 0;
  sub.u32 %r4, %r0, 1;
  and.b32 %r5, %r1, %r4;
  mad.lo.u32 %r5, %r5, 8, %r2;
  rem.u32 %r6, %r1, 3;
  setp.ne.u32 %p, %r6, 0;
  mov.{0} %old, {1};
  mov.{0} %x, {1};
  @%p atom.shared.add.{0} %old, [%r5], %x;
  bar.sync 0;
  ld.shared.{0} %x, [%r3];
  mad.wide.u32 %d2, %r1, 16, %d0;
  st.global.{0} [%d2], %old;
  st.global.{0} [%d2+8], %x;
  ret;
}})",
                                 type, one));
}

struct Run {
  std::vector<uint64_t> words;
  uint64_t machine_instructions, cycles;
};

Run run(std::string_view text, unsigned words, unsigned threads, std::string_view preset, std::string_view mechanism) {
  GpuOptions options;
  options.timed = true;
  options.mechanism = mechanism;
  const bool machine = preset == "h200";
  Gpu gpu(
      make_config(std::string(preset), machine ? std::vector<std::string>{} : std::vector<std::string>{"code=machine"}),
      options);
  gpu.load("test.ptx", std::string(text));
  Buffer<uint64_t> out(gpu, size_t{threads} * 2, "out");
  gpu.launch("k", {{1}, {threads}}, Arguments(out.address(), words));
  const auto& timing = *gpu.launches()[0].timing;
  return {out.download(), timing.all_cores().machine_instructions, timing.cycles};
}

// What each adding thread found in its word: 0, 1, 2, ... in some order; and each word has their number.
template <class T>
void expect_counted(const Run& run, unsigned words) {
  std::vector<std::vector<unsigned>> found(words);
  const auto value = [](uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<unsigned>(value);
  };
  for (unsigned thread = 0; thread < kThreads; ++thread)
    if (thread % 3 != 0) found[thread % words].push_back(value(run.words[2 * thread]));
  for (unsigned word = 0; word < words; ++word) {
    std::sort(found[word].begin(), found[word].end());
    for (unsigned i = 0; i < found[word].size(); ++i) ASSERT_EQ(found[word][i], i) << "word " << word;
    EXPECT_EQ(value(run.words[2 * word + 1]), found[word].size());
  }
}

TEST(LoopedAtomics, count_every_thread_once_under_every_kind_of_mechanism) {
  for (const std::string_view mechanism : {"pdom", "its", "tbc", "dwf", "stackless"})
    for (const unsigned words : {1u, 8u, 64u}) {
      SCOPED_TRACE(fmt::format("{} {}", mechanism, words));
      expect_counted<float>(run(kernel("f32", "0f3f800000"), words, kThreads, "default", mechanism), words);
      expect_counted<double>(run(kernel("f64", "0d3ff0000000000000"), words, kThreads, "default", mechanism), words);
      expect_counted<uint64_t>(run(kernel("u64", "1"), words, kThreads, "default", mechanism), words);
    }
}

// One warp: 21 of its 32 threads add. On one word these are 21 trips, on words of their own one; a trip is five
// instructions (LDS FADD ATOMS ISETP BRA), of 64 bits six, and that of the thread which leaves and waits (BSYNC): six
// for each on an H200.
TEST(LoopedAtomics, take_a_trip_for_each_thread_on_a_word) {
  const auto more = [](std::string_view text) {
    return run(text, 1, 32, "h200", "its").machine_instructions - run(text, 32, 32, "h200", "its").machine_instructions;
  };
  EXPECT_EQ(more(kernel("f32", "0f3f800000")), 20u * (5 + 1));
  EXPECT_EQ(more(kernel("f64", "0d3ff0000000000000")), 20u * (6 + 1));
}

// On an H200 each thread more on a word is 95 cycles: 127 for one, 3071 for 32.
TEST(LoopedAtomics, take_as_long_as_on_a_GPU) {
  const std::string text = kernel("f32", "0f3f800000");
  const uint64_t one = run(text, 1, 32, "h200", "its").cycles, apart = run(text, 32, 32, "h200", "its").cycles;
  EXPECT_NEAR(static_cast<double>(one - apart) / 20, 95, 5);
}

}  // namespace
}  // namespace heddle::test::looped_atomics_test
