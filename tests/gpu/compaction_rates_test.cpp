// Compaction rates of whole kernels: derived by hand, and the laws they obey.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "divergence/lane_map.h"
#include "gpu/gpu.h"
#include "gpu/small_gpu.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

GpuOptions counting(std::string_view mechanism = "tbc") {
  GpuOptions options;
  options.mechanism = mechanism;
  options.instruments.add("taint");
  return options;
}

uint64_t compacted(const PathCounts& counts, std::string_view map) {
  for (size_t i = 0; i < LaneMap::all().size(); ++i)
    if (LaneMap::all()[i].name == map) return counts.compacted[i];
  return ~uint64_t{0};
}

// The tree of reduction0: threads whose number is a multiple of 2, 4, 8 … 256, by themselves or as memory has it.
std::string tree(bool by_data) {
  return with_header(fmt::format(R"(
.visible .entry k(.param .u64 numbers) {{
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<3>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [numbers];
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  {}
  mov.u32 %r2, 2;
AGAIN:
  rem.u32 %r3, %r1, %r2;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra SKIP;
  st.global.u32 [%rd2], %r1;
SKIP:
  bar.sync 0;
  shl.b32 %r2, %r2, 1;
  setp.le.u32 %p2, %r2, 256;
  @%p2 bra AGAIN;
  ret;
}})",
                                 by_data ? "ld.global.u32 %r1, [%rd2];" : ""));
}

CompactionStats run_tree(bool by_data, GpuOptions options = counting()) {
  Gpu gpu(make_config("default", {}), std::move(options));
  gpu.load("tree.ptx", tree(by_data));
  std::vector<uint32_t> numbers(256);
  for (unsigned i = 0; i < 256; ++i) numbers[i] = i;
  const Buffer<uint32_t> buffer(gpu, numbers, "numbers");
  gpu.launch("k", {{1}, {256}}, Arguments(buffer.address()));
  return gpu.launches()[0].compaction.value();
}

// With 2s the step, eight warps of 32. One thread in 2s stores: needs all warps that have one, of 8, 8, 8, 8, 8, 4, 2,
// 1; ideally 4, 2, 1, 1, 1, 1, 1, 1. So seven of the eight paths can be compacted; the others go where all meet, and
// have no path. Which a lane map compacts:
//   none           no path: threads of one lane are all active or none is
//   odd_even       s = 1 to 16, where odd warps have neighbours of lane 0; the even ones alone not
//   flip_odd       the same, with lane 31 for lane 0; rotate_odd_1 the same, with lane 1
//   xor_half       s = 16 only: for less, lane 16 is active too
//   rev_wid        masks 0, 16, 8, 24, 4 …, multiples of 4: from s = 4 on, five
//   wid, balanced  masks that differ in their low bits: all seven
TEST(CompactionRates, OfAReductionTreeAreWhatPaperAndPencilSay) {
  const CompactionStats stats = run_tree(false);
  const PathCounts counts = stats.sum(BranchKind::Programmatic);
  EXPECT_EQ(counts.paths, 8U);
  EXPECT_EQ(counts.compactable, 7U);
  const std::pair<const char*, uint64_t> expected[] = {{"none", 0},     {"odd_even", 5},     {"flip_odd", 5},
                                                       {"xor_half", 1}, {"rotate_odd_1", 5}, {"rev_wid", 5},
                                                       {"wid", 7},      {"balanced", 7}};
  for (const auto& [map, paths] : expected) EXPECT_EQ(compacted(counts, map), paths) << map;
  EXPECT_EQ(stats.sum(BranchKind::Data).paths, 0U);
  // Active: 1/2, 1/4, 1/8 and less.
  const auto& quarters = stats.of(BranchKind::Programmatic);
  EXPECT_EQ(quarters[0].paths, 6U);
  EXPECT_EQ(quarters[1].paths, 1U);
  EXPECT_EQ(quarters[2].paths, 1U);
  EXPECT_EQ(quarters[3].paths, 0U);
  EXPECT_EQ(quarters[0].compactable, 5U);
}

TEST(CompactionRates, TheSamePathsAreOfDBranchesWhereMemorySaysWhoGoes) {
  const CompactionStats by_program = run_tree(false), by_data = run_tree(true);
  EXPECT_EQ(by_data.sum(BranchKind::Programmatic).paths, 0U);
  EXPECT_EQ(by_data.of(BranchKind::Data), by_program.of(BranchKind::Programmatic));
}

TEST(CompactionRates, WithoutTaintTheKindIsUnknown) {
  GpuOptions options = counting();
  options.instruments = {"branches"};
  const CompactionStats stats = run_tree(false, options);
  EXPECT_EQ(stats.of(BranchKind::Unknown), run_tree(false).of(BranchKind::Programmatic));
}

TEST(CompactionRates, ThereAreNoneUnlessAskedNorWithoutAStackPerBlock) {
  for (const char* mechanism : {"pdom", "stackless", "lwm", "dwf"}) {
    Gpu gpu(make_config("default", {}), counting(mechanism));
    gpu.load("tree.ptx", tree(false));
    const Buffer<uint32_t> buffer(gpu, 256, "numbers");
    gpu.launch("k", {{1}, {256}}, Arguments(buffer.address()));
    EXPECT_FALSE(gpu.launches()[0].compaction.has_value()) << mechanism;
  }
  GpuOptions plain;
  plain.mechanism = "tbc";
  Gpu gpu(make_config("default", {}), plain);
  gpu.load("tree.ptx", tree(false));
  const Buffer<uint32_t> buffer(gpu, 256, "numbers");
  gpu.launch("k", {{1}, {256}}, Arguments(buffer.address()));
  EXPECT_FALSE(gpu.launches()[0].compaction.has_value());
}

// ---- laws, on workloads

constexpr const char* kWorkloads[] = {"bitonic", "reduction0", "backprop", "lps", "mandelbrot", "bfs", "recursion"};

std::vector<KernelStats> run_tiny(std::string_view name, const GpuOptions& options,
                                  const std::vector<std::string>& set = {}) {
  const workloads::Workload& workload = workloads::find(name);
  Gpu gpu(make_config("default", set), options);
  gpu.load(workload.name, workload.ptx());
  EXPECT_TRUE(workload.run(gpu, workloads::Size::Tiny).passed) << name;
  return {gpu.launches().begin(), gpu.launches().end()};
}

CompactionStats total(const std::vector<KernelStats>& launches) {
  CompactionStats sum;
  for (const KernelStats& stats : launches) sum.add(stats.compaction.value());
  return sum;
}

TEST(CompactionRates, CountsShrinkFromExecutedToCompactedAndAddUp) {
  for (const char* name : kWorkloads) {
    for (const KernelStats& stats : run_tiny(name, counting())) {
      PathCounts sum;
      for (const BranchRecord& record : stats.branch_records) {
        const BlockWideCounts& block = record.block_wide;
        EXPECT_GE(record.executed, record.diverged);
        EXPECT_GE(record.threads, record.data_threads);
        EXPECT_GE(block.executed, block.diverged);
        EXPECT_GE(block.diverged, block.compactable);
        EXPECT_GE(block.compactable, block.compacted);
        EXPECT_GE(block.paths, block.diverged);
        EXPECT_GE(block.paths, block.compactable_paths);
        EXPECT_GE(block.compactable_paths, block.compacted_paths);
        sum.paths += block.paths;
        sum.compactable += block.compactable_paths;
      }
      const CompactionStats& all = stats.compaction.value();
      EXPECT_EQ(all.sum().paths, sum.paths) << name;
      EXPECT_EQ(all.sum().compactable, sum.compactable) << name;
      EXPECT_EQ(all.sum(BranchKind::Unknown).paths, 0U) << name;
      EXPECT_EQ(all.sum(BranchKind::Programmatic).paths + all.sum(BranchKind::Data).paths, sum.paths) << name;
      for (uint64_t each : all.sum().compacted) EXPECT_LE(each, sum.compactable) << name;
    }
  }
}

// tbc groups threads by where they go, not by when they come.
TEST(CompactionRates, WithAClockTheyAndAllRecordsOfBranchesAreTheSame) {
  GpuOptions timed = counting();
  timed.timed = true;
  for (const std::string_view name : kWorkloads) {
    const std::vector<KernelStats> plain = run_tiny(name, counting()), clocked = run_tiny(name, timed, {"cores=3"});
    ASSERT_EQ(plain.size(), clocked.size());
    for (size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(plain[i].compaction, clocked[i].compaction) << name;
      EXPECT_EQ(plain[i].branch_records, clocked[i].branch_records) << name;
    }
  }
}

TEST(CompactionRates, DoNotDependOnTheLaneMapOfTheRun) {
  GpuOptions balanced = counting();
  balanced.lanes = LaneMap::named("balanced");
  for (const char* name : kWorkloads)
    EXPECT_EQ(total(run_tiny(name, balanced)), total(run_tiny(name, counting()))) << name;
}

TEST(CompactionRates, ARecordsCompactedPathsAreThoseOfTheRunsLaneMap) {
  for (const LaneMap::Row& map : LaneMap::all()) {
    GpuOptions options = counting();
    options.lanes = LaneMap::named(map.name);
    const std::vector<KernelStats> launches = run_tiny("bitonic", options);
    uint64_t paths = 0;
    for (const BranchRecord& record : launches[0].branch_records) paths += record.block_wide.compacted_paths;
    EXPECT_EQ(paths, compacted(launches[0].compaction->sum(), map.name)) << map.name;
  }
}

TEST(CompactionRates, NoPBranchIsCompactedWithoutPermutation) {
  for (const char* name : {"bitonic", "reduction0", "backprop", "lps", "mandelbrot"}) {
    const PathCounts counts = total(run_tiny(name, counting())).sum(BranchKind::Programmatic);
    EXPECT_GT(counts.paths, 0U) << name;
    EXPECT_EQ(compacted(counts, "none"), 0U) << name;
  }
}

TEST(CompactionRates, BranchRecordsAreTheSameWithAndWithoutTaintButForIt) {
  for (const char* mechanism : {"pdom", "tbc", "dwf"}) {
    GpuOptions plain;
    plain.mechanism = mechanism;
    std::vector<KernelStats> with = run_tiny("bitonic", counting(mechanism));
    const std::vector<KernelStats> without = run_tiny("bitonic", plain);
    for (KernelStats& stats : with) {
      stats.compaction.reset();
      for (BranchRecord& record : stats.branch_records) record = {record.pc, record.executed, record.diverged};
    }
    EXPECT_EQ(with, without) << mechanism;
  }
}

}  // namespace
}  // namespace heddle::test
