#include "divergence/support/thread_lists.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle::thread_lists_test {
namespace {

TEST(ThreadLists, are_of_one_row_if_all_threads_in_the_mask_are) {
  std::mt19937 random(7);
  unsigned alike = 0;
  for (unsigned n = 0; n < 2000; ++n) {
    std::array<Hw, kRow> list{};
    const LaneMask lanes(static_cast<uint32_t>(random()) | 1U << random() % kRow);
    for (unsigned lane = 0; lane < kRow; ++lane) {
      const bool strange = random() % 64 == 0 || (!lanes.has(lane) && random() % 2 == 0);
      list[lane] = static_cast<Hw>((strange ? random() % 2048 : 2047) * kRow + lane);
    }
    std::set<unsigned> rows;
    for_each_lane(lanes, [&](unsigned lane) { rows.insert(list[lane] / kRow); });
    EXPECT_EQ(of_one_row(list.data(), lanes), rows.size() == 1);
    alike += rows.size() == 1 ? 1 : 0;
  }
  EXPECT_GT(alike, 500U);
  EXPECT_LT(alike, 1900U);
}

}  // namespace
}  // namespace heddle::thread_lists_test
