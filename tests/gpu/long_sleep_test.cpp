// Memory that is further away than cores plan ahead: all of them sleep for long, and wake when the answer is there.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kChain = R"(
.visible .entry k(.param .u64 words) {
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [words];
  mov.u32 %r0, 0;
AGAIN:
  ld.global.u32 %r1, [%d0];
  cvt.u64.u32 %d1, %r1;
  add.u64 %d0, %d0, %d1;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p, %r0, 8;
  @%p bra AGAIN;
  ret;
})";

// Of a load in a chain that hits nothing.
uint64_t cycles(std::string_view preset, unsigned latency, bool skip, unsigned threads) {
  GpuOptions options;
  options.timed = true;
  options.skip = skip;
  options.threads = threads;
  Gpu gpu(make_config(preset, std::vector<std::string>{"l2_miss_latency=" + std::to_string(latency)}), options);
  gpu.load("test.ptx", with_header(kChain));
  const Buffer<uint32_t> words(gpu, std::vector<uint32_t>(16384, 4096), "words");
  gpu.launch("k", {{1}, {1}}, Arguments(words.address()));
  return gpu.launches()[0].timing->cycles;
}

TEST(LongSleep, ends_when_the_answer_is_there) {
  for (const char* preset : {"h200", "tbc-hpca11"})
    for (unsigned latency = 300; latency < 1000; latency += 97) {
      const uint64_t every = cycles(preset, latency, false, 1);
      EXPECT_EQ(cycles(preset, latency, true, 1), every) << preset << " " << latency;
      EXPECT_EQ(cycles(preset, latency, true, 2), every) << preset << " " << latency;
    }
}

}  // namespace
}  // namespace heddle::test
