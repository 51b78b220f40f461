// What every mechanism owes every program, written once: a new row in the registry is tested by being there.
//
// Each run is compared with the oracle's: the same bytes in every buffer, a CPU check that passes, all threads retired,
// and statistics that add up. The normal run takes every mechanism and workload with full warps, without a clock and
// half of them with a clock, and a covering selection of the small warps, of the mechanism's own settings, of machines
// and of lane maps; HEDDLE_FULL=1 takes the whole product.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "support/amount.h"
#include "support/memory_image.h"
#include "support/oracle.h"
#include "workloads/workload.h"

namespace heddle::test::contract_test {
namespace {

struct Expected {
  bool passed = false;
  std::string detail;
  uint64_t threads = 0, thread_instructions = 0;
  std::vector<ImagePart> image;
};

// What the oracle makes of a workload. All but nvrt compute the same whatever the order of threads: bfs has races in
// which all write the same value, histogram adds integers, mandelbrot's blocks do the same work for a tile whoever
// takes it, and what lands in a list in any order is sorted later or has a result of its own place. Their numbers of
// thread instructions do not depend on the order either.
const Expected& by_oracle(const workloads::Workload& workload) {
  static std::map<std::string_view, Expected> known;
  auto [entry, added] = known.try_emplace(workload.name);
  if (!added) return entry->second;
  oracle::OracleDevice device;
  RecordingDevice recording(device);
  recording.load(workload.name, workload.ptx());
  const workloads::Check check = workload.run(recording, workloads::Size::Tiny);
  entry->second = {check.passed, check.detail, device.threads(), device.thread_instructions(), recording.image()};
  return entry->second;
}

struct Exception {
  std::string_view mechanism;  // "": any
  std::string_view workload;
  unsigned warp_below;  // for warps smaller than this
  std::string_view why;
};

// The mechanism may refuse the kernel.
constexpr Exception kMayRefuse[] = {
    {"implicit-stack", "recursion", 33, "no calls"},
    {"implicit-stack", "indirect", 33, "no calls"},
    {"implicit-stack", "fft", 33, "no calls"},
    {"lorie-strong", "recursion", 33, "no recursion"},
    {"lorie-strong", "indirect", 33, "no indirect branches"},
    {"takahashi", "recursion", 33, "no recursion"},
    {"takahashi", "indirect", 33, "no indirect branches"},
    {"chap", "indirect", 33, "no indirect jumps in a structured instruction set"},
    {"amd", "indirect", 33, "no indirect jumps in a structured instruction set"},
    {"pomp", "indirect", 33, "no indirect jumps in a structured instruction set"},
    {"gma", "indirect", 33, "no indirect jumps in a structured instruction set"},
    {"sandy-bridge", "indirect", 33, "no indirect jumps in a structured instruction set"},
    {"chap", "recursion", 33, "no recursion"},
    {"gma", "recursion", 33, "no recursion"},
    {"sandy-bridge", "recursion", 33, "no recursion"},
};

// The run may go on for ever, and is given up.
constexpr Exception kMayNeverEnd[] = {
    {"implicit-stack", "nvrt", 33,
     "lanes pass by those that wait behind the walk, lane 0 among them, and trace the same rays again and again"},
};

// The result is what it is: the run must end and its statistics add up, no more.
constexpr Exception kNoResult[] = {
    {"", "nvrt", 32, "its warps of 32 lanes are no longer in lockstep when they issue in pieces"},
    {"dwf", "nvrt", 33, "dynamic warp formation breaks the warp synchrony that nvrt leans on"},
    {"sbi", "nvrt", 33, "lanes look for rays while lane 0 takes some: a third path of the warp is its first"},
    {"sbi+swi", "nvrt", 33, "as under sbi"},
    {"dws", "nvrt", 33, "splits run past the join at which nvrt's lanes look for rays together"},
    {"vws", "nvrt", 33, "slices that have parted do, too"},
};

// The result passes the CPU check, but there is no oracle to compare with.
constexpr Exception kNoOracle[] = {
    {"", "nvrt", 33, "one thread at a time, lane 0 takes all the work before the others look"},
};

// Slots may carry more threads than their lanes show.
constexpr Exception kMoreThanActive[] = {
    {"lwm", "", 33, "an unconditional branch takes one slot for all threads of a large warp (one_slot_jumps)"},
};

struct Case {
  const MechanismRow* mechanism;
  const workloads::Workload* workload;
  unsigned warp;
  std::string setting = "";       // of the mechanism: "key=value"
  std::string_view machine = "";  // a preset with its clock; "": emulation
  std::string_view lanes = "none";
};

template <size_t N>
bool listed(const Exception (&list)[N], const Case& c) {
  for (const Exception& each : list)
    if ((each.mechanism.empty() || each.mechanism == c.mechanism->name) &&
        (each.workload.empty() || each.workload == c.workload->name) && c.warp < each.warp_below)
      return true;
  return false;
}

// Threads of one warp wait for each other, and the mechanism does not promise that all get on: either it ends and is
// right, or it is given up.
bool may_wait_for_ever(const Case& c) {
  return c.workload->kind == workloads::Kind::Waits && (!c.mechanism->fair || c.setting == "yield=none");
}

// Every value of the mechanism's own keys that is not the initial one.
std::vector<std::string> settings_of(const MechanismRow& mechanism) {
  std::vector<std::string> settings;
  for (const Key& key : mechanism.keys) {
    std::string choices(key.kind == Key::Kind::Choice    ? key.choices
                        : key.kind == Key::Kind::Boolean ? "true false"
                                                         : "");
    std::istringstream words(choices);
    for (std::string word; words >> word;)
      if (word != key.initial) settings.push_back(fmt::format("{}={}", key.name, word));
  }
  return settings;
}

constexpr std::string_view kMachines[] = {"tbc-hpca11", "capri-isca12", "large-warp-2010", "default"};

// Those of the m-th mechanism and the w-th workload. Every workload meets all choices, and every mechanism does.
void add_cases(std::vector<Case>& cases, size_t m, size_t w) {
  const MechanismRow& mechanism = mechanisms()[m];
  const workloads::Workload& workload = workloads::all()[w];
  auto turn = [&, at = m + w](size_t every) mutable { return full_run() || at++ % every == 0; };
  cases.push_back({&mechanism, &workload, 32});
  for (const unsigned warp : {4U, 8U})
    if (turn(6)) cases.push_back({&mechanism, &workload, warp});
  for (const std::string& setting : settings_of(mechanism))
    if (turn(16)) cases.push_back({&mechanism, &workload, 32, setting});
  for (const std::string_view machine : kMachines)
    if (turn(8)) cases.push_back({&mechanism, &workload, 32, "", machine});
  for (const LaneMap::Row& lanes : LaneMap::all().subspan(1))
    for (const std::string_view machine : {"", "slp-isca13"})
      if (turn(19)) cases.push_back({&mechanism, &workload, 32, "", machine, lanes.name});
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (size_t m = 0; m < mechanisms().size(); ++m)
    for (size_t w = 0; w < workloads::all().size(); ++w) add_cases(result, m, w);
  // Five does not divide the number of any of the choices: the selection has some of each.
  const size_t every = amount(1, 1, 5);
  std::vector<Case> chosen;
  for (size_t i = 0; i < result.size(); i += every) chosen.push_back(result[i]);
  return chosen;
}

void statistics_add_up(const KernelStats& stats, unsigned warp) {
  uint64_t slots = 0, active = 0;
  for (unsigned n = 0; n <= 32; ++n) {
    slots += stats.active_threads[n];
    active += n * stats.active_threads[n];
    EXPECT_TRUE(n <= warp || stats.active_threads[n] == 0) << n << " threads in a warp of " << warp;
  }
  EXPECT_EQ(slots, stats.issue_slots);
  EXPECT_EQ(active, stats.active_slots);
  EXPECT_LE(stats.active_slots, stats.thread_instructions + stats.phantom_threads);
  EXPECT_LE(stats.phantom_slots, stats.issue_slots);
  EXPECT_LE(stats.divergent_branches, stats.branches);
  EXPECT_LE(stats.predicated_off, stats.thread_instructions);
  EXPECT_GE(stats.deepest, 1U);
}

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.mechanism->name << " " << c.workload->name << " warp_size=" << c.warp << " " << c.setting << " "
       << c.machine << " lanes " << c.lanes;
}

class Contract : public ::testing::TestWithParam<Case> {};

TEST_P(Contract, same_memory_as_the_oracle_and_statistics_that_add_up) {
  const auto [mechanism, workload, warp, setting, machine, lanes] = GetParam();
  std::vector<std::string> assignments = {fmt::format("warp_size={}", warp)};
  if (!setting.empty()) assignments.push_back(setting);
  const bool may_never_end = listed(kMayNeverEnd, GetParam()) || may_wait_for_ever(GetParam());
  if (may_never_end) {
    assignments.push_back("max_slots=1000000");
    assignments.push_back("max_cycles=1000000");
    assignments.push_back("spin_limit=20000");
  }
  GpuOptions options;
  options.mechanism = mechanism->name;
  options.timed = !machine.empty();
  options.lanes = LaneMap::named(lanes);
  Gpu gpu(make_config(options.timed ? machine : "default", assignments), options);
  RecordingDevice recording(gpu);
  recording.load(workload->name, workload->ptx());
  workloads::Check check;
  try {
    check = workload->run(recording, workloads::Size::Tiny);
  } catch (const Error& error) {
    if (error.code() == ExitCode::Refused && listed(kMayRefuse, GetParam())) return;
    if (error.code() == ExitCode::Refused && mechanism->bound && options.timed) return;
    if (error.code() == ExitCode::Deadlock && may_never_end) return;
    FAIL() << error.what();
  }
  const KernelStats total = gpu.total();
  EXPECT_EQ(total.threads, recording.launched_threads());
  statistics_add_up(total, warp);
  // No workload has warp-wide instructions, which are charged to the last who comes.
  if (!listed(kMoreThanActive, GetParam()) || setting == "one_slot_jumps=false") {
    EXPECT_EQ(total.active_slots, total.thread_instructions + total.phantom_threads);
  }
  if (listed(kNoResult, GetParam())) {
    RecordProperty("result", check.passed ? "right" : "wrong");
    return;
  }
  EXPECT_TRUE(check.passed) << check.detail;
  if (listed(kNoOracle, GetParam()) || workload->kind == workloads::Kind::Waits) return;  // how often they ask varies
  const Expected& expected = by_oracle(*workload);
  EXPECT_TRUE(expected.passed) << "the oracle: " << expected.detail;
  EXPECT_EQ(total.threads, expected.threads);
  EXPECT_EQ(total.thread_instructions, expected.thread_instructions);
  EXPECT_EQ(difference(expected.image, recording.image()), "");
}

INSTANTIATE_TEST_SUITE_P(EveryMechanism, Contract, ::testing::ValuesIn(cases()), [](const auto& info) {
  const Case& c = info.param;
  std::string name =
      fmt::format("{}_{}_{}{}{}{}{}_{}", c.mechanism->name, c.workload->name, c.warp, c.setting.empty() ? "" : "_",
                  c.setting, c.machine.empty() ? "" : "_on_", c.machine, c.lanes);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace heddle::test::contract_test
