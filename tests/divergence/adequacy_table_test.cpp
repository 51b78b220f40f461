#include "divergence/support/adequacy_table.h"

#include <gtest/gtest.h>

namespace heddle::adequacy_table_test {
namespace {

using History = AdequacyTable::History;

TEST(AdequacyTable, TakesABranchItDoesNotKnowForAdequate) {
  AdequacyTable table(4, History::Latest);
  EXPECT_FALSE(table.has(7));
  EXPECT_TRUE(table.look_up(7));
  EXPECT_TRUE(table.has(7));
  EXPECT_EQ(table.misses(), 1U);
}

TEST(AdequacyTable, RemembersTheLatest) {
  AdequacyTable table(4, History::Latest);
  table.look_up(7);
  table.update(7, false);
  EXPECT_FALSE(table.look_up(7));
  table.update(7, true);
  EXPECT_TRUE(table.look_up(7));
}

TEST(AdequacyTable, StickyStaysAdequate) {
  AdequacyTable table(4, History::Sticky);
  table.look_up(7);
  table.update(7, false);
  EXPECT_TRUE(table.look_up(7));
}

TEST(AdequacyTable, TheCounterBeginsAtTwoAndStopsAtItsEnds) {
  AdequacyTable table(4, History::Counter);
  table.look_up(7);
  table.update(7, false);  // 1
  EXPECT_FALSE(table.look_up(7));
  table.update(7, false);  // 0
  table.update(7, false);  // 0
  table.update(7, true);   // 1
  EXPECT_FALSE(table.look_up(7));
  for (int i = 0; i < 5; ++i) table.update(7, true);  // 3
  table.update(7, false);                             // 2
  EXPECT_TRUE(table.look_up(7));
}

TEST(AdequacyTable, DropsTheRowThatWasLookedUpLongestAgo) {
  AdequacyTable table(2, History::Latest);
  table.look_up(1);
  table.look_up(2);
  table.look_up(1);
  table.update(2, true);  // is no use
  table.look_up(3);
  EXPECT_TRUE(table.has(1));
  EXPECT_FALSE(table.has(2));
  EXPECT_EQ(table.evictions(), 1U);
}

TEST(AdequacyTable, DropsAnUpdateToABranchThatIsGone) {
  AdequacyTable table(1, History::Latest);
  table.look_up(1);
  table.look_up(2);
  table.update(1, false);
  EXPECT_FALSE(table.has(1));
  EXPECT_TRUE(table.look_up(1)) << "adequate, as a new row";
}

TEST(AdequacyTable, GrowsWithoutALimit) {
  AdequacyTable table(0, History::Latest);
  for (Pc pc = 0; pc < 100; ++pc) table.look_up(pc);
  EXPECT_EQ(table.most_rows(), 100U);
  EXPECT_EQ(table.evictions(), 0U);
}

TEST(AdequacyTable, EightRowsOfOneBitAre272Bits) { EXPECT_EQ(8 * AdequacyTable(8, History::Latest).bits(), 272U); }

}  // namespace
}  // namespace heddle::adequacy_table_test
