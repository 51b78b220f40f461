// Lines and bank passes of one instruction, counted by hand.
#include "memory/coalescer.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace heddle::test {
namespace {

TEST(Coalescer, joins_what_lies_in_one_line_in_the_order_of_first_touch) {
  Coalescer coalescer(64);
  for (Address address : {200, 0, 4, 60, 196, 128}) coalescer.add(address, 4);
  ASSERT_EQ(coalescer.lines().size(), 3U);
  EXPECT_EQ(coalescer.lines()[0].address, 192U);
  EXPECT_EQ(coalescer.lines()[1].address, 0U);
  EXPECT_EQ(coalescer.lines()[2].address, 128U);
  EXPECT_EQ(coalescer.lines()[1].lanes, 3U);
  EXPECT_EQ(coalescer.lines()[1].byte_count(), 12U);
}

TEST(Coalescer, joins_nothing_to_lines_that_were_closed) {
  Coalescer coalescer(64);
  for (Address address : {0, 4, 64}) coalescer.add(address, 4);
  coalescer.close();
  for (Address address : {68, 0, 8}) coalescer.add(address, 4);
  ASSERT_EQ(coalescer.lines().size(), 4U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(coalescer.lines()[i].address, (std::array{0U, 64U, 64U, 0U}[i]));
  EXPECT_EQ(coalescer.lines()[0].lanes, 2U);
  EXPECT_EQ(coalescer.lines()[3].lanes, 2U);
  coalescer.clear();
  coalescer.add(0, 4);
  EXPECT_EQ(coalescer.lines().size(), 1U);
}

TEST(Coalescer, counts_a_byte_once_however_many_touch_it) {
  Coalescer coalescer(128);
  for (unsigned i = 0; i < 32; ++i) coalescer.add(64, 8);
  coalescer.add(120, 8);
  ASSERT_EQ(coalescer.lines().size(), 1U);
  EXPECT_EQ(coalescer.lines()[0].byte_count(), 16U);
  EXPECT_EQ(coalescer.lines()[0].lanes, 33U);
}

void expect_run_as_its_lanes(unsigned line, unsigned bytes, unsigned step, Address first, unsigned first_lane) {
  Coalescer run(line), lanes(line);
  const unsigned count = kRow - first_lane;
  for (Coalescer* each : {&run, &lanes}) each->add(first, bytes, 0);
  run.add_run(first, step, bytes, first_lane, count);
  for (unsigned i = 0; i < count; ++i) lanes.add(first + Address{i} * step, bytes, first_lane + i);
  ASSERT_EQ(run.lines().size(), lanes.lines().size());
  for (size_t i = 0; i < run.lines().size(); ++i) {
    const LineAccess &found = run.lines()[i], &expected = lanes.lines()[i];
    EXPECT_EQ(found.address, expected.address);
    EXPECT_EQ(found.bytes, expected.bytes);
    EXPECT_EQ(found.lanes, expected.lanes);
    EXPECT_EQ(found.who, expected.who);
  }
}

TEST(Coalescer, finds_of_a_run_what_its_lanes_find_one_by_one) {
  for (const unsigned line : {32U, 64U, 128U})
    for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U, 32U})
      for (const unsigned step : {0U, bytes})
        for (Address first = 4 * line; first < 5 * line; first += bytes)
          for (const unsigned first_lane : {0U, 1U, 8U, 16U, 31U})
            expect_run_as_its_lanes(line, bytes, step, first, first_lane);
}

TEST(Coalescer, touches_as_many_lines_as_there_are_different_line_numbers) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 500; ++round) {
    Coalescer coalescer(32);
    std::set<Address> lines;
    for (unsigned i = 0; i < 32; ++i) {
      const Address address = random() % (round + 1) * 16;
      coalescer.add(address, 16);
      lines.insert(address / 32);
    }
    EXPECT_EQ(coalescer.lines().size(), lines.size());
  }
}

std::array<Address, 32> strided(Address stride) {
  std::array<Address, 32> addresses;
  for (unsigned i = 0; i < 32; ++i) addresses[i] = i * stride;
  return addresses;
}

TEST(SharedBanks, take_as_many_passes_as_words_meet_in_the_busiest_bank) {
  EXPECT_EQ(bank_passes(strided(4), LaneMask::all(), 4, 32, false), 1U);
  EXPECT_EQ(bank_passes(strided(8), LaneMask::all(), 4, 32, false), 2U);
  EXPECT_EQ(bank_passes(strided(12), LaneMask::all(), 4, 32, false), 1U);
  EXPECT_EQ(bank_passes(strided(128), LaneMask::all(), 4, 32, false), 32U);
  EXPECT_EQ(bank_passes(strided(128), LaneMask::first(5), 4, 32, false), 5U);
  EXPECT_EQ(bank_passes(strided(0), LaneMask::all(), 4, 32, false), 1U) << "one word for all";
  EXPECT_EQ(bank_passes(strided(1), LaneMask::all(), 1, 32, false), 1U) << "bytes of a word";
}

TEST(SharedBanks, serve_wide_accesses_word_by_word) {
  EXPECT_EQ(bank_passes(strided(8), LaneMask::all(), 8, 32, false), 2U);
  EXPECT_EQ(bank_passes(strided(16), LaneMask::all(), 16, 32, false), 4U);
}

TEST(SharedBanks, serve_as_many_lanes_together_as_there_are_banks) {
  EXPECT_EQ(bank_passes(strided(4), LaneMask::all(), 4, 16, false), 2U);
  EXPECT_EQ(bank_passes(strided(64), LaneMask::all(), 4, 16, false), 32U);
  EXPECT_EQ(bank_passes(strided(0), LaneMask::all(), 4, 16, false), 2U);
  EXPECT_EQ(bank_passes(strided(4), LaneMask::first(16), 4, 16, false), 1U) << "an empty half takes no pass";
}

TEST(SharedBanks, serialise_atomics_on_one_word) {
  EXPECT_EQ(bank_passes(strided(0), LaneMask::all(), 4, 32, true), 32U);
  EXPECT_EQ(bank_passes(strided(4), LaneMask::all(), 4, 32, true), 1U);
}

// By the definition: the words of each bank as a set, or as a list for atomics.
unsigned passes_by_definition(const std::array<Address, 32>& addresses, LaneMask mask, unsigned bytes, unsigned banks,
                              bool atomic) {
  unsigned passes = 0;
  for (unsigned first = 0; first < 32; first += banks) {
    std::map<Address, std::multiset<Address>> words;
    for (unsigned lane = first; lane < first + banks; ++lane)
      for (unsigned b = 0; mask.has(lane) && b < bytes; b += 4) {
        const Address word = (addresses[lane] + b) / 4;
        if (atomic || !words[word % banks].contains(word)) words[word % banks].insert(word);
      }
    size_t most = 0;
    for (const auto& [bank, all] : words) most = std::max(most, all.size());
    passes += static_cast<unsigned>(most);
  }
  return passes;
}

TEST(SharedBanks, take_the_passes_of_the_definition_whatever_the_addresses) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 4000; ++round) {
    std::array<Address, 32> addresses;
    const unsigned bytes = 1U << random() % 5, banks = 1U << random() % 6, span = 1U << random() % 10;
    const Address stride = random() % 3 * 4;
    for (unsigned i = 0; i < 32; ++i) addresses[i] = (i * stride + random() % span) / bytes * bytes;
    const LaneMask mask(random() % 2 == 0 ? ~0U : static_cast<uint32_t>(random()));
    const bool atomic = random() % 4 == 0 && bytes >= 4;
    EXPECT_EQ(bank_passes(addresses, mask, bytes, banks, atomic),
              passes_by_definition(addresses, mask, bytes, banks, atomic))
        << "round " << round << ": " << bytes << " bytes, " << banks << " banks";
  }
}

TEST(SharedBanks, count_different_constant_addresses) {
  EXPECT_EQ(distinct(strided(0), LaneMask::all()), 1U);
  EXPECT_EQ(distinct(strided(4), LaneMask::all()), 32U);
  EXPECT_EQ(distinct(strided(4), LaneMask::first(3)), 3U);
}

// What is said of parts must be what all lanes give.
TEST(SharedBanks, are_free_of_conflicts_by_their_parts_only_where_all_lanes_are) {
  std::mt19937 random(3);
  unsigned said = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    const unsigned banks = 8U << random() % 3, bytes = 1U << random() % 4, step = random() % 2 == 0 ? 0 : bytes;
    std::array<Address, 4> parts{};
    for (Address& part : parts) part = random() % 2 == 0 ? random() % 64 * bytes : parts[0] + random() % 5 * 8 * step;
    if (!no_conflicts(parts, step, bytes, banks)) continue;
    std::array<Address, 32> addresses;
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = parts[lane / 8] + Address{lane % 8} * step;
    const LaneMask mask(random() % 2 == 0 ? ~uint32_t{0} : static_cast<uint32_t>(random()));
    ASSERT_EQ(passes_by_definition(addresses, mask, bytes, banks, false), groups_of_lanes(mask, banks));
    ++said;
  }
  EXPECT_GT(said, 1000U);
}

}  // namespace
}  // namespace heddle::test
