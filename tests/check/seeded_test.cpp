// Seeded bugs: every barrier of every workload is taken out by itself, and missed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "check/checked.h"
#include "divergence/registry.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

using workloads::Workload;

// Barriers that no race is missed without, by line of the PTX, and why.
const std::map<std::pair<std::string_view, unsigned>, std::string_view> kNotMissed = {
    {{"aossort", 125}, "the last phase swaps nothing"},
    {{"dxtc", 99}, "each thread reads the pixel it has loaded; the next barrier comes before others do"},
    {{"eigenvalues", 89}, "another barrier follows before the matrix is read"},
    {{"heartwall", 411}, "what comes next has a barrier of its own before it writes what was read"},
    {{"heartwall", 596}, "what comes next has a barrier of its own before it writes what was read"},
    {{"leukocyte", 658}, "the caller has a barrier before the sums are written again"},
    {{"namd", 807}, "thread 0 reads what it has written itself"},
    {{"needleman", 147}, "the first diagonal is that of one thread, on its own values; each has a barrier behind it"},
    {{"needleman", 390}, "as above"},
    {{"needleman", 674}, "as above"},
    {{"needleman", 1013}, "as above"},
    {{"ray", 145}, "nothing is shared"},
    {{"storegpu", 73}, "this input has one stage: nobody has read one before"},
    {{"storegpu", 1289}, "as above"},
    {{"tpacf", 172}, "this input has one tile: nobody has read one before"},
};

check::Findings races_of(const Workload& workload, const std::string& ptx) {
  GpuOptions options;
  options.checks = check::CheckSet("race");
  if (workload.kind == workloads::Kind::Waits) options.mechanism = "its";
  Gpu gpu(make_config("default", std::vector<std::string>{"max_slots=20000000"}), options);
  try {
    gpu.load(workload.name, ptx);
    workload.run(gpu, workloads::Size::Tiny);
  } catch (const Error&) {  // what a missing barrier may lead to
  }
  return gpu.findings();
}

bool is_barrier(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  return line.starts_with("bar.sync") || line.starts_with("barrier.sync");
}

class Seeded : public testing::TestWithParam<Workload> {};

TEST_P(Seeded, a_workload_without_one_of_its_barriers_races) {
  const std::string ptx(GetParam().ptx());
  unsigned line = 1;
  for (size_t begin = 0; begin < ptx.size(); ++line) {
    const size_t end = std::min(ptx.find('\n', begin), ptx.size());
    if (is_barrier(std::string_view(ptx).substr(begin, end - begin))) {
      std::string without = ptx;
      without.erase(begin, end - begin);
      const bool expected = !kNotMissed.contains({GetParam().name, line});
      EXPECT_EQ(check::harmful(races_of(GetParam(), without)) > 0, expected)
          << GetParam().name << ":" << line << ": " << ptx.substr(begin, end - begin);
    }
    begin = end + 1;
  }
}

// Who has one of these, or relies on lockstep: docs/checks.md tells them.
const std::set<std::string_view> kWarpSynchronous = {"nvrt"};

TEST_P(Seeded, a_workload_as_it_is_does_not_race) {
  const check::Findings findings = races_of(GetParam(), std::string(GetParam().ptx()));
  for (const check::Finding& finding : findings) {
    if (finding.harmless()) continue;
    EXPECT_EQ(finding.kind, check::Finding::Kind::WarpSynchronous) << finding.accesses[0].where;
    EXPECT_TRUE(kWarpSynchronous.contains(GetParam().name)) << finding.accesses[0].where;
  }
  EXPECT_EQ(check::harmful(findings) > 0, kWarpSynchronous.contains(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(Workloads, Seeded, testing::ValuesIn(workloads::all().begin(), workloads::all().end()),
                         [](const auto& workload) { return std::string(workload.param.name); });

}  // namespace
}  // namespace heddle::test
