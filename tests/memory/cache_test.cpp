#include "memory/cache.h"

#include <gtest/gtest.h>

#include <list>
#include <random>
#include <vector>

#include "base/error.h"

namespace heddle {
namespace {

using State = Cache::State;

void insert(Cache& cache, Cache::Line line) { cache.fill(cache.reserve(line).way); }

std::string message_of(uint64_t bytes, unsigned line, unsigned ways) {
  try {
    Cache cache("l2", bytes, line, ways);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    return error.what();
  }
  return "accepted";
}

TEST(Cache, finds_by_any_guess_what_it_finds_without) {
  for (const unsigned sets : {1U, 3U, 4U}) {
    Cache cache("l2", uint64_t{sets} * 16 * 64, 64, 16);
    const unsigned lines = 40 * sets;
    std::vector<Cache::Guess> guesses(lines);  // old ones, too
    std::mt19937 random(7);
    for (unsigned step = 0; step < 4000; ++step) {
      const Cache::Line line = random() % lines;
      const Cache::Found found = cache.look_up(line);
      EXPECT_TRUE(found.miss() || cache.guess(line).way != Cache::kNoWay) << "it is there";
      for (const Cache::Guess& guess : {guesses[line], cache.guess(line), Cache::Guess{}})
        EXPECT_EQ(cache.look_up(line, guess).way, found.way);
      if (step % 3 == 0) guesses[line] = cache.guess(line);
      if (found.miss() && step % 2 == 0) cache.fill(cache.reserve(line).way);
      if (step % 5 == 0) cache.invalidate(random() % lines);
    }
  }
}

TEST(Cache, RefusesShapesByTheirKeys) {
  EXPECT_EQ(message_of(256, 64, 8), "l2_ways = 8: more than the 4 lines of l2_bytes");
  EXPECT_EQ(message_of(256, 64, 3), "l2_ways = 3: does not divide the 4 lines of l2_bytes");
  EXPECT_EQ(message_of(100, 64, 1), "l2_bytes = 100: must be a multiple of l2_line = 64");
  EXPECT_EQ(message_of(100, 48, 1), "l2_line = 48: must be a power of two");
  EXPECT_EQ(message_of(256, 64, 4), "accepted");
  EXPECT_EQ(message_of(3 * 4 * 64, 64, 4), "accepted") << "three sets";
}

// Sets by the low bits, by a rest where they are no power of two, or by a hash.
TEST(Cache, has_room_for_what_it_can_hold_at_once) {
  for (const unsigned sets : {8U, 6U})
    for (const bool hash : {false, true})
      for (const Cache::Line first : {0U, 5U, 1000U})
        for (const unsigned lines : {1U, 7U, 20U, 4 * sets, 4 * sets + 1}) {
          Cache cache("l1", uint64_t{sets} * 4 * 64, 64, 4, hash);
          for (Cache::Line line = first; line < first + lines; ++line) insert(cache, line);
          bool all = true;
          for (Cache::Line line = first; line < first + lines; ++line) all = all && !cache.look_up(line).miss();
          EXPECT_EQ(cache.has_room_for(first, first + lines), all)
              << sets << " " << hash << " " << first << " " << lines;
        }
}

TEST(Cache, HoldsALineFromItsFillOn) {
  Cache cache("l1", 1024, 64, 4);
  EXPECT_TRUE(cache.look_up(5).miss());
  const Cache::Victim victim = cache.reserve(5);
  EXPECT_FALSE(victim.dirty);
  EXPECT_TRUE(cache.look_up(5).pending());
  EXPECT_EQ(cache.look_up(5).way, victim.way);
  cache.fill(victim.way);
  EXPECT_TRUE(cache.look_up(5).hit());
  EXPECT_TRUE(cache.look_up(9).miss()) << "the same set, another line";
}

TEST(Cache, TakesTheLeastRecentlyUsedWay) {
  Cache cache("l1", 4 * 64, 64, 4);
  for (Cache::Line line : {10, 11, 12, 13}) insert(cache, line);
  cache.use(cache.look_up(10).way);
  EXPECT_EQ(cache.reserve(14).line, 11u);
  EXPECT_EQ(cache.reserve(15).line, 12u);
  EXPECT_EQ(cache.reserve(16).line, 13u);
  EXPECT_EQ(cache.reserve(17).line, 10u);
}

TEST(Cache, LookingUpIsNoUse) {
  Cache cache("l1", 2 * 64, 64, 2);
  insert(cache, 1);
  insert(cache, 2);
  cache.look_up(1);
  EXPECT_EQ(cache.reserve(3).line, 1u);
}

TEST(Cache, ASetOfPendingWaysHasNoVictim) {
  Cache cache("l1", 2 * 64, 64, 2);
  const Cache::Victim first = cache.reserve(1);
  EXPECT_TRUE(cache.can_reserve(3));
  EXPECT_TRUE(cache.reserve(2));
  EXPECT_FALSE(cache.can_reserve(3));
  EXPECT_FALSE(cache.reserve(3));
  EXPECT_TRUE(cache.look_up(3).miss());
  cache.fill(first.way);
  EXPECT_EQ(cache.reserve(3).line, 1u);
}

TEST(Cache, APendingWayIsPassedOverEvenIfItIsTheOldest) {
  Cache cache("l1", 3 * 64, 64, 3);
  cache.reserve(1);
  insert(cache, 2);
  insert(cache, 3);
  EXPECT_EQ(cache.reserve(4).line, 2u);
}

TEST(Cache, ADirtyVictimIsHandedOverWithItsLine) {
  Cache cache("l2", 64, 64, 1);
  insert(cache, 7);
  cache.mark_dirty(cache.look_up(7).way);
  EXPECT_EQ(cache.state(cache.look_up(7).way), State::Dirty);
  const Cache::Victim victim = cache.reserve(8);
  EXPECT_TRUE(victim.dirty);
  EXPECT_EQ(victim.line, 7u);
  cache.fill(victim.way);
  EXPECT_FALSE(cache.reserve(9).dirty) << "the way is clean again";
}

TEST(Cache, APendingLineThatIsWrittenIsDirtyWhenFilled) {
  Cache cache("l2", 64, 64, 1);
  const Cache::Victim victim = cache.reserve(7);
  cache.mark_dirty(victim.way);
  EXPECT_TRUE(cache.look_up(7).pending());
  cache.fill(victim.way);
  EXPECT_EQ(cache.state(cache.look_up(7).way), State::Dirty);
}

TEST(Cache, AnInvalidatedWayIsTheNextVictim) {
  Cache cache("l1", 3 * 64, 64, 3);
  for (Cache::Line line : {1, 2, 3}) insert(cache, line);
  const Cache::Way way = cache.look_up(2).way;
  cache.invalidate(2);
  EXPECT_TRUE(cache.look_up(2).miss());
  EXPECT_EQ(cache.reserve(4).way, way);
  EXPECT_EQ(cache.reserve(5).line, 1u);
}

TEST(Cache, InvalidatingLeavesWhatIsPending) {
  Cache cache("l1", 2 * 64, 64, 2);
  cache.reserve(1);
  insert(cache, 2);
  cache.invalidate(1);
  cache.invalidate_all();
  EXPECT_TRUE(cache.look_up(1).pending());
  EXPECT_TRUE(cache.look_up(2).miss());
}

// Against lists of lines, for shapes with full, partly used and several words of hashes.
TEST(Cache, AgreesWithAListOfLinesOnRandomAccesses) {
  for (const unsigned ways : {1u, 2u, 3u, 8u, 12u, 64u, 200u}) {
    constexpr unsigned kSets = 4;
    Cache cache("l2", uint64_t{kSets} * ways * 32, 32, ways);
    std::vector<std::list<Cache::Line>> model(kSets);  // most recently used first
    std::mt19937_64 random(ways);
    for (unsigned i = 0; i < 40000; ++i) {
      const Cache::Line line = (uint64_t{1} << 31) + random() % (kSets * ways * 2);
      std::list<Cache::Line>& set = model[line % kSets];
      const auto place = std::find(set.begin(), set.end(), line);
      const Cache::Found found = cache.look_up(line);
      ASSERT_EQ(found.hit(), place != set.end());
      if (random() % 16 == 0) {
        cache.invalidate(line);
        if (place != set.end()) set.erase(place);
        continue;
      }
      if (place != set.end()) {
        cache.use(found.way);
        set.erase(place);
      } else {
        const Cache::Victim victim = cache.reserve(line);
        cache.fill(victim.way);
        if (set.size() == ways) {
          ASSERT_EQ(victim.line, set.back());
          set.pop_back();
        }
      }
      set.push_front(line);
    }
  }
}

}  // namespace
}  // namespace heddle
