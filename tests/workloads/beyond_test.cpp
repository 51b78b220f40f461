// The workloads of after the papers show what they are there for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "workloads/workload.h"

namespace heddle::test::beyond_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Ended {
  std::string error;  // "" where all went well
  KernelStats total;
};

Ended run(std::string_view name, std::string_view mechanism, std::string_view machine = "",
          workloads::Size size = workloads::Size::Tiny, workloads::Compiler compiler = workloads::Compiler::Nvcc) {
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = !machine.empty();
  const std::string set[] = {"spin_limit=20000"};
  Gpu gpu(make_config(options.timed ? machine : "default", set), options);
  const workloads::Workload& workload = workloads::find(name);
  gpu.load(workload.name, workload.ptx(compiler));
  Ended ended;
  try {
    const workloads::Check check = workload.run(gpu, size);
    if (!check.passed) ended.error = check.detail;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Deadlock);
    ended.error = error.what();
  }
  ended.total = gpu.total();
  return ended;
}

TEST(WorkloadsThatWait, AreDiagnosedUnderAStack) {
  for (const auto& [name, kernel] : {std::pair{"atm", "transfer_waiting"},
                                     {"hashtable", "insert_keys"},
                                     {"workqueue", "pass_on"},
                                     {"treebuild", "insert_bodies"}})
    for (const char* machine : {"", "default"}) {
      const Ended ended = run(name, "pdom", machine);
      EXPECT_THAT(ended.error, StartsWith("kernel " + std::string(kernel) + " spins under 'pdom'")) << name;
      EXPECT_THAT(ended.error, HasSubstr("SIMT-induced deadlock: ")) << name;
      EXPECT_LT(ended.total.issue_slots, 100'000U) << name;  // some limits, until all states of a loop were seen
    }
}

// The contract test holds that they are right there; here, that there are such mechanisms.
TEST(WorkloadsThatWait, HaveMechanismsThatLetAllThreadsGetOn) {
  std::vector<std::string_view> fair;
  for (const MechanismRow& row : mechanisms())
    if (row.fair) fair.push_back(row.name);
  EXPECT_THAT(fair, testing::IsSupersetOf({"its", "aware"}));
  for (const char* stack : {"pdom", "tbc", "lwm"}) EXPECT_THAT(fair, testing::Not(testing::Contains(stack)));
}

TEST(Unstructured, IsRunInFewerSlotsWherePathsMeetEarlier) {
  const uint64_t pdom = run("unstructured", "pdom").total.issue_slots;
  EXPECT_LT(run("unstructured", "thread-frontiers").total.issue_slots, pdom * 9 / 10);
  EXPECT_LT(run("unstructured", "its").total.issue_slots, pdom);
}

TEST(Longpaths, IsDoneSoonerWhereBothSidesWaitAtOnce) {
  const auto cycles = [](const char* mechanism) { return run("longpaths", mechanism, "default").total.timing->cycles; };
  const uint64_t pdom = cycles("pdom");
  for (const char* mechanism : {"dual-path", "multi-path"}) EXPECT_LT(cycles(mechanism), pdom * 3 / 4) << mechanism;
}

// A split was under way while a path of the stack began, and met that path.
TEST(Beyond, splits_of_dws_go_on_with_a_path_of_the_stack_that_they_meet) {
  EXPECT_EQ(run("mum", "dws", "tbc-hpca11", workloads::Size::Small, workloads::Compiler::Era).error, "");
}

}  // namespace
}  // namespace heddle::test::beyond_test
