#include "divergence/support/compactor.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/scripted.h"

namespace heddle::compactor_test {
namespace {

// One block on a host of its own.
struct CompactorBench {
  CompactorBench(unsigned width, unsigned threads, std::string_view map = "none", unsigned first = 0)
      : host(listing.kernel(), width, LaneMap::named(map)) {
    host.start_block(BlockId(0), {Hw(first), threads, 0});
  }
  // "(0,-,6,7)(…)": lane by lane, by number in the block.
  std::string text(std::span<const Group> warps) const {
    std::string result;
    for (const Group& warp : warps) {
      std::vector<std::string> lanes(host.warp_size(), "-");
      for_each_lane(warp.mask, [&](unsigned k) {
        const unsigned lane = warp.kind == Group::Kind::List ? k : host.home_lane(BlockId(0), warp.thread(k));
        lanes[lane] = std::to_string(warp.thread(k) - host.block(BlockId(0)).first);
      });
      std::string inner;
      for (const std::string& lane : lanes) inner += (inner.empty() ? "" : ",") + lane;
      result += "(" + inner + ")";
    }
    return result;
  }

  scripted::Listing listing{"A: exit"};
  Host host;
  Compactor compactor;
};

BlockMask set_of(std::initializer_list<unsigned> threads) {
  BlockMask mask;
  for (unsigned thread : threads) mask.add(thread);
  return mask;
}

// "01--,--67": warps of four, a dash is an inactive lane.
WarpsNeeded needed(std::string_view warps) {
  BlockMask mask;
  unsigned thread = 0;
  for (char each : warps) {
    if (each == ',') continue;
    if (each != '-') mask.add(thread);
    ++thread;
  }
  const CompactorBench bench(4, thread);
  return warps_needed(bench.host, BlockId(0), mask);
}

TEST(WarpsNeeded, IsTheFullestLaneWhereThreadsKeepTheirLanes) {
  EXPECT_EQ(needed("0---,4---,8---,C---"), (WarpsNeeded{4, 4, 1}));
  EXPECT_EQ(needed("01--,45--,89--,CD--"), (WarpsNeeded{4, 4, 2}));
  EXPECT_EQ(needed("0-2-,4-6-,8-A-,C-E-"), (WarpsNeeded{4, 4, 2}));
  EXPECT_EQ(needed("0123,456-,89--,C---"), (WarpsNeeded{4, 4, 3}));
  EXPECT_EQ(needed("0123,4567"), (WarpsNeeded{2, 2, 2}));
  EXPECT_EQ(needed("01--,--67,89--,--EF"), (WarpsNeeded{4, 2, 2}));
  EXPECT_EQ(needed("0123,45--,--AB,CDEF"), (WarpsNeeded{4, 3, 3}));
  EXPECT_EQ(needed("01--,45--,--AB,--EF"), (WarpsNeeded{4, 2, 2}));
  EXPECT_EQ(needed("0-2-,4-6-,-9-B,-D-F"), (WarpsNeeded{4, 2, 2}));
}

TEST(WarpsNeeded, CountsNoWarpForNobody) { EXPECT_EQ(needed("----,----"), (WarpsNeeded{0, 0, 0})); }

TEST(Compactor, FormsTheWarpsOfCapriFigure3) {
  CompactorBench bench(4, 8);
  EXPECT_EQ(bench.text(bench.compactor.compact(bench.host, BlockId(0), set_of({0, 6, 7}))), "(0,-,6,7)");
  EXPECT_EQ(bench.text(bench.compactor.compact(bench.host, BlockId(0), set_of({1, 2, 3, 4, 5}))), "(4,1,2,3)(-,5,-,-)");
}

TEST(Compactor, TakesTheLowestWaitingThreadOfEachLane) {
  CompactorBench bench(4, 16);
  EXPECT_EQ(bench.text(bench.compactor.compact(bench.host, BlockId(0), set_of({4, 8, 12, 9, 3}))),
            "(4,9,-,3)(8,-,-,-)(12,-,-,-)");
}

TEST(Compactor, GivesTheStaticWarpsBackForAFullSetUnderEveryLaneMap) {
  for (const LaneMap::Row& map : LaneMap::all())
    for (unsigned width : {4U, 8U, 32U})
      for (unsigned threads : {32U, 100U, 256U}) {
        CompactorBench bench(width, threads, map.name, 64);
        const auto warps = bench.compactor.compact(bench.host, BlockId(0), BlockMask::range(0, threads));
        ASSERT_EQ(warps.size(), bench.host.warps_of(bench.host.block(BlockId(0))));
        for (unsigned i = 0; i < warps.size(); ++i) {
          const Group expected = bench.host.static_warp(BlockId(0), i);
          EXPECT_EQ(warps[i].kind, Group::Kind::Rows);
          EXPECT_EQ(warps[i].row, expected.row);
          EXPECT_EQ(warps[i].mask, expected.mask);
        }
      }
}

TEST(Compactor, LeavesThreadsOfOneStaticWarpARow) {
  CompactorBench bench(4, 16);
  const auto alone = bench.compactor.compact(bench.host, BlockId(0), set_of({5, 7}));
  EXPECT_EQ(alone[0].kind, Group::Kind::Rows);
  EXPECT_EQ(alone[0].mask, LaneMask(0b1010'0000));
  EXPECT_EQ(bench.compactor.compact(bench.host, BlockId(0), set_of({5, 8}))[0].kind, Group::Kind::List);
}

TEST(Compactor, WithoutCompactionKeepsEveryThreadInItsStaticWarp) {
  CompactorBench bench(4, 16, "none", 32);
  const auto warps = bench.compactor.keep_static(bench.host, BlockId(0), set_of({1, 2, 9, 15}));
  EXPECT_EQ(bench.text(warps), "(-,1,2,-)(-,9,-,-)(-,-,-,15)");
  for (const Group& warp : warps) EXPECT_EQ(warp.kind, Group::Kind::Rows);
}

TEST(Compactor, PlacesEveryThreadOnceAtHomeInAsFewWarpsAsItsLanesAllow) {
  std::mt19937 random(1);
  for (const LaneMap::Row& map : LaneMap::all())
    for (unsigned width : {4U, 8U, 32U}) {
      CompactorBench bench(width, 224, map.name, 32);
      BlockMask wanted, placed;
      for (unsigned thread = 0; thread < 224; ++thread)
        if (random() % 3 == 0) wanted.add(thread);
      const auto warps = bench.compactor.compact(bench.host, BlockId(0), wanted);
      EXPECT_EQ(warps.size(), warps_needed(bench.host, BlockId(0), wanted).tbc);
      for (const Group& warp : warps) {
        EXPECT_EQ(warp.count, warp.mask.count());
        std::set<unsigned> lanes;
        for_each_lane(warp.mask, [&](unsigned k) {
          const unsigned home = bench.host.home_lane(BlockId(0), warp.thread(k));
          if (warp.kind == Group::Kind::List) {
            EXPECT_EQ(k, home);
          }
          EXPECT_TRUE(lanes.insert(home).second);
          EXPECT_FALSE(placed.has(warp.thread(k) - 32U));
          placed.add(warp.thread(k) - 32U);
        });
      }
      EXPECT_EQ(placed, wanted);
    }
}

// What is said of warps without forming them is what they are when they are formed.
TEST(Compactor, SizesAndDivisionsAreThoseOfTheWarpsItForms) {
  std::mt19937 random(7);
  const auto some = [&](unsigned threads, unsigned one_in) {
    BlockMask mask;
    for (unsigned thread = 0; thread < threads; ++thread)
      if (random() % one_in == 0) mask.add(thread);
    return mask;
  };
  for (const std::string_view map : {"none", "balanced"})
    for (const unsigned width : {4U, 8U, 32U})
      for (const auto rule : {Compactor::Rule::HomeLanes, Compactor::Rule::StaticWarps, Compactor::Rule::AnyLane})
        for (unsigned trial = 0; trial < 60; ++trial) {
          const unsigned threads = 32 * (1 + trial % 9) - trial % 5, first = 64;
          CompactorBench bench(width, threads, map, first);
          const BlockMask all = some(threads, 1 + trial % 4), chosen = some(threads, 1 + trial % 7);
          const std::span<const Group> formed = bench.compactor.form(rule, bench.host, BlockId(0), all);
          const std::span<const uint8_t> sizes = bench.compactor.sizes(rule, bench.host, BlockId(0), all);
          const std::span<const bool> divided = bench.compactor.divides(rule, bench.host, BlockId(0), all, chosen);
          ASSERT_EQ(sizes.size(), formed.size());
          ASSERT_EQ(divided.size(), formed.size());
          for (size_t i = 0; i < formed.size(); ++i) {
            unsigned of_chosen = 0;
            for_each_lane(formed[i].mask, [&](unsigned k) { of_chosen += chosen.has(formed[i].thread(k) - first); });
            EXPECT_EQ(sizes[i], formed[i].count) << map << " " << width << " " << i;
            EXPECT_EQ(divided[i], of_chosen > 0 && of_chosen < formed[i].count) << map << " " << width << " " << i;
          }
        }
}

}  // namespace
}  // namespace heddle::compactor_test
