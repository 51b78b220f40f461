// Caches of code that cores share: when lines come, whoever asks first and whenever it is served.
#include "memory/code_caches.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

struct Line {
  uint64_t cycle;
  unsigned core;
  uint32_t tag;
  bool operator==(const Line&) const = default;
};

struct Ask {
  unsigned core;
  uint64_t line, cycle;
};

MemoryParameters one_cache() {
  MemoryParameters p{};
  p.code_groups = p.code_joins = 1;
  p.code_bytes = 131072;
  p.code_ways = 4;
  p.code_line = 128;
  p.code_latency = 10;
  p.code_miss_latency = 30;
  p.core_clock = 1000;
  return p;
}

// A tick is a core cycle. The tags are the lines.
struct Caches {
  explicit Caches(const MemoryParameters& p) : caches(p, Clock<CoreCycle>(1), 4) {}
  void ask(const Ask& what) {
    Request request{.core = static_cast<uint16_t>(what.core), .tag = static_cast<uint32_t>(what.line)};
    request.address = what.line * 128;
    caches.ask(request, Tick(what.cycle));
  }
  std::vector<Line> take(uint64_t before = 100000) {
    std::vector<Line> lines;
    caches.take(Tick(before), [&](Tick time, const Reply& reply) {
      EXPECT_TRUE(reply.code);
      lines.push_back({time.count(), reply.core, reply.tag});
    });
    return lines;
  }
  CodeCaches caches;
};

using Lines = std::vector<Line>;

TEST(CodeCaches, a_line_comes_later_the_first_time) {
  Caches c(one_cache());
  c.ask({0, 5, 100});
  EXPECT_EQ(c.caches.known(0), Tick(110)) << "not before that, and it is to be looked up";
  EXPECT_EQ(c.caches.known(1), Tick(kNever));
  c.caches.serve(Tick(101));
  EXPECT_EQ(c.caches.known(0), Tick(kNever));
  EXPECT_EQ(c.caches.next(), Tick(130));
  EXPECT_EQ(c.take(130), Lines{});
  EXPECT_EQ(c.take(131), (Lines{{130, 0, 5}}));
  EXPECT_TRUE(c.caches.empty());
  c.ask({1, 5, 200});
  c.caches.serve(Tick(201));
  EXPECT_EQ(c.take(), (Lines{{210, 1, 5}}));
  EXPECT_EQ(c.caches.answered(), 2U);
}

TEST(CodeCaches, who_asks_while_it_is_on_its_way_gets_it_when_it_has_come) {
  Caches c(one_cache());
  c.ask({0, 5, 100});
  c.ask({1, 5, 115});  // it is there at 120
  c.ask({2, 5, 121});
  c.caches.serve(Tick(200));
  EXPECT_EQ(c.take(), (Lines{{130, 0, 5}, {130, 1, 5}, {131, 2, 5}}));
}

TEST(CodeCaches, each_group_has_its_own) {
  MemoryParameters p = one_cache();
  p.code_groups = 2;
  Caches c(p);
  c.ask({0, 5, 100});
  c.caches.serve(Tick(101));
  c.ask({1, 5, 200});
  c.ask({2, 5, 200});
  c.caches.serve(Tick(201));
  EXPECT_EQ(c.take(), (Lines{{130, 0, 5}, {210, 1, 5}, {230, 2, 5}}));
}

TEST(CodeCaches, the_oldest_line_goes_when_another_needs_its_place) {
  MemoryParameters p = one_cache();
  p.code_bytes = 1024;
  p.code_ways = 8;
  Caches c(p);
  for (uint64_t line = 0; line < 9; ++line) c.ask({0, line, 100 + line});
  c.ask({0, 1, 200});
  c.ask({0, 0, 201});
  c.caches.serve(Tick(300));
  const Lines lines = c.take();
  ASSERT_EQ(lines.size(), 11U);
  EXPECT_EQ(lines[9], (Line{210, 0, 1}));
  EXPECT_EQ(lines[10], (Line{231, 0, 0}));
}

TEST(CodeCaches, a_launch_brings_the_first_of_its_code) {
  MemoryParameters p = one_cache();
  p.code_launch_bytes = 256;
  Caches c(p);
  c.caches.hold(128 * 5, 128 * 5);
  for (uint64_t line = 5; line < 8; ++line) c.ask({0, line, 100});
  c.caches.serve(Tick(101));
  EXPECT_EQ(c.take(), (Lines{{110, 0, 5}, {110, 0, 6}, {130, 0, 7}}));
}

// 0.4 of the cores' clock: 2.5 cycles for each.
TEST(CodeCaches, lines_are_looked_up_one_after_another) {
  MemoryParameters p = one_cache();
  p.code_clock = 400;
  p.code_launch_bytes = 65536;
  Caches c(p);
  c.caches.hold(0, 65536);
  for (uint64_t line = 0; line < 5; ++line) c.ask({0, line, 100});
  c.caches.serve(Tick(101));
  EXPECT_EQ(c.take(), (Lines{{110, 0, 0}, {113, 0, 1}, {115, 0, 2}, {118, 0, 3}, {120, 0, 4}}));
}

TEST(CodeCaches, neighbours_who_wait_for_one_line_are_one) {
  MemoryParameters p = one_cache();
  p.code_clock = 100;
  p.code_joins = 2;
  p.code_launch_bytes = 65536;
  Caches c(p);
  c.caches.hold(0, 65536);
  c.ask({2, 1, 100});
  c.ask({0, 7, 101});
  c.ask({1, 7, 105});  // with core 0, which waits until 110
  c.ask({1, 7, 111});  // which has been looked up
  c.ask({3, 7, 101});  // of another pair
  c.caches.serve(Tick(200));
  EXPECT_EQ(c.take(), (Lines{{110, 2, 1}, {120, 0, 7}, {120, 1, 7}, {130, 3, 7}, {140, 1, 7}}));
}

TEST(CodeCaches, it_does_not_matter_when_they_are_served) {
  std::vector<Ask> asks;
  for (unsigned i = 0; i < 400; ++i) asks.push_back({i * 7 % 4, i * i % 23, 100 + i / 3});
  MemoryParameters p = one_cache();
  p.code_groups = p.code_joins = 2;
  p.code_bytes = 1024;
  p.code_clock = 300;
  p.code_far_latency = 3;
  Caches at_once(p), bit_by_bit(p);
  for (const Ask& each : asks) at_once.ask(each);
  at_once.caches.serve(Tick(1000));
  Lines later;
  for (size_t i = 0; i < asks.size(); ++i) {
    bit_by_bit.ask(asks[i]);
    if (i % 5 != 0) continue;
    bit_by_bit.caches.serve(Tick(asks[i].cycle));
    const Lines some = bit_by_bit.take(asks[i].cycle);
    later.insert(later.end(), some.begin(), some.end());
  }
  bit_by_bit.caches.serve(Tick(1000));
  const Lines rest = bit_by_bit.take();
  later.insert(later.end(), rest.begin(), rest.end());
  EXPECT_EQ(at_once.take(), later);
}

}  // namespace
}  // namespace heddle::test
