// Sectors where there is no time: in masks of bytes, in the tags of a cache, in the registers of misses.
#include "memory/sectors.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <random>

#include "memory/cache.h"
#include "memory/coalescer.h"
#include "memory/line_table.h"
#include "memory/mshrs.h"

namespace heddle {
namespace {

TEST(Sectors, AreThoseWithSomeByteAndThoseWithAll) {
  Coalescer lines(128);
  for (unsigned lane = 0; lane < 8; ++lane) lines.add(0x1000 + 4 * lane, 4, lane);  // the first, whole
  lines.add(0x105C, 4);                                                             // the last word of the third
  lines.add(0x1060, 1);                                                             // the first byte of the fourth
  ASSERT_EQ(lines.lines().size(), 1u);
  EXPECT_EQ(lines.lines()[0].sectors(), 0b1101);
  EXPECT_EQ(whole_sectors_of(lines.lines()[0].bytes), 0b0001);
}

// Against a byte by byte account.
TEST(Sectors, OfMasksAreThoseOfTheirBytes) {
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 10000; ++i) {
    const auto word = [&] { return random() % 3 == 0 ? ~uint64_t{0} : random() & random() & random() & random(); };
    const ByteMask mask{word(), word()};
    unsigned some = 0, all = 0b1111;
    for (unsigned byte = 0; byte < 128; ++byte) {
      const bool set = (mask[byte / 64] >> byte % 64 & 1) != 0;
      if (set) some |= 1u << byte / 32;
      if (!set) all &= ~(1u << byte / 32);
    }
    ASSERT_EQ(sectors_of(mask), some);
    ASSERT_EQ(whole_sectors_of(mask), all);
  }
}

TEST(SectoredCache, HoldsWhatHasComeOfALine) {
  Cache cache("l1", 512, 128, 4);
  const Cache::Way way = cache.reserve(5, 0b0011).way;
  cache.expect(way, 0b1000);
  cache.fill(way, 0b0001);
  EXPECT_TRUE(cache.look_up(5).hit(0b0001));
  EXPECT_FALSE(cache.look_up(5).hit(0b0011));
  EXPECT_EQ(cache.look_up(5).coming, 0b1010);
  EXPECT_EQ(cache.state(way), Cache::State::Pending);
  EXPECT_ANY_THROW(cache.fill(way, 0b0100)) << "nobody asked for it";
  cache.fill(way, 0b1010);
  EXPECT_EQ(cache.state(way), Cache::State::Valid);
  EXPECT_TRUE(cache.look_up(5).hit(0b1011));
}

TEST(SectoredCache, ALineOfWhichSomethingIsOnItsWayIsNoVictim) {
  Cache cache("l1", 128, 128, 1);
  const Cache::Way way = cache.reserve(1, 0b0001).way;
  cache.fill(way, 0b0001);
  cache.expect(way, 0b0010);
  EXPECT_FALSE(cache.can_reserve(2));
  cache.fill(way, 0b0010);
  EXPECT_TRUE(cache.can_reserve(2));
}

TEST(SectoredCache, AVictimHandsOverItsDirtySectors) {
  Cache cache("l2", 128, 128, 1);
  const Cache::Way way = cache.reserve(1, 0).way;
  cache.mark_valid(way, 0b0110);
  cache.mark_dirty(way, 0b0100);
  EXPECT_EQ(cache.reserve(2, 0b1111).dirty, 0b0100);
}

// Any number of sets, hashed or not: against lists of lines by set, which are learnt from whom a line meets.
TEST(SectoredCache, AgreesWithAListOfLinesWhateverTheNumberOfItsSets) {
  for (const unsigned sets : {1u, 3u, 13u, 16u, 384u})
    for (const bool hash : {false, true}) {
      constexpr unsigned kWays = 4;
      Cache cache("l1", uint64_t{sets} * kWays * 128, 128, kWays, hash);
      const Deal deal(sets, hash);
      struct Held {
        Cache::Line line;
        unsigned valid;
      };
      std::vector<std::list<Held>> model(sets);  // most recently used first
      std::mt19937_64 random(sets);
      for (unsigned i = 0; i < 30000; ++i) {
        const Cache::Line line = random() % (sets * kWays * 2);
        const auto wants = static_cast<Sectors>(1 + random() % 15);
        std::list<Held>& set = model[deal(line).place];
        const auto place = std::find_if(set.begin(), set.end(), [&](const Held& held) { return held.line == line; });
        const Cache::Found found = cache.look_up(line);
        ASSERT_EQ(found.miss(), place == set.end());
        ASSERT_EQ(found.valid, place == set.end() ? 0 : place->valid);
        Held held{line, found.valid | unsigned{wants}};
        if (place != set.end()) {
          cache.use(found.way);
          cache.mark_valid(found.way, wants);
          set.erase(place);
        } else {
          const Cache::Victim victim = cache.reserve(line, wants);
          cache.fill(victim.way, wants);
          if (set.size() == kWays) {
            ASSERT_EQ(victim.line, set.back().line);
            set.pop_back();
          }
        }
        set.push_front(held);
      }
    }
}

TEST(SectoredMshrs, ATargetIsReadyWhenAllItWaitsForHasCome) {
  Mshrs mshrs(1, 8);
  const Mshrs::Entry entry = mshrs.allocate(10, 1, 0b0011);
  mshrs.merge(entry, 2, 0b0001);
  mshrs.merge(entry, 3, 0b0110);
  mshrs.ask(entry, 0b0100);
  EXPECT_FALSE(mshrs.has_ready(entry));
  EXPECT_EQ(mshrs.coming(entry), 0b0111);
  mshrs.came(entry, 0b0001);
  EXPECT_EQ(mshrs.pop_ready(entry), 2u) << "passes those that wait for more";
  EXPECT_FALSE(mshrs.has_ready(entry));
  EXPECT_EQ(mshrs.pop_ready(entry), std::nullopt);
  mshrs.came(entry, 0b0010);
  EXPECT_EQ(mshrs.pop_ready(entry), 1u);
  EXPECT_FALSE(mshrs.has_ready(entry));
  EXPECT_ANY_THROW(mshrs.came(entry, 0b1000)) << "nobody asked for it";
  mshrs.came(entry, 0b0100);
  EXPECT_EQ(mshrs.pop_ready(entry), 3u);
  mshrs.release(entry);
  EXPECT_EQ(mshrs.used(), 0u);
}

TEST(SectoredMshrs, TheLastOfAListIsTakenOutRight) {
  Mshrs mshrs(1, 8);
  const Mshrs::Entry entry = mshrs.allocate(10, 1, 0b10);
  mshrs.merge(entry, 2, 0b01);
  mshrs.ask(entry, 0b01);
  mshrs.came(entry, 0b01);
  EXPECT_EQ(mshrs.pop_ready(entry), 2u);
  mshrs.merge(entry, 3, 0b10);
  mshrs.came(entry, 0b10);
  EXPECT_EQ(mshrs.pop_ready(entry), 1u);
  EXPECT_EQ(mshrs.pop_ready(entry), 3u);
}

TEST(LineTable, AgreesWithAMapOnRandomUse) {
  constexpr unsigned kMost = 13;
  LineTable table(kMost);
  std::map<uint64_t, uint32_t> model;
  std::mt19937_64 random(5);
  for (uint32_t i = 0; i < 100000; ++i) {
    const uint64_t line = random() % 40;
    const auto found = table.find(line);
    ASSERT_EQ(found.has_value(), model.contains(line));
    if (found) {
      ASSERT_EQ(*found, model[line]);
      if (random() % 2 == 0) {
        table.drop(line);
        model.erase(line);
      }
    } else if (model.size() < kMost) {
      table.put(line, i);
      model[line] = i;
    }
  }
}

}  // namespace
}  // namespace heddle
