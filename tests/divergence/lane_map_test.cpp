#include "divergence/lane_map.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "divergence/support/compactor.h"
#include "support/scripted.h"

namespace heddle::lane_map_test {
namespace {

std::vector<unsigned> lanes_of_zero(std::string_view map, unsigned width, unsigned warps) {
  std::vector<unsigned> lanes;
  for (unsigned warp = 0; warp < warps; ++warp) lanes.push_back(LaneMap::named(map).lane(warp, 0, width));
  return lanes;
}

std::vector<unsigned> row_of(std::string_view map, unsigned warp, unsigned width) {
  std::vector<unsigned> lanes;
  for (unsigned lane = 0; lane < width; ++lane) lanes.push_back(LaneMap::named(map).lane(warp, lane, width));
  return lanes;
}

// NW_tbc of four warps of 8 in which the same logical lanes are active.
unsigned needed_by_four_warps(std::string_view map, std::initializer_list<unsigned> active) {
  const scripted::Listing listing("A: exit");
  Host host(listing.kernel(), 8, LaneMap::named(map));
  host.start_block(BlockId(0), {Hw(0), 32, 0});
  BlockMask threads;
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned lane : active) threads.add(warp * 8 + lane);
  return warps_needed(host, BlockId(0), threads).tbc;
}

using Lanes = std::vector<unsigned>;

TEST(LaneMap, BalancedHasTheMasksOfThePaper) {
  EXPECT_EQ(lanes_of_zero("balanced", 8, 8), (Lanes{0b000, 0b111, 0b001, 0b110, 0b010, 0b101, 0b011, 0b100}));
  EXPECT_EQ(lanes_of_zero("balanced", 4, 8), (Lanes{0, 3, 1, 2, 0, 3, 1, 2}));
}

TEST(LaneMap, BalancedShowsEveryLaneEveryLogicalLaneOnce) {
  for (unsigned width : {2U, 4U, 8U, 16U, 32U})
    for (unsigned lane = 0; lane < width; ++lane) {
      std::set<unsigned> seen;
      for (unsigned warp = 0; warp < width; ++warp) seen.insert(LaneMap::named("balanced").lane(warp, lane, width));
      EXPECT_EQ(seen.size(), width);
    }
}

TEST(LaneMap, EveryMapPermutesTheLanesOfEveryWarp) {
  for (const LaneMap::Row& row : LaneMap::all())
    for (unsigned width : {2U, 4U, 8U, 16U, 32U})
      for (unsigned warp = 0; warp < 64; ++warp) {
        const Lanes lanes = row_of(row.name, warp, width);
        EXPECT_EQ(std::set<unsigned>(lanes.begin(), lanes.end()).size(), width) << row.name;
        EXPECT_LT(*std::max_element(lanes.begin(), lanes.end()), width) << row.name;
      }
}

TEST(LaneMap, TheOddWarpMapsLeaveEvenWarpsAlone) {
  for (std::string_view name : {"odd_even", "flip_odd", "xor_half", "rotate_odd_1"})
    EXPECT_EQ(row_of(name, 2, 4), (Lanes{0, 1, 2, 3})) << name;
  EXPECT_EQ(row_of("odd_even", 1, 4), (Lanes{1, 0, 3, 2}));
  EXPECT_EQ(row_of("flip_odd", 1, 4), (Lanes{3, 2, 1, 0}));
  EXPECT_EQ(row_of("xor_half", 1, 4), (Lanes{2, 3, 0, 1}));
  EXPECT_EQ(row_of("rotate_odd_1", 1, 4), (Lanes{1, 2, 3, 0}));
}

TEST(LaneMap, WarpNumbersAreXoredPlainOrBitReversed) {
  EXPECT_EQ(lanes_of_zero("wid", 8, 9), (Lanes{0, 1, 2, 3, 4, 5, 6, 7, 0}));
  EXPECT_EQ(lanes_of_zero("rev_wid", 8, 9), (Lanes{0, 4, 2, 6, 1, 5, 3, 7, 0}));
}

TEST(LaneMap, AlternatingLanesAreCompactedByOddEvenAndBalanced) {
  EXPECT_EQ(needed_by_four_warps("none", {0, 2, 4, 6}), 4U);
  EXPECT_EQ(needed_by_four_warps("odd_even", {0, 2, 4, 6}), 2U);
  EXPECT_EQ(needed_by_four_warps("rev_wid", {0, 2, 4, 6}), 4U);
  EXPECT_EQ(needed_by_four_warps("balanced", {0, 2, 4, 6}), 2U);
}

TEST(LaneMap, TheLowerHalfIsCompactedByRevWidAndBalanced) {
  EXPECT_EQ(needed_by_four_warps("none", {0, 1, 2, 3}), 4U);
  EXPECT_EQ(needed_by_four_warps("odd_even", {0, 1, 2, 3}), 4U);
  EXPECT_EQ(needed_by_four_warps("rev_wid", {0, 1, 2, 3}), 2U);
  EXPECT_EQ(needed_by_four_warps("balanced", {0, 1, 2, 3}), 2U);
}

TEST(LaneMap, AWrongNameListsTheRightOnes) {
  try {
    LaneMap::named("balanced_");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_NE(std::string(error.what()).find("balanced"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("rev_wid"), std::string::npos);
  }
}

}  // namespace
}  // namespace heddle::lane_map_test
