#include "observe/compaction_census.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "observe/compaction_rates.h"
#include "support/scripted.h"

namespace heddle {
namespace {

using scripted::Listing;
using scripted::ScriptedMachine;
using scripted::Visit;

size_t map_named(std::string_view name) {
  size_t index = 0;
  while (LaneMap::all()[index].name != name) ++index;
  return index;
}

// One block on a host of its own, whose threads diverge at A.
struct Bench {
  Bench(unsigned width, unsigned threads, std::string_view map = "none", unsigned first = 0)
      : host(listing.kernel(), width, LaneMap::named(map)), threads(threads) {
    host.start_block(BlockId(0), {Hw(first), threads, 0});
  }
  // These take the branch, all others do not.
  void part(const BlockMask& taken) {
    const BlockMask others = BlockMask::range(0, threads).without(taken);
    std::vector<BlockPath> paths;
    if (!others.empty()) paths.push_back({1, others});
    if (!taken.empty()) paths.push_back({2, taken});
    census.branch(host, BlockId(0), 0, 3, paths, false);
  }
  const BlockWideCounts& counts() const { return census.branch(0); }
  // Both as "compactable/compacted".
  std::string paths() const {
    return fmt::format("{}/{} of {}", counts().compactable_paths, counts().compacted_paths, counts().paths);
  }
  uint64_t compacted(std::string_view map) const { return census.stats().sum().compacted[map_named(map)]; }

  Listing listing{"A: if C\n B: br D\n C: op\n D: exit"};
  Host host;
  unsigned threads;
  CompactionCensus census{listing.kernel(), false};
};

// "01--,--67": warps of four, a dash is an inactive lane.
BlockMask mask_of(std::string_view warps) {
  BlockMask mask;
  unsigned thread = 0;
  for (char each : warps) {
    if (each == ',') continue;
    if (each != '-') mask.add(thread);
    ++thread;
  }
  return mask;
}

std::string paths_of(std::string_view taken) {
  Bench bench(4, static_cast<unsigned>(4 * (1 + std::count(taken.begin(), taken.end(), ','))));
  bench.part(mask_of(taken));
  return bench.paths();
}

TEST(CompactionCensus, CountsTheWorkedExamples) {
  // The taken path, then the other one: warps none > ideal (compactable), none > tbc (compacted).
  EXPECT_EQ(paths_of("0---,4---,8---,C---"), "2/0 of 2");  // 4 4 1; 12 threads in lanes 1 to 3: 4 4 3
  EXPECT_EQ(paths_of("01--,45--,89--,CD--"), "2/0 of 2");  // 4 4 2; 4 4 2
  EXPECT_EQ(paths_of("0-2-,4-6-,8-A-,C-E-"), "2/0 of 2");
  EXPECT_EQ(paths_of("0123,456-,89--,C---"), "2/0 of 2");  // 4 4 3; ---7, --AB, -DEF: 3 3 2
  EXPECT_EQ(paths_of("01--,--67,89--,--EF"), "2/2 of 2");  // 4 2 2; 4 2 2
  EXPECT_EQ(paths_of("0123,45--,--AB,CDEF"), "2/2 of 2");  // 4 3 3; --67, 89--: 2 1 1
  EXPECT_EQ(paths_of("01--,45--,--AB,--EF"), "2/2 of 2");
  EXPECT_EQ(paths_of("0-2-,4-6-,-9-B,-D-F"), "2/2 of 2");
}

TEST(CompactionCensus, ABranchIsDivergentOnlyIfAStaticWarpParts) {
  Bench bench(4, 8);
  bench.part(mask_of("0123,----"));  // whole warps
  bench.part(mask_of("0123,4567"));  // everybody
  bench.part(mask_of("----,----"));  // nobody
  EXPECT_EQ(bench.counts(), (BlockWideCounts{.executed = 3}));
  bench.part(mask_of("0123,4---"));
  EXPECT_EQ(bench.counts().diverged, 1U);
  EXPECT_EQ(bench.counts().paths, 2U);
}

// The rim of 3DFD: eight warps of two rows of 16, of which `tx < 4` has something to do and the others nothing.
// Balanced compacts the one path there is, as the paper says, and could not compact the other.
TEST(CompactionCensus, APathThatStartsWhereTheyMeetIsNone) {
  BlockMask rim;
  for (unsigned thread = 0; thread < 256; ++thread)
    if (thread % 16 < 4) rim.add(thread);
  const std::vector<BlockPath> paths{{1, BlockMask::range(0, 256).without(rim)}, {2, rim}};
  const auto counts = [&](Pc meets) {
    Bench bench(32, 256);
    bench.census.branch(bench.host, BlockId(0), 0, meets, paths, false);
    const PathCounts sum = bench.census.stats().sum();
    return fmt::format("{} {} {}", sum.paths, sum.compactable, sum.compacted[map_named("balanced")]);
  };
  EXPECT_EQ(counts(1), "1 1 1");
  EXPECT_EQ(counts(2), "1 1 0");
  EXPECT_EQ(counts(3), "2 2 1");
}

TEST(CompactionCensus, PassesOverBranchesWithoutAChoice) {
  Bench bench(4, 8);
  const BlockPath path{3, BlockMask::range(0, 8)};
  bench.census.branch(bench.host, BlockId(0), 1, kNoPc, {&path, 1}, false);
  EXPECT_EQ(bench.census.branch(1), BlockWideCounts{});
}

TEST(CompactionCensus, AnswersForEveryLaneMapAtOnce) {
  BlockMask even, low;  // of four warps of eight: the even lanes, the lower half
  for (unsigned thread = 0; thread < 32; thread += 2) even.add(thread);
  for (unsigned thread = 0; thread < 32; ++thread)
    if (thread % 8 < 4) low.add(thread);
  Bench evens(8, 32), lows(8, 32);
  evens.part(even);
  lows.part(low);
  const std::map<std::string, std::pair<uint64_t, uint64_t>> expected{
      {"none", {0, 0}}, {"odd_even", {2, 0}}, {"rev_wid", {0, 2}}, {"balanced", {2, 2}}};
  for (const auto& [name, compacted] : expected) {
    EXPECT_EQ(evens.compacted(name), compacted.first) << name;
    EXPECT_EQ(lows.compacted(name), compacted.second) << name;
  }
  EXPECT_EQ(evens.census.stats().sum().compactable, 2U);
}

TEST(CompactionCensus, ARecordSpeaksOfTheLaneMapOfTheRun) {
  BlockMask even;
  for (unsigned thread = 0; thread < 32; thread += 2) even.add(thread);
  Bench none(8, 32), balanced(8, 32, "balanced", 64);
  none.part(even);
  balanced.part(even);
  EXPECT_EQ(none.paths(), "2/0 of 2");
  EXPECT_EQ(balanced.paths(), "2/2 of 2");
  EXPECT_EQ(none.census.stats(), balanced.census.stats());
}

TEST(CompactionCensus, PutsAPathIntoTheQuarterOfItsShareOfTheBlock) {
  const auto quarter = [](unsigned active) {
    Bench bench(4, 16);
    BlockMask taken;  // lanes 0 first, so that warps diverge
    for (unsigned i = 0; i < active; ++i) taken.add(4 * (i % 4) + i / 4);
    bench.part(taken);
    std::string text;
    for (const PathCounts& counts : bench.census.stats().of(BranchKind::Unknown)) text += std::to_string(counts.paths);
    return text;
  };
  EXPECT_EQ(quarter(1), "1001");
  EXPECT_EQ(quarter(3), "1001");
  EXPECT_EQ(quarter(4), "0101");  // 25 % and 75 %
  EXPECT_EQ(quarter(7), "0110");
  EXPECT_EQ(quarter(8), "0020");  // 50 % twice
  EXPECT_EQ(quarter(15), "1001");
}

TEST(CompactionCensus, SaysOfRandomPathsWhatCountingThreadByThreadSays) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 200; ++round) {
    const unsigned width = 4U << random() % 4, threads = width * (1 + random() % 8) - random() % width;
    Bench bench(width, threads, "none", 32);
    BlockMask taken;
    for (unsigned thread = 0; thread < threads; ++thread)
      if (random() % 4 <= round % 4) taken.add(thread);
    bench.part(taken);
    uint64_t compactable = 0;
    std::map<size_t, uint64_t> compacted;
    std::map<unsigned, std::set<bool>> sides;  // by static warp
    for (unsigned thread = 0; thread < threads; ++thread) sides[thread / width].insert(taken.has(thread));
    const bool parts = std::any_of(sides.begin(), sides.end(), [](const auto& side) { return side.second.size() > 1; });
    for (const bool side : {false, true}) {
      unsigned active = 0;
      std::set<unsigned> warps;
      std::map<std::pair<size_t, unsigned>, unsigned> lanes;  // by map and lane
      for (unsigned thread = 0; thread < threads; ++thread) {
        if (taken.has(thread) != side) continue;
        ++active;
        warps.insert(thread / width);
        for (size_t map = 0; map < LaneMap::all().size(); ++map)
          ++lanes[{map, LaneMap::all()[map].lane(thread / width, thread % width, width)}];
      }
      compactable += (active + width - 1) / width < warps.size();
      for (size_t map = 0; map < LaneMap::all().size(); ++map) {
        const bool fits = std::all_of(lanes.begin(), lanes.end(), [&](const auto& lane) {
          return lane.first.first != map || lane.second < warps.size();
        });
        compacted[map] += fits && !warps.empty();
      }
    }
    const PathCounts counts = bench.census.stats().sum();
    EXPECT_EQ(counts.paths, parts ? 2U : 0U);
    if (!parts) continue;
    EXPECT_EQ(counts.compactable, compactable);
    for (size_t map = 0; map < LaneMap::all().size(); ++map) EXPECT_EQ(counts.compacted[map], compacted[map]) << map;
  }
}

// ---- told by tbc

TEST(CompactionCensus, HearsOfFigure7) {
  const Listing listing("A: if C\n B: br D\n C: op\n D: exit");
  const auto rates = std::make_shared<CompactionRates>();
  const std::set<unsigned> taken{0, 5, 6};
  ScriptedMachine machine(listing, "tbc", {.threads = 8, .set = {"warp_size=4"}},
                          [&](const Visit& visit) { return taken.contains(visit.thread) ? 1U : 0U; });
  machine.watch(rates);
  machine.run();
  // {0,5,6} needs one warp instead of two, the five others need two.
  EXPECT_EQ(rates->census().branch(listing.at("A")), (BlockWideCounts{1, 1, 1, 1, 2, 1, 1}));
}

TEST(CompactionCensus, HearsOfEveryTripOfALoop) {
  // Trips 1,2,3,1,3,1,1,2: {1,2,4,7} stay and {0,3,5,6} leave, {2,4} stay and {1,7} leave, {2,4} leave together. Who
  // leaves is where all meet.
  const Listing listing("L: op\n M: op\n N: if L\n X: exit");
  constexpr unsigned trips[] = {1, 2, 3, 1, 3, 1, 1, 2};
  for (const char* wait_at : {"wait_at=all", "wait_at=not_uni"}) {
    const auto rates = std::make_shared<CompactionRates>();
    ScriptedMachine machine(listing, "tbc", {.threads = 8, .set = {"warp_size=4", wait_at}},
                            [&](const Visit& visit) { return visit.time < trips[visit.thread] ? 1U : 0U; });
    machine.watch(rates);
    machine.run();
    EXPECT_EQ(rates->census().branch(listing.at("N")), (BlockWideCounts{3, 2, 2, 2, 2, 2, 2}));
  }
}

}  // namespace
}  // namespace heddle
