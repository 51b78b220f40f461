// Laws that hold for any traffic: it is answered, nothing is lost, and time that is skipped changes nothing.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "memory/memory_system.h"
#include "memory/small_memory.h"

namespace heddle {
namespace {

using small_memory::Arrival;
using small_memory::Driver;

struct Case {
  const char* name;
  MemoryParameters parameters;
  Clocks clocks;
  unsigned cores;
  uint16_t line = 64;
};

std::vector<Case> cases() {
  std::vector<Case> cases;
  MemoryParameters p = small_memory::gddr3();
  cases.push_back({"one channel", p, Clocks::of(100, 100, 100), 3});
  p.channels = 8;
  p.l2_bytes = 4096;
  cases.push_back({"eight channels, three clocks", p, Clocks::of(1300, 650, 800), 30});
  p.channels = 3;
  p.channel_interleave = 64;
  p.l2_queue = p.network_queue = 1;
  p.l2_mshrs = 2;
  p.l2_merges = 2;
  p.dram_queue = 2;
  p.l2_bytes = 256;
  p.l2_ways = 2;
  p.first_ready = false;
  cases.push_back({"three channels, everything small", p, Clocks::of(700, 900, 550), 5});
  p = small_memory::gddr3();
  p.atomic_cycles = 7;
  p.network_bytes = 0;
  p.l2_bytes = 1024;
  p.l2_ways = 1;
  p.l2_queue = 2;
  cases.push_back({"a network without width, slow atomics", p, Clocks::of(3, 2, 5), 6});
  p = small_memory::shipped();
  p.l2_bytes = 2048;
  cases.push_back({"as shipped", p, Clocks::of(1300, 650, 800), 8});
  p.channels = 4;
  p.network_queue = p.l2_queue = p.l2_miss_queue = p.dram_queue = 2;
  p.l2_mshrs = 3;
  cases.push_back({"as shipped, small queues", p, Clocks::of(325, 650, 800), 7});
  p = small_memory::sectored();
  p.l2_bytes = 4096;
  cases.push_back({"sectors", p, Clocks::of(100, 100, 100), 4, 128});
  p.channels = 6;
  p.channel_hash = p.l2_hash = true;
  p.l2_bytes = 3 * 2 * 128;
  p.l2_ways = 2;
  p.l2_partitions = 2;
  p.l2_far_latency = 40;
  p.dram_access = 32;
  p.network_reply_bytes = 64;
  p.trefi = 300;
  p.trfc = 40;
  p.refresh_in_turn = true;
  p.l2_far_miss_latency = 90;
  cases.push_back({"sectors, hashed, in two partitions, refreshed", p, Clocks::of(1755, 1600, 1300), 9, 128});
  p.channels = 94;
  p.l2_far_cycles = 3;
  p.atomic_clock = 4;
  p.network_clock = 5;
  cases.push_back({"many slices that pass on what is another part's", p, Clocks::of(1755, 1600, 1300), 9, 128});
  p.channels = 6;
  p.l2_queue = p.network_queue = 1;
  p.l2_mshrs = p.l2_merges = p.dram_queue = 2;
  p.dram_access = 128;
  cases.push_back({"sectors, everything small", p, Clocks::of(700, 900, 550), 5, 64});
  p = small_memory::fixed_latency();
  cases.push_back({"DRAM alone", p, Clocks::of(100, 100, 100), 4, 128});
  p.dram_queue = 2;
  p.l2_queue = 1;
  p.channels = 2;
  p.first_ready = true;
  cases.push_back({"DRAM alone, small queues", p, Clocks::of(5, 7, 3), 4, 128});
  return cases;
}

// Some of the line, a write of some of its bytes.
void use_sectors(Request& request, std::mt19937& random) {
  request.sectors = static_cast<Sectors>(random() % (1u << request.line_bytes / kSectorBytes));
  if (request.sectors == 0) return;
  if (request.kind == Request::Kind::Read)
    request.bytes = static_cast<uint16_t>(count_of(request.sectors) * kSectorBytes);
  if (request.kind != Request::Kind::Write) return;
  for (unsigned word = 0; word < request.line_bytes / 4u; ++word)
    if ((request.sectors >> word / 8 & 1) != 0 && random() % 4 != 0)
      request.written[word / 16] |= uint64_t{15} << word % 16 * 4;
  request.sectors = sectors_of(request.written);
}

void want_random_traffic(Driver& driver, const Case& one, unsigned seed) {
  std::mt19937 random(seed);
  for (unsigned core = 0; core < one.cores; ++core) {
    uint64_t time = 0;
    for (uint32_t tag = 0; tag < 400; ++tag) {
      const bool burst = random() % 4 != 0;
      time += burst ? 0 : random() % (400 * one.clocks.core.period());
      Request request = small_memory::read(Address{random() % (random() % 2 ? 40 : 4000)} * one.line,
                                           static_cast<uint16_t>(core), tag, one.line);
      const unsigned kind = random() % 10;
      if (kind < 3) request.kind = Request::Kind::Write;
      if (kind < 2) request.bytes = 32;
      if (kind == 3) {
        request.kind = Request::Kind::Atomic;
        request.operations = static_cast<uint16_t>(1 + random() % 32);
        request.bytes = static_cast<uint16_t>(request.operations * 4);
        request.answered = random() % 2 == 0;
      }
      if (one.parameters.l2_sectors) use_sectors(request, random);
      driver.want(time, request);
    }
  }
}

bool same(const MemoryStats& a, const MemoryStats& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(MemoryRandom, WhetherPartsSleepChangesNothing) {
  for (const Case& one : cases())
    for (unsigned seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(one.name);
      Driver sleeping(one.parameters, one.clocks, one.cores, true);
      Driver waking(one.parameters, one.clocks, one.cores, false);
      want_random_traffic(sleeping, one, seed);
      want_random_traffic(waking, one, seed);
      ASSERT_EQ(sleeping.run(), waking.run());
      ASSERT_TRUE(same(sleeping.memory.stats(), waking.memory.stats()));
      sleeping.memory.check();
      waking.memory.check();
    }
}

TEST(MemoryRandom, EveryRequestIsAnsweredOnce) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Driver driver(one.parameters, one.clocks, one.cores);
    want_random_traffic(driver, one, 7);
    driver.run();
    std::set<std::pair<uint16_t, uint32_t>> seen;
    for (const Arrival& arrival : driver.arrivals)
      ASSERT_TRUE(seen.emplace(arrival.core, arrival.tag).second) << "answered twice";
    EXPECT_TRUE(driver.memory.quiet());
    driver.memory.check();
    EXPECT_EQ(driver.memory.stats().network.request_packets, one.cores * 400u);
  }
}

TEST(MemoryRandom, TheSameTrafficHasTheSameCourse) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Driver first(one.parameters, one.clocks, one.cores), second(one.parameters, one.clocks, one.cores);
    want_random_traffic(first, one, 11);
    want_random_traffic(second, one, 11);
    ASSERT_EQ(first.run(), second.run());
    ASSERT_TRUE(same(first.memory.stats(), second.memory.stats()));
  }
}

}  // namespace
}  // namespace heddle
