// Reads that join others, against lists that are searched from end to end.
#include "memory/read_coalescer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heddle::test {
namespace {

Request read_of(unsigned core, uint32_t tag, Address address, Sectors sectors = 0) {
  Request request{.kind = Request::Kind::Read, .sectors = sectors};
  request.core = static_cast<uint16_t>(core);
  request.tag = tag;
  request.address = address;
  return request;
}

// True: it joins one that is under way.
bool joins(ReadCoalescer& coalescer, const Request& request, Tick now = Tick{0}) {
  if (!coalescer.may_join(request)) return false;
  const ReadCoalescer::Index read = coalescer.find_or_add(request, now);
  if (read != ReadCoalescer::kNone) coalescer.join(read, {request.core, request.tag});
  return read != ReadCoalescer::kNone;
}

std::vector<uint32_t> tags_of(const std::vector<Reply>& replies) {
  std::vector<uint32_t> tags;
  for (const Reply& reply : replies) tags.push_back(reply.tag);
  return tags;
}

TEST(ReadCoalescer, answers_those_who_joined_behind_those_who_asked) {
  ReadCoalescer coalescer(2, 4);
  EXPECT_FALSE(joins(coalescer, read_of(0, 1, 128, 0b0011)));
  EXPECT_FALSE(joins(coalescer, read_of(1, 2, 128, 0b0111)));  // a sector more
  EXPECT_TRUE(joins(coalescer, read_of(1, 3, 128, 0b0010)));
  EXPECT_FALSE(joins(coalescer, read_of(2, 4, 128, 0b0010)));  // of another group
  EXPECT_FALSE(joins(coalescer, read_of(1, 5, 256, 0b0010)));
  std::vector<Reply> replies{{1, 2}, {0, 1}};
  coalescer.add_joined(replies, Tick{1});
  EXPECT_EQ(tags_of(replies), (std::vector<uint32_t>{2, 1, 3}));
  EXPECT_FALSE(joins(coalescer, read_of(1, 6, 128, 0b0010)));  // what has come is under way no more
}

TEST(ReadCoalescer, leaves_cores_alone_that_are_a_group_by_themselves) {
  ReadCoalescer coalescer(1, 4);
  for (uint32_t tag : {1U, 2U}) EXPECT_FALSE(joins(coalescer, read_of(0, tag, 128)));
  std::vector<Reply> replies{{0, 1}};
  coalescer.add_joined(replies, Tick{1});
  EXPECT_EQ(replies.size(), 1U);
}

TEST(ReadCoalescer, lets_none_join_what_has_come_by_then) {
  ReadCoalescer coalescer(2, 2);
  EXPECT_FALSE(joins(coalescer, read_of(0, 1, 128, 0b0001)));
  EXPECT_FALSE(joins(coalescer, read_of(1, 2, 128, 0b0011)));
  EXPECT_TRUE(joins(coalescer, read_of(1, 3, 128, 0b0001)));  // the older
  std::vector<Reply> joined;
  coalescer.expect({0, 1}, {Tick{50}, 7}, joined);
  EXPECT_EQ(tags_of(joined), std::vector<uint32_t>{3});
  const Request late = read_of(1, 4, 128, 0b0001);
  const ReadCoalescer::Index before = coalescer.find(late, Tick{49}), behind = coalescer.find(late, Tick{50});
  EXPECT_NE(before, behind);
  EXPECT_EQ(coalescer.comes(1, before).time, Tick{50});
  EXPECT_EQ(coalescer.comes(1, before).rank, 7U);
  EXPECT_EQ(coalescer.comes(1, behind).time, Tick(kNever));  // the other, which is under way
  coalescer.forget(Tick{49});
  EXPECT_EQ(coalescer.find(late, Tick{49}), before);
  coalescer.forget(Tick{50});
  EXPECT_EQ(coalescer.find(late, Tick{49}), behind);
}

TEST(ReadCoalescer, answers_every_read_once) {
  struct Asked {
    Request request;
    std::vector<uint32_t> joined;
  };
  std::mt19937 random(5);
  ReadCoalescer coalescer(4, 8);
  std::vector<Asked> under_way;
  for (uint32_t tag = 0; tag < 20000; ++tag) {
    const Request request = read_of(random() % 8, tag, random() % 700 * 128, static_cast<Sectors>(1 + random() % 15));
    const auto first = std::find_if(under_way.begin(), under_way.end(), [&](const Asked& other) {
      return other.request.core / 4 == request.core / 4 && other.request.address == request.address &&
             (request.sectors & ~other.request.sectors) == 0;
    });
    ASSERT_EQ(joins(coalescer, request), first != under_way.end());
    if (first != under_way.end())
      first->joined.push_back(tag);
    else
      under_way.push_back({request, {}});
    if (under_way.size() < 600) continue;
    const auto comes = under_way.begin() + random() % 600;
    std::vector<uint32_t> expected{comes->request.tag};
    expected.insert(expected.end(), comes->joined.begin(), comes->joined.end());
    std::vector<Reply> replies{{comes->request.core, comes->request.tag}};
    coalescer.add_joined(replies, Tick{1});
    ASSERT_EQ(tags_of(replies), expected);
    under_way.erase(comes);
  }
}

}  // namespace
}  // namespace heddle::test
