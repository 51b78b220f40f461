// Of launches that are alike some are timed: which, that memory is as if all had been, and how far off the time is.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

// Adds `trips` to a counter, one at a time.
constexpr std::string_view kLoop = R"(
.visible .entry loop(.param .u64 counter, .param .u32 trips) {
  .reg .b64 %rd<2>; .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u64 %rd1, [counter];
  ld.param.u32 %r1, [trips];
again:
  atom.global.add.u32 %r2, [%rd1], 1;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra again;
  ret;
})";

GpuOptions timed(unsigned sample) {
  GpuOptions options;
  options.timed = true;
  options.sample_launches = sample;
  return options;
}

class Loops {
 public:
  explicit Loops(unsigned sample, const GpuOptions* options = nullptr)
      : gpu(make_config("default", {}), options ? *options : timed(sample)) {
    gpu.load("loop.ptx", with_header(kLoop));
    counter = gpu.allocate(4, "counter");
  }
  void launch(uint32_t trips, unsigned blocks = 2) { gpu.launch("loop", {{blocks}, {32}}, Arguments(counter, trips)); }
  std::vector<int> timed_as() const {
    std::vector<int> result;
    for (const KernelStats& each : gpu.launches())
      result.push_back(each.timed_as ? static_cast<int>(*each.timed_as) : -1);
    return result;
  }
  uint32_t sum() {
    uint32_t value = 0;
    gpu.read(&value, counter, 4);
    return value;
  }

  Gpu gpu;
  Address counter;
};

TEST(LaunchSampling, the_second_of_a_kind_stands_for_those_that_follow) {
  Loops loops(5);
  for (const uint32_t trips : {100U, 100U, 100U, 102U, 50U, 100U, 50U, 50U}) loops.launch(trips);
  loops.launch(100, 3);  // another grid
  EXPECT_EQ(loops.timed_as(), (std::vector<int>{-1, -1, 1, 1, -1, 1, -1, 6, -1}));
  EXPECT_EQ(loops.sum(), 64U * (100 + 100 + 100 + 102 + 50 + 100 + 50 + 50) + 96U * 100) << "each ran once";
  EXPECT_EQ(loops.gpu.launches()[3].timing->cycles, loops.gpu.launches()[1].timing->cycles);
  EXPECT_GT(loops.gpu.launches()[3].thread_instructions, loops.gpu.launches()[1].thread_instructions);
}

TEST(LaunchSampling, launches_follow_each_other_in_time) {
  Loops loops(5);
  for (int i = 0; i < 5; ++i) loops.launch(40);
  loops.launch(10);
  uint64_t end = 0;
  for (const KernelStats& each : loops.gpu.launches()) {
    EXPECT_GE(each.timing->begin, end);
    end = each.timing->begin + each.timing->cycles;
  }
}

TEST(LaunchSampling, what_a_kernel_prints_is_printed_once) {
  std::string printed;
  GpuOptions options = timed(50);
  options.printed = &printed;
  Gpu gpu(make_config("default", {}), options);
  gpu.load("print.ptx", with_header(R"(
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry print() {
  .reg .b64 %rd<2>; .reg .b32 %r;
  cvta.global.u64 %rd1, text;
  { .param .b64 format; .param .b64 arguments; .param .b32 result;
    st.param.b64 [format], %rd1; st.param.b64 [arguments], 0;
    call.uni (result), vprintf, (format, arguments);
    ld.param.b32 %r, [result]; }
  ret;
})"));
  for (int i = 0; i < 4; ++i) gpu.launch("print", {{1}, {1}}, Arguments());
  EXPECT_EQ(printed, "hi\nhi\nhi\nhi\n");
  EXPECT_FALSE(gpu.launches().back().timed_as) << "it is timed: what is printed cannot be undone";
}

TEST(LaunchSampling, a_fault_is_told_as_without_it) {
  const auto fault = [](unsigned sample) {
    Loops loops(sample);
    for (int i = 0; i < 3; ++i) loops.launch(5);
    loops.gpu.free(loops.counter);
    return error_of(ExitCode::Fault, [&] { loops.launch(5); });
  };
  EXPECT_EQ(fault(5), fault(0));
}

TEST(LaunchSampling, goes_with_nothing_that_watches) {
  GpuOptions options = timed(5);
  options.instruments.add("branches", 1);
  EXPECT_EQ(error_of(ExitCode::Usage, [&] { Loops(5, &options); }),
            "--sample-launches does not time all launches: nothing else is watched");
}

// A workload with many launches: its result passes, its counts are the same, its time is near.
TEST(LaunchSampling, a_workload_computes_the_same_in_nearly_the_same_time) {
  const workloads::Workload& workload = workloads::find("cfd");
  const auto run = [&](unsigned sample) {
    Gpu gpu(make_config("default", {}), timed(sample));
    gpu.load(workload.name, workload.ptx());
    const workloads::Check check = workload.run(gpu, workloads::Size::Tiny);
    EXPECT_TRUE(check.passed) << check.detail;
    return std::pair(gpu.total(), gpu.launches());
  };
  const auto [full, all] = run(0);
  const auto [sampled, some] = run(5);
  EXPECT_EQ(full.thread_instructions, sampled.thread_instructions);
  EXPECT_NEAR(static_cast<double>(sampled.timing->cycles), static_cast<double>(full.timing->cycles),
              0.05 * static_cast<double>(full.timing->cycles));
  const auto timed_ones =
      std::count_if(some.begin(), some.end(), [](const KernelStats& each) { return !each.timed_as; });
  EXPECT_LT(timed_ones, static_cast<std::ptrdiff_t>(all.size())) << "else nothing was sampled";
}

}  // namespace
}  // namespace heddle::test
