// Memory that a launch only reads, by its pointers: what looks so and is written all the same.
#include <gtest/gtest.h>

#include <cstring>

#include "gpu/many_cores.h"
#include "gpu/racing_kernel.h"

namespace heddle::test {
namespace {

constexpr unsigned kRaces = 60;                  // blocks
constexpr size_t kWords = kRaces * kRacers + 2;  // behind the words of all threads: a pointer to the first buffer
const std::string kPointer = std::to_string((kWords - 2) * sizeof(uint32_t));

struct Written {
  std::vector<uint32_t> words, out;
  std::vector<KernelStats> launches;
  bool operator==(const Written&) const = default;
};

struct Both {
  explicit Both(Gpu& gpu) : words(gpu, kWords, "words"), out(gpu, kWords, "out") {
    std::vector<uint32_t> first(kWords, 7);
    const Address to = words.address();
    std::memcpy(&first[kWords - 2], &to, sizeof(to));
    out.upload(first);
    words.upload(first);
  }
  Buffer<uint32_t> words, out;
};

// `to`: the kernel's second pointer.
template <class To>
Written written(const std::string& kernel, unsigned threads, std::string_view preset, To&& to) {
  ManyCores gpu(kernel, threads, nullptr, preset);
  Both buffers(gpu);
  gpu.launch("k", {{kRaces}, {kRacers}}, Arguments(buffers.words.address(), to(buffers)));
  return {buffers.words.download(), buffers.out.download(), gpu.launches()};
}

template <class To>
void expect_as_cycle_by_cycle(const std::string& kernel, To&& to) {
  for (const std::string_view preset : {"tbc-hpca11", "h200"}) {
    const Written right = written(kernel, 0, preset, to);
    for (const unsigned threads : {1U, 3U})
      EXPECT_TRUE(right == written(kernel, threads, preset, to)) << preset << ", " << threads << " threads";
  }
}

const std::string kLoad = "ld.global.u32 %r7, [%rd4]";  // by the first pointer

TEST(ReadOnly, is_not_what_another_pointer_of_the_launch_points_to_as_well) {
  const std::string kernel = race_of(kLoad, "add.u64 %rd7, %rd2, %rd3; st.global.u32 [%rd7], %r4");
  expect_as_cycle_by_cycle(kernel, [](const Both& each) { return each.words.address(); });
}

TEST(ReadOnly, is_not_what_a_pointer_in_memory_may_point_to) {
  const std::string kernel = race_of(
      kLoad, "ld.global.u64 %rd8, [%rd2+" + kPointer + "]; add.u64 %rd8, %rd8, %rd3; st.global.u32 [%rd8], %r4");
  expect_as_cycle_by_cycle(kernel, [](const Both& each) { return each.out.address(); });
}

// Without the store by the second pointer.
std::string without_end(std::string kernel) {
  const std::string_view store = "st.global.u32 [%rd6], %r4;";
  return kernel.erase(kernel.find(store), store.size());
}

// The pointer is the one from memory, whatever is added to it is nothing here: a number that the kernel was given, what
// is left of a pointer's bits, the difference of two.
TEST(ReadOnly, is_not_what_a_pointer_in_memory_points_to_with_an_offset_from_an_argument) {
  const std::string load = "ld.global.u64 %rd8, [%rd1+" + kPointer + "]; ";
  const auto written_at = [&](const std::string& offset) {
    return without_end(race_of(
        kLoad, load + offset + "; add.u64 %rd8, %rd8, %rd9; add.u64 %rd8, %rd8, %rd3; st.global.u32 [%rd8], %r4"));
  };
  const auto nothing = [](const Both&) { return Address{0}; };
  const auto to_out = [](const Both& each) { return each.out.address(); };
  expect_as_cycle_by_cycle(written_at("mov.u64 %rd9, %rd2"), nothing);
  expect_as_cycle_by_cycle(written_at("shl.b64 %rd9, %rd2, 2"), nothing);
  expect_as_cycle_by_cycle(written_at("shr.u64 %rd9, %rd2, 60"), to_out);
  expect_as_cycle_by_cycle(written_at("sub.u64 %rd9, %rd2, %rd2"), to_out);
}

TEST(ReadOnly, is_not_what_a_pointer_behind_its_end_leads_back_to) {
  const std::string kernel =
      without_end(race_of(kLoad, "sub.u64 %rd7, %rd2, " + std::to_string(kWords * sizeof(uint32_t)) +
                                     "; add.u64 %rd7, %rd7, %rd3; st.global.u32 [%rd7], %r4"));
  expect_as_cycle_by_cycle(kernel, [](const Both& each) { return each.words.address() + kWords * sizeof(uint32_t); });
}

TEST(ReadOnly, is_not_what_one_of_two_pointers_may_write_to) {
  const std::string kernel = race_of(kLoad,
                                     "and.b32 %r8, %r2, 1; setp.eq.u32 %p, %r8, 0; "
                                     "selp.b64 %rd8, %rd1, %rd2, %p; add.u64 %rd8, %rd8, %rd3; "
                                     "st.global.u32 [%rd8], %r4");
  expect_as_cycle_by_cycle(kernel, [](const Both& each) { return each.out.address(); });
}

TEST(ReadOnly, is_read_as_cycle_by_cycle) {
  const std::string kernel = race_of(kLoad, "add.u64 %rd7, %rd2, %rd3; st.global.u32 [%rd7], %r4");
  expect_as_cycle_by_cycle(kernel, [](const Both& each) { return each.out.address(); });
}

// From the memory of one pointer into that of the other: no C++ program may do that.
TEST(ReadOnly, that_is_written_by_a_pointer_to_other_memory_is_a_fault) {
  const auto apart = [] {
    ManyCores gpu(race_of(kLoad, "add.u32 %r4, %r4, 0"), 1);
    const Both buffers(gpu);
    return buffers.out.address() - buffers.words.address();
  }();
  const std::string kernel =
      race_of(kLoad, "add.u64 %rd7, %rd2, %rd3; st.global.u32 [%rd7+-" + std::to_string(apart) + "], %r4");
  const auto to_out = [](const Both& each) { return each.out.address(); };
  for (const unsigned threads : {1U, 3U}) {
    const std::string text = error_of(ExitCode::Fault, [&] { written(kernel, threads, "tbc-hpca11", to_out); });
    EXPECT_NE(text.find("bytes into 'words'"), std::string::npos) << text;
    EXPECT_NE(text.find("0 bytes into 'out'"), std::string::npos) << text;
    EXPECT_NE(text.find("--no-skip"), std::string::npos) << text;
  }
  EXPECT_NO_THROW(written(kernel, 0, "tbc-hpca11", to_out));
}

}  // namespace
}  // namespace heddle::test
