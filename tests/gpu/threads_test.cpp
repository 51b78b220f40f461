// Cores side by side where it matters which of them comes first: kernels that race for global memory, faults,
// deadlocks, interrupts.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <tuple>
#include <utility>

#include "gpu/many_cores.h"
#include "gpu/racing_kernel.h"

namespace heddle::test {
namespace {

constexpr unsigned kBlocks = 60, kManyBlocks = 1000, kThreads = kRacers;

struct Outcome {
  std::vector<uint32_t> words;
  std::vector<KernelStats> launches;
  bool operator==(const Outcome&) const = default;
};

Outcome race(const std::string& ptx, unsigned threads, std::string_view preset, unsigned blocks = kBlocks,
             const std::vector<std::string>& settings = {}) {
  ManyCores gpu(ptx, threads, nullptr, preset, "pdom", settings);
  Buffer<uint32_t> shared(gpu, 64, "shared"), out(gpu, blocks * kThreads, "out");
  shared.upload(std::vector<uint32_t>(64, 7));
  gpu.launch("k", {{blocks}, {kThreads}}, Arguments(shared.address(), out.address()));
  Outcome outcome{out.download(), gpu.launches()};
  const std::vector<uint32_t> last = shared.download();
  outcome.words.insert(outcome.words.end(), last.begin(), last.end());
  return outcome;
}

TEST(Threads, races_for_memory_end_as_with_one) {
  const std::string next = "add.u64 %rd7, %rd4, 4; ";
  const std::string kernels[] = {
      race_of("ld.global.u32 %r7, [%rd4]", next + "st.global.u32 [%rd7], %r4"),
      race_of("ld.global.u32 %r7, [%rd4]", "st.global.u32 [%rd4], %r4"),
      race_of("ld.u32 %r7, [%rd4]", "st.u32 [%rd4], %r4"),  // generic
      race_of("atom.global.add.u32 %r7, [%rd4], %r4", "red.global.xor.b32 [%rd4], %r4"),
      race_of("atom.global.exch.b32 %r7, [%rd4], %r4", "ld.global.u32 %r8, [%rd4]; add.u32 %r4, %r4, %r8"),
      race_of("and.b64 %rd4, %rd4, -8; ld.global.u64 %rd4, [%rd4]; cvt.u32.u64 %r7, %rd4",  // over its own address
              "add.u64 %rd8, %rd1, 8; st.global.u32 [%rd8], %r4"),
      race_of("ld.global.u32 %r7, [%rd4]", "st.global.u8 [%rd4], %r4"),
      race_of("ld.global.u32 %r7, [%rd4]", "and.b64 %rd8, %rd4, -8; st.global.v2.u32 [%rd8], {%r4, 3}"),
      race_of("ld.global.u32 %r7, [%rd4]", "cvt.u64.u32 %rd8, %r4; st.global.u16 [%rd4], %rd8"),
      race_of("ld.global.u32 %r7, [%rd4]",  // most cores only read
              "and.b32 %r8, %r2, 15; setp.eq.u32 %p, %r8, 3; @%p st.global.u32 [%rd4], %r4"),
  };
  for (const std::string_view preset : {"tbc-hpca11", "h200"})
    for (const std::string& kernel : kernels) {
      const Outcome right = race(kernel, 0, preset);
      for (const unsigned threads : {1U, 2U, 3U, 7U})
        EXPECT_TRUE(right == race(kernel, threads, preset)) << preset << ", " << threads << " threads\n" << kernel;
    }
}

// Each lane behind the one before, or in parts so, from a place that moves on in every round.
TEST(Threads, races_of_simple_rows_end_as_with_one) {
  const auto at = [](unsigned lanes, unsigned bytes) {
    return "and.b32 %r8, %r1, " + std::to_string(lanes - 1) + "; add.u32 %r8, %r8, %r5; mul.wide.u32 %rd8, %r8, " +
           std::to_string(bytes) + "; add.u64 %rd8, %rd1, %rd8; ";
  };
  const std::string load = "ld.global.u32 %r7, [%rd8]";
  const std::string kernels[] = {
      race_of(at(32, 4) + load, "st.global.u32 [%rd8+4], %r4"),
      race_of(at(32, 4) + "ld.u32 %r7, [%rd8]", "st.u32 [%rd8+4], %r4"),  // generic
      race_of(at(32, 4) + "atom.global.add.u32 %r7, [%rd8], %r4", "st.global.u32 [%rd8+8], %r4"),
      race_of("ld.global.u32 %r7, [%rd1+160]", at(32, 4) + "st.global.u32 [%rd8], %r4"),  // another's second line
      race_of(at(32, 4) + load, "st.global.u32 [%rd1+160], %r4"),
      race_of(at(16, 4) + load, "st.global.u32 [%rd8+4], %r4"),
      race_of(at(8, 4) + load, "st.global.u32 [%rd8+4], %r4"),
      race_of(at(8, 4) + load,
              "and.b32 %r8, %r1, 24; cvt.u64.u32 %rd8, %r8; add.u64 %rd8, %rd1, %rd8; "
              "st.global.u32 [%rd8], %r4"),  // parts on one place
      race_of(at(16, 8) + "ld.global.v2.u32 {%r7, %r8}, [%rd8]", "st.global.v2.u32 [%rd8+8], {%r4, %r8}"),
      race_of(at(16, 8) + load, "cvt.u64.u32 %rd9, %r4; st.global.u64 [%rd8], %rd9"),
      race_of(at(32, 4) + load, at(32, 1) + "st.global.u8 [%rd8], %r4"),
      race_of(at(32, 4) + load, at(32, 2) + "cvt.u64.u32 %rd9, %r4; st.global.u16 [%rd8], %rd9"),
      race_of(at(32, 4) + load, "setp.ne.u32 %p, %r1, %r5; @%p st.global.u32 [%rd8], %r4"),
  };
  for (const std::string_view preset : {"tbc-hpca11", "h200"})
    for (const std::string& kernel : kernels) {
      const Outcome right = race(kernel, 0, preset);
      for (const unsigned threads : {1U, 3U})
        EXPECT_TRUE(right == race(kernel, threads, preset)) << preset << ", " << threads << " threads\n" << kernel;
    }
}

// Blocks of 1 to 13 times round, four times as many as 30 cores hold: which core gets one, and when, hangs on when
// others end. Some end while they wait for nothing, others behind a store; and all look at loads that others may still
// write to.
constexpr std::string_view kUneven = R"(
.visible .entry k(.param .u64 shared, .param .u64 out) {
  .reg .pred %p;
  .reg .b32 %r<10>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [shared];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %smid;
  mul.lo.u32 %r4, %r2, 7;
  rem.u32 %r4, %r4, 13;
AGAIN:
  and.b32 %r5, %r4, 7;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.u32 %r6, [%rd4];
  mad.lo.u32 %r3, %r3, 1664525, %r6;
  and.b32 %r7, %r3, 3;
  setp.eq.u32 %p, %r7, 0;
  @%p st.global.u32 [%rd4], %r3;
  setp.ne.u32 %p, %r4, 0;
  sub.u32 %r4, %r4, 1;
  @%p bra AGAIN;
  mad.lo.u32 %r8, %r2, 64, %r1;
  mul.wide.u32 %rd5, %r8, 4;
  add.u64 %rd6, %rd2, %rd5;
  and.b32 %r7, %r2, 3;
  setp.ne.u32 %p, %r7, 0;
  @%p st.global.u32 [%rd6], %r3;
  ret;
})";

TEST(Threads, blocks_are_given_as_with_one) {
  for (const std::string_view preset : {"tbc-hpca11", "capri-isca12", "h200"}) {
    const Outcome right = race(std::string(kUneven), 0, preset, kManyBlocks);
    for (const unsigned threads : {1U, 2U, 3U})
      EXPECT_TRUE(right == race(std::string(kUneven), threads, preset, kManyBlocks)) << preset << ", " << threads;
  }
}

// A core whose block ends in the cycle in which it finds no room at its port.
TEST(Threads, blocks_end_where_ports_are_full) {
  const std::string kernel = race_of("ld.global.u32 %r7, [%rd4]", "st.global.u32 [%rd4], %r4");
  const std::vector<std::string> settings{"cores=30", "core_blocks=1", "core_clock=1000"};
  const Outcome right = race(kernel, 0, "default", 3 * kBlocks, settings);
  for (const unsigned threads : {1U, 2U, 3U})
    EXPECT_TRUE(right == race(kernel, threads, "default", 3 * kBlocks, settings)) << threads;
}

// Threads of block 41 and behind write where they must not.
TEST(Threads, a_fault_is_the_one_of_the_first_core_and_others_write_nothing_behind_it) {
  const std::string kernel = race_of("ld.global.u32 %r7, [%rd4]",
                                     "setp.gt.u32 %p, %r2, 40; @%p add.u64 %rd4, %rd4, 0x40000000; "
                                     "st.global.u32 [%rd4], %r4");
  const auto fault = [&](unsigned threads) {
    ManyCores gpu(kernel, threads);
    Buffer<uint32_t> shared(gpu, 64, "shared"), out(gpu, kBlocks * kThreads, "out");
    const std::string text = error_of(ExitCode::Fault, [&] {
      gpu.launch("k", {{kBlocks}, {kThreads}}, Arguments(shared.address(), out.address()));
    });
    EXPECT_EQ(gpu.launches().size(), 1U);
    return std::pair(text, shared.download());
  };
  const auto one = fault(0);
  EXPECT_NE(one.first.find("out-of-bounds store of 4 bytes"), std::string::npos) << one.first;
  for (const unsigned threads : {1U, 2U, 3U}) EXPECT_EQ(one, fault(threads)) << threads << " threads";
}

// A core goes through many cycles at a time: what it throws is of the last of them.
TEST(Threads, a_fault_behind_a_long_way_is_the_first_of_all) {
  const std::string kernel = race_of("ld.global.u32 %r7, [%rd4]",
                                     "st.global.u32 [%rd4], %r4; mul.lo.u32 %r8, %r2, 7; rem.u32 %r8, %r8, 13; "
                                     "add.u32 %r8, %r8, 2; setp.eq.u32 %p, %r5, %r8; @%p trap");
  for (const std::string_view preset : {"tbc-hpca11", "capri-isca12", "h200"}) {
    const auto fault = [&](unsigned threads) {
      ManyCores gpu(kernel, threads, nullptr, preset);
      Buffer<uint32_t> shared(gpu, 64, "shared"), out(gpu, kBlocks * kThreads, "out");
      const std::string text = error_of(ExitCode::Fault, [&] {
        gpu.launch("k", {{kBlocks}, {kThreads}}, Arguments(shared.address(), out.address()));
      });
      return std::pair(text, shared.download());
    };
    const auto one = fault(0);
    for (const unsigned threads : {1U, 2U, 3U}) EXPECT_EQ(one, fault(threads)) << preset << ", " << threads;
  }
}

TEST(Threads, a_deadlock_of_a_core_is_told_as_by_one) {
  for (const std::string_view preset : {"tbc-hpca11", "h200"}) {
    const auto deadlock = [&](unsigned threads) {
      const std::string text = error_of(ExitCode::Deadlock, [&] {
        ManyCores(kTwoBarriers, threads, nullptr, preset).launch("k", {{kBlocks}, {kThreads}}, Arguments());
      });
      return text.substr(0, text.find("core 1"));  // cores behind it may be a cycle further
    };
    EXPECT_NE(deadlock(0).find("core 0, cycle "), std::string::npos);
    EXPECT_EQ(deadlock(0), deadlock(1)) << preset;
    EXPECT_EQ(deadlock(0), deadlock(3)) << preset;
  }
}

// Loads and stores without end, or waits for a word that nobody writes.
TEST(Threads, a_launch_that_is_given_up_has_done_the_same_and_is_told_of_alike) {
  std::string busy = race_of("ld.global.u32 %r7, [%rd4]", "st.global.u32 [%rd4], %r4");
  const std::string condition = "setp.lt.u32 %p, %r5, 16";
  busy.replace(busy.find(condition), condition.size(), "setp.lt.u32 %p, 1, 2");
  std::string spinning = busy;
  spinning.replace(spinning.find("mad.lo.u32 %r4, %r4, 1664525"), 28, "mad.lo.u32 %r8, %r4, 1664525");
  spinning.replace(spinning.find("st.global.u32 [%rd4], %r4"), 25, "mov.u32 %r5, 3");
  const auto given_up = [](const std::string& kernel, unsigned threads, const char* preset, const char* limit) {
    ManyCores gpu(kernel, threads, nullptr, preset, "pdom", {limit, "max_cycles=5001"});
    Buffer<uint32_t> shared(gpu, 64, "shared"), out(gpu, kBlocks * kThreads, "out");
    const std::string text = error_of(ExitCode::Deadlock, [&] {
      gpu.launch("k", {{kBlocks}, {kThreads}}, Arguments(shared.address(), out.address()));
    });
    return std::tuple(text, gpu.launches(), shared.download());
  };
  for (const char* const preset : {"tbc-hpca11", "capri-isca12", "h200", "default"})
    for (const auto& [kernel, limit] :
         {std::pair(busy, "max_slots=20000"), std::pair(busy, "cores=30"), std::pair(spinning, "spin_limit=20000")}) {
      const auto right = given_up(kernel, 0, preset, limit);
      EXPECT_NE(std::get<0>(right).find("core 0, cycle "), std::string::npos) << std::get<0>(right);
      for (const unsigned threads : {1U, 2U, 3U})
        EXPECT_EQ(right, given_up(kernel, threads, preset, limit)) << preset << ", " << limit << ", " << threads;
    }
}

// Each core finds so when it is made.
TEST(Threads, a_kernel_that_is_refused_is_so_once_and_the_gpu_is_good_for_more) {
  constexpr std::string_view kTwo = R"(
.func nothing() { ret; }
.visible .entry calls() {
  call nothing;
  ret;
}
.visible .entry plain() { ret; })";
  const auto refused = [&](unsigned threads) {
    ManyCores gpu(kTwo, threads, nullptr, "tbc-hpca11", "implicit-stack");
    const auto launch = [&](std::string_view name) { gpu.launch(name, {{kBlocks}, {kThreads}}, Arguments()); };
    const std::string text = error_of(ExitCode::Refused, [&] { launch("calls"); });
    launch("plain");
    EXPECT_EQ(gpu.launches().back().blocks, kBlocks);
    return text;
  };
  EXPECT_NE(refused(0).find("cannot run kernel calls"), std::string::npos) << refused(0);
  for (const unsigned threads : {1U, 3U}) EXPECT_EQ(refused(0), refused(threads)) << threads << " threads";
}

TEST(Threads, an_interrupt_keeps_what_was_measured_and_the_gpu_is_good_for_more) {
  std::atomic<bool> stop = true;
  const std::string kernel = race_of("ld.global.u32 %r7, [%rd4]", "st.global.u32 [%rd4], %r4");
  ManyCores gpu(kernel, 3, &stop);
  Buffer<uint32_t> shared(gpu, 64, "shared"), out(gpu, kBlocks * kThreads, "out");
  const auto launch = [&] { gpu.launch("k", {{kBlocks}, {kThreads}}, Arguments(shared.address(), out.address())); };
  error_of(ExitCode::Interrupted, launch);
  stop = false;
  launch();
  ASSERT_EQ(gpu.launches().size(), 2U);
  EXPECT_LT(gpu.launches()[0].issue_slots, gpu.launches()[1].issue_slots);
  EXPECT_EQ(gpu.launches()[1].blocks, kBlocks);
}

// Wherever its cores are by then.
TEST(Threads, an_interrupt_ends_a_launch_without_end_and_the_gpu_is_good_for_more) {
  const std::string race = race_of("ld.global.u32 %r7, [%rd4]", "st.global.u32 [%rd4], %r4");
  std::string endless = race;
  const std::string condition = "setp.lt.u32 %p, %r5, 16";
  endless.replace(endless.find(condition), condition.size(), "setp.lt.u32 %p, 1, 2");
  endless.replace(endless.find(" k("), 3, " endless(");
  for (const std::string_view preset : {"tbc-hpca11", "h200"})
    for (const unsigned threads : {1U, 3U}) {
      std::atomic<bool> stop = false;
      ManyCores gpu(race + endless, threads, &stop, preset);
      Buffer<uint32_t> shared(gpu, 64, "shared"), out(gpu, kBlocks * kThreads, "out");
      const auto launch = [&](const char* kernel) {
        gpu.launch(kernel, {{kBlocks}, {kThreads}}, Arguments(shared.address(), out.address()));
      };
      const std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        stop = true;
      });
      error_of(ExitCode::Interrupted, [&] { launch("endless"); });
      stop = false;
      launch("k");
      ASSERT_EQ(gpu.launches().size(), 2U);
      EXPECT_EQ(gpu.launches()[1].blocks, kBlocks);
    }
}

}  // namespace
}  // namespace heddle::test
