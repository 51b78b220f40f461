#include "base/lane_mask.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

TEST(LaneMask, CountsTheBitsOneByOne) {
  uint32_t bits = 1;
  for (int i = 0; i < 10000; ++i) {
    unsigned expected = 0;
    for (unsigned lane = 0; lane < 32; ++lane) expected += bits >> lane & 1;
    ASSERT_EQ(LaneMask(bits).count(), expected) << bits;
    bits = bits * 1664525 + 1013904223;
  }
  EXPECT_EQ(LaneMask::all().count(), 32U);
}

TEST(LaneMask, starts_empty) {
  EXPECT_TRUE(LaneMask().empty());
  EXPECT_EQ(LaneMask().count(), 0U);
  EXPECT_FALSE(LaneMask().full());
}

TEST(LaneMask, first_covers_none_some_and_all_lanes) {
  EXPECT_EQ(LaneMask::first(0).bits(), 0U);
  EXPECT_EQ(LaneMask::first(5).bits(), 0x1fU);
  EXPECT_EQ(LaneMask::first(31).bits(), 0x7fff'ffffU);
  EXPECT_TRUE(LaneMask::first(32).full());
  EXPECT_EQ(LaneMask::first(32), LaneMask::all());
}

TEST(LaneMask, adds_and_removes_single_lanes_at_both_ends) {
  LaneMask mask = LaneMask::of(31);
  mask.add(0);
  EXPECT_EQ(mask.bits(), 0x8000'0001U);
  EXPECT_TRUE(mask.has(0) && mask.has(31) && !mask.has(1));
  EXPECT_EQ(mask.lowest(), 0U);
  mask.remove(0);
  EXPECT_EQ(mask.lowest(), 31U);
  mask.remove(5);
  EXPECT_EQ(mask, LaneMask::of(31));
}

TEST(LaneMask, is_a_set) {
  const LaneMask a(0b1100), b(0b1010);
  EXPECT_EQ((a & b).bits(), 0b1000U);
  EXPECT_EQ((a | b).bits(), 0b1110U);
  EXPECT_EQ(a.without(b).bits(), 0b0100U);
  EXPECT_EQ((~a).bits(), ~0b1100U);
  LaneMask c = a;
  c |= b;
  c &= LaneMask(0b0110);
  EXPECT_EQ(c.bits(), 0b0110U);
}

TEST(LaneMask, visits_its_lanes_lowest_first) {
  std::vector<unsigned> lanes;
  for_each_lane(LaneMask(0x8000'0105), [&](unsigned lane) { lanes.push_back(lane); });
  EXPECT_EQ(lanes, (std::vector<unsigned>{0, 2, 8, 31}));
  for_each_lane(LaneMask(), [&](unsigned) { FAIL() << "nobody is there"; });
}

}  // namespace
}  // namespace heddle
