// Parts of a launch side by side: who gets in whose way, and what is taken back.
#include "exec/touches.h"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle::test {
namespace {

class TwoParts : public testing::Test {
 protected:
  uint32_t& word(unsigned i) { return reinterpret_cast<uint32_t*>(memory.host(at))[i]; }
  void read(Touches& part, unsigned first, unsigned words = 1) { part.range(at, at + 4 * first, 4 * words, false); }
  void write(Touches& part, unsigned first, unsigned words = 1) {
    part.range(at, at + 4 * first, 4 * words, true);
    for (unsigned i = first; i < first + words; ++i) word(i) = 1000 + i;
  }

  GlobalMemory memory;
  const Address other = memory.allocate(1024, "other"), at = memory.allocate(1024, "words");
  TouchMap map{memory, {{at, 1024}}};
  Touches one{map, 1}, two{map, 2};
};

TEST_F(TwoParts, may_write_words_side_by_side) {
  for (unsigned i = 0; i < 100; ++i) write(i % 3 == 0 ? one : two, i);
  for (unsigned i = 0; i < 100; ++i) read(i % 3 == 0 ? one : two, i);
}

TEST_F(TwoParts, may_read_the_same_and_then_not_write_it) {
  read(one, 5, 20);
  read(two, 3, 20);
  write(one, 24);
  write(two, 3);
  EXPECT_THROW(write(one, 7), Conflict);
  EXPECT_THROW(write(two, 7), Conflict);
}

TEST_F(TwoParts, may_not_touch_what_the_other_has_written) {
  write(one, 10, 32);
  EXPECT_THROW(read(two, 41), Conflict);
  EXPECT_THROW(write(two, 0, 11), Conflict);
  EXPECT_NO_THROW(read(two, 42));
  EXPECT_NO_THROW(read(two, 9));
  EXPECT_NO_THROW(read(one, 10, 32));
}

TEST_F(TwoParts, may_not_write_what_the_other_has_read) {
  read(one, 10);
  EXPECT_THROW(write(two, 10), Conflict);
  EXPECT_NO_THROW(write(one, 10));
}

TEST_F(TwoParts, may_read_but_not_write_what_nobody_was_known_to_write) {
  EXPECT_NO_THROW(one.range(other, other, 4, false));
  EXPECT_THROW(one.range(other, other, 4, true), Conflict);
}

TEST_F(TwoParts, bytes_of_one_word_count_as_one) {
  one.range(at, at + 1, 1, true);
  EXPECT_THROW(two.range(at, at + 2, 1, true), Conflict);
}

TEST_F(TwoParts, take_back_what_they_wrote_and_nothing_else) {
  for (unsigned i = 0; i < 256; ++i) word(i) = i;
  for (const int time : {1, 2}) {  // what is written again was kept before
    write(one, 3, 40);
    write(two, 43 + static_cast<unsigned>(time));
  }
  word(200) = 7;
  one.undo();
  two.undo();
  for (unsigned i = 0; i < 256; ++i) EXPECT_EQ(word(i), i == 200 ? 7 : i);
}

}  // namespace
}  // namespace heddle::test
