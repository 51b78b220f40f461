// Without a clock, on several threads of the host: what comes out is what comes out on one.
#include <fmt/format.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

GpuOptions on_threads(unsigned threads) {
  GpuOptions options;
  options.threads = threads;
  options.threads_from = 1;
  return options;
}

// One block of 64 threads at a time on a core.
class ThreadedGpu : public Gpu {
 public:
  ThreadedGpu(std::string_view ptx, GpuOptions options)
      : Gpu(make_config("default", std::vector<std::string>{"core_blocks=1"}), options) {
    load("test.ptx", with_header(ptx));
  }
};

// The beginning of each kernel: %r1 is the number of the thread in the grid, %d1 where its word lies.
constexpr std::string_view kBegin = R"(
.visible .entry k(.param .u64 words) {
  .reg .pred %p<3>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<4>;
  ld.param.u64 %d0, [words];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r1, %r2, %r3, %r4;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d1, %d0, %d1;
)";

struct Ran {
  std::vector<uint32_t> words;
  std::vector<KernelStats> launches;
  std::string error;
  size_t side_by_side = 0;
};

// Two launches of 40 blocks over a word for each thread.
Ran run(std::string_view body, unsigned threads, GpuOptions options = {}) {
  options.threads = threads;
  options.threads_from = 1;
  ThreadedGpu gpu(std::string(kBegin) + std::string(body) + "}", options);
  std::vector<uint32_t> numbers(40 * 64 + 64);
  for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i * 7;
  Buffer<uint32_t> words(gpu, numbers, "words");
  Ran ran;
  try {
    for (int launch = 0; launch < 2; ++launch) gpu.launch("k", {{40}, {64}}, Arguments(words.address()));
  } catch (const Error& error) {
    ran.error = error.what();
  }
  ran.words = words.download();
  ran.launches = gpu.launches();
  ran.side_by_side = gpu.launches_side_by_side();
  return ran;
}

Ran expect_same(std::string_view body) {
  const Ran one = run(body, 1);
  EXPECT_EQ(one.side_by_side, 0U);
  Ran several;
  for (const unsigned threads : {2U, 3U, 8U}) {
    several = run(body, threads);
    EXPECT_EQ(several.words, one.words) << threads;
    EXPECT_EQ(several.launches, one.launches) << threads;
    EXPECT_EQ(several.error, one.error) << threads;
  }
  return several;
}

TEST(SideBySide, blocks_that_write_their_own_words) {
  const Ran ran = expect_same("st.global.u32 [%d1], %r1; ret;");
  EXPECT_EQ(ran.side_by_side, 2U);
  for (uint32_t i = 0; i < 40 * 64; ++i) EXPECT_EQ(ran.words[i], i);
}

TEST(SideBySide, blocks_that_read_and_write_their_own_words) {
  const Ran ran = expect_same("ld.global.u32 %r5, [%d1]; add.u32 %r5, %r5, %r2; st.global.u32 [%d1], %r5; ret;");
  EXPECT_EQ(ran.side_by_side, 2U);
  for (uint32_t i = 0; i < 40 * 64; ++i) EXPECT_EQ(ran.words[i], i * 7 + 2 * (i / 64));
}

TEST(SideBySide, blocks_that_diverge_and_write_here_and_there) {
  const Ran ran = expect_same(R"(
  and.b32 %r5, %r1, 5;
  setp.eq.u32 %p1, %r5, 4;
  @%p1 bra OTHER;
  xor.b32 %r6, %r4, 33;  // within the block
  mad.lo.u32 %r6, %r2, %r3, %r6;
  mul.wide.u32 %d2, %r6, 4;
  add.u64 %d2, %d0, %d2;
  st.global.u8 [%d2+1], %r1;
OTHER:
  ret;)");
  EXPECT_EQ(ran.side_by_side, 2U);
}

// So long that chunks on other threads begin before it is done.
constexpr std::string_view kTakesAWhile = R"(
  mov.u32 %r8, 0;
AGAIN:
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p2, %r8, 3000;
  @%p2 bra AGAIN;
)";

// Each takes from the block before it what that has taken from the one before.
TEST(SideBySide, blocks_that_read_what_those_before_them_write_are_as_in_order) {
  const Ran ran = expect_same(std::string(kTakesAWhile) + R"(
  ld.global.u32 %r5, [%d1];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%d1+256], %r5;
  ret;)");
  for (uint32_t block = 0; block <= 40; ++block) EXPECT_EQ(ran.words[block * 64], block) << block;
}

TEST(SideBySide, blocks_that_write_the_same_word_are_as_in_order) {
  const Ran ran = expect_same(std::string(kTakesAWhile) + "st.global.u32 [%d0], %r2; ret;");
  EXPECT_EQ(ran.words[0], 39U);
}

TEST(SideBySide, blocks_that_count_together_run_in_order) {
  const Ran ran = expect_same("atom.global.inc.u32 %r5, [%d0], 1000000; st.global.u32 [%d1+256], %r5; ret;");
  EXPECT_EQ(ran.side_by_side, 0U);
}

// Only the last block writes to it, which the first chunk does not show.
TEST(SideBySide, memory_that_a_late_block_writes_first) {
  const Ran ran = expect_same(R"(
  .global .u32 last;
  setp.lt.u32 %p1, %r2, 39;
  @%p1 bra MINE;
  st.global.u32 [last], %r2;
MINE:
  ld.global.u32 %r5, [last];
  st.global.u32 [%d1], %r5;
  ret;)");
  EXPECT_EQ(ran.words[39 * 64], 39U);
}

TEST(SideBySide, a_fault_is_the_first_in_order) {
  const Ran ran = expect_same(R"(
  st.global.u32 [%d1], %r1;
  setp.lt.u32 %p1, %r2, 17;
  @%p1 bra GOOD;
  st.global.u32 [%d1+1], %r1;
GOOD:
  ret;)");
  EXPECT_NE(ran.error.find("block (17,0,0), thread (0,0,0)"), std::string::npos) << ran.error;
}

TEST(SideBySide, a_limit_of_slots_is_met_where_one_thread_meets_it) {
  const auto slots_of = [](unsigned threads) {
    Gpu gpu(make_config("default", std::vector<std::string>{"core_blocks=1", "max_slots=300"}), on_threads(threads));
    gpu.load("test.ptx", with_header(std::string(kBegin) + "st.global.u32 [%d1], %r1; ret; }"));
    const Buffer<uint32_t> words(gpu, 40 * 64, "words");
    const std::string text = error_of(ExitCode::Deadlock, [&] {
      gpu.launch("k", {{40}, {64}}, Arguments(words.address()));
    });
    return text + fmt::format(" {}", gpu.total().issue_slots);
  };
  EXPECT_EQ(slots_of(3), slots_of(1));
}

TEST(SideBySide, who_is_interrupted_stops) {
  const std::atomic<bool> stop = true;
  GpuOptions options = on_threads(3);
  options.stop = &stop;
  ThreadedGpu gpu(std::string(kBegin) + "st.global.u32 [%d1], %r1; ret; }", options);
  const Buffer<uint32_t> words(gpu, 40 * 64, "words");
  error_of(ExitCode::Interrupted, [&] { gpu.launch("k", {{40}, {64}}, Arguments(words.address())); });
}

TEST(SideBySide, watching_or_checking_keeps_one_thread) {
  GpuOptions options;
  options.checks = check::CheckSet("race");
  EXPECT_EQ(run("st.global.u32 [%d1], %r1; ret;", 2, options).side_by_side, 0U);
  options.checks = {};
  options.instruments.add("branches");
  EXPECT_EQ(run("st.global.u32 [%d1], %r1; ret;", 2, options).side_by_side, 0U);
}

}  // namespace
}  // namespace heddle::test
