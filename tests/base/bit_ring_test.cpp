// The next set bit of a ring, against looking at one after the other.
#include "base/bit_ring.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle {
namespace {

TEST(BitRing, without_bits_has_no_next_one) { EXPECT_EQ(BitRing<128>().distance(77), 128U); }

TEST(BitRing, finds_the_only_bit_from_everywhere) {
  BitRing<128> ring;
  ring.set(70);
  EXPECT_EQ(ring.distance(70), 0U);
  EXPECT_EQ(ring.distance(69), 1U);
  EXPECT_EQ(ring.distance(71), 127U);
  EXPECT_EQ(ring.distance(0), 70U);
}

TEST(BitRing, agrees_with_looking_at_one_after_the_other) {
  std::mt19937 random(5);
  BitRing<256> ring;
  std::vector<bool> model(256);
  for (unsigned step = 0; step < 20000; ++step) {
    const size_t at = random() % 256, from = random() % 256;
    model[at] = random() % 8 == 0;
    model[at] ? ring.set(at) : ring.clear(at);
    size_t expected = 0;
    while (expected < 256 && !model[(from + expected) % 256]) ++expected;
    ASSERT_EQ(ring.distance(from), expected);
  }
}

}  // namespace
}  // namespace heddle
