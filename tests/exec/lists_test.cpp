// What is asked of lists of threads as a whole, on every level, held against the same asked thread by thread: lists
// whose threads are at home in their lanes, others, and masks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "exec/row/level.h"
#include "exec/thread_rows.h"

namespace heddle::test {
namespace {

constexpr unsigned kListRows = 9;
using List = std::array<Hw, kRow>;

// At home: each of the row that is drawn for its lane. Else all are drawn.
List draw(std::mt19937& random, bool at_home) {
  std::array<Hw, kListRows * kRow> all;
  for (unsigned i = 0; i < all.size(); ++i) all[i] = static_cast<Hw>(i);
  std::shuffle(all.begin(), all.end(), random);
  List list;
  for (unsigned k = 0; k < kRow; ++k) list[k] = at_home ? static_cast<Hw>(random() % kListRows * kRow + k) : all[k];
  return list;
}

template <class F>
void for_each_list(F&& f) {
  std::mt19937 random(1);
  for (const RowLevel& level : row_levels()) {
    if (!level.available) continue;
    SCOPED_TRACE(level.name);
    for (unsigned round = 0; round < 200; ++round) {
      const LaneMask mask(round % 4 == 0 ? ~0U
                                         : static_cast<uint32_t>(random() & random() & ~0U) | 1U << random() % 32);
      f(level.forms, draw(random, round % 2 == 0), mask, random);
    }
  }
}

TEST(Lists, predicates_are_those_of_each_thread) {
  for_each_list([](const RowForms& forms, const List& list, LaneMask mask, std::mt19937& random) {
    constexpr size_t stride = 192;
    alignas(64) std::array<uint32_t, kListRows * stride / sizeof(uint32_t)> words;
    for (uint32_t& word : words) word = random();
    LaneMask expected;
    for_each_lane(mask, [&](unsigned k) {
      if (words[list[k] / kRow * stride / sizeof(uint32_t)] >> list[k] % kRow & 1) expected.add(k);
    });
    const RegisterOf<const uint32_t> of{reinterpret_cast<std::byte*>(words.data()), stride};
    EXPECT_EQ(forms.predicates(of, mask, list.data()).bits(), expected.bits());
  });
}

TEST(Lists, are_added_to_the_rows_of_their_threads_and_no_others) {
  for_each_list([](const RowForms& forms, const List& list, LaneMask mask, std::mt19937&) {
    std::array<LaneMask, kListRows> rows{}, expected{};
    RowRange range{kListRows, 0};
    for_each_lane(mask, [&](unsigned k) {
      const unsigned row = list[k] / kRow;
      expected[row].add(list[k] % kRow);
      range = {std::min(range.first, row), std::max(range.last, row)};
    });
    const RowRange met = forms.add(rows.data(), mask, list.data());
    EXPECT_EQ(rows, expected);
    EXPECT_EQ(met.first, range.first);
    EXPECT_EQ(met.last, range.last);
  });
}

TEST(ThreadRows, come_in_order_and_are_quicker_where_lists_share_them) {
  List list;
  for (unsigned k = 0; k < kRow; ++k) list[k] = static_cast<Hw>((k % 2 == 0 ? 5 : 2) * kRow + k);
  ThreadRows rows(kListRows);
  rows.clear();
  rows.add({LaneMask::all(), {}, list.data()});
  ASSERT_EQ(rows.rows().size(), 2U);
  EXPECT_EQ(rows.rows()[0].first, 2 * kRow);
  EXPECT_EQ(rows.rows()[0].mask.bits(), 0xaaaa'aaaaU);
  EXPECT_EQ(rows.rows()[1].first, 5 * kRow);
  EXPECT_TRUE(rows.quicker()) << "32 threads, or two rows";
  rows.clear();
  rows.add({LaneMask::first(4), {}, list.data()});
  EXPECT_FALSE(rows.quicker()) << "four threads, or two rows";
  EXPECT_EQ(rows.rows()[1].mask.bits(), 0b0101U) << "of what was there before nothing is left";
}

}  // namespace
}  // namespace heddle::test
