// Every mechanism in emulation on several threads of the host: to the bit what it is on one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "support/amount.h"
#include "support/memory_image.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

struct Outcome {
  std::vector<KernelStats> launches;
  uint64_t memory = 0;
  std::string printed, error;
  size_t side_by_side = 0;
  bool operator==(const Outcome& other) const {
    return launches == other.launches && memory == other.memory && printed == other.printed && error == other.error;
  }
};

// Chunks of one or two blocks: so there are some even in small launches.
Outcome run_on(unsigned threads, const workloads::Workload& workload, std::string_view mechanism) {
  Outcome outcome;
  GpuOptions options;
  options.mechanism = mechanism;
  options.threads = threads;
  options.threads_from = 1;
  options.printed = &outcome.printed;
  Gpu gpu(make_config("default", std::vector<std::string>{"core_blocks=2"}), options);
  try {
    gpu.load(workload.name, workload.ptx());
    workload.run(gpu, workloads::Size::Tiny);
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  outcome.launches = gpu.launches();
  outcome.memory = gpu.memory().fingerprint();
  outcome.side_by_side = gpu.launches_side_by_side();
  return outcome;
}

class SideBySide : public testing::TestWithParam<std::string_view> {};

TEST_P(SideBySide, is_what_one_thread_does) {
  const size_t every = amount(1, 5, 29);
  size_t n = turn(), side_by_side = 0;
  for (const workloads::Workload& workload : workloads::all()) {
    if (workload.kind != workloads::Kind::Usual || n++ % every != 0) continue;
    const Outcome one = run_on(1, workload, GetParam());
    for (const unsigned threads : {2U, 3U}) {
      const Outcome several = run_on(threads, workload, GetParam());
      EXPECT_TRUE(several == one) << workload.name << " on " << threads << ": " << several.error;
      side_by_side += several.side_by_side;
    }
  }
  if (full_run() && GetParam() == "pdom") {
    EXPECT_GT(side_by_side, 20U);
  }
}

std::vector<std::string_view> names_of_mechanisms() {
  std::vector<std::string_view> names;
  for (const MechanismRow& row : mechanisms()) names.push_back(row.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Mechanisms, SideBySide, testing::ValuesIn(names_of_mechanisms()), [](const auto& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + fmt::format("_{}", info.index);
});

}  // namespace
}  // namespace heddle::test
