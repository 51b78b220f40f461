// Sectors of the L2: what is fetched, joined, written and sent, when, and how much of it.
#include <gtest/gtest.h>

#include <array>
#include <list>
#include <random>

#include "memory/memory_system.h"
#include "memory/small_memory.h"

namespace heddle {
namespace {

using small_memory::Arrival;
using small_memory::Driver;
using small_memory::read_sectors;
using small_memory::sectored;
using small_memory::write_part;

const Clocks kAllAlike = Clocks::of(100, 100, 100);
using Arrivals = std::vector<Arrival>;

// A request: 8 + 1 flit, looked up behind that, DRAM behind that: a closed bank takes 12 + 10, 64 bytes 8 cycles.
// A reply of 40 bytes: 8 + 2 flits.
constexpr uint64_t kToL2 = 8 + 1 + 1, kHome = 8 + 2;
constexpr uint64_t kFromDram = 1 + 12 + 10 + 8, kFromOpenRow = 1 + 10 + 8;

TEST(L2Sectors, AMissBringsThePieceOfDramTheSectorLiesIn) {
  Driver driver(sectored(), kAllAlike, 1);
  driver.want(0, read_sectors(0x1000, 0b0001, 0, 1));
  driver.want(500, read_sectors(0x1000, 0b0010, 0, 2));
  driver.want(1000, read_sectors(0x1000, 0b0100, 0, 3));
  driver.run();
  EXPECT_EQ(driver.arrivals, (Arrivals{{kToL2 + kFromDram + kHome, 0, 1},
                                       {500 + kToL2 + 10 + kHome, 0, 2},  // came with the first
                                       {1000 + kToL2 + kFromOpenRow + kHome, 0, 3}}));
  const MemoryStats stats = driver.memory.stats();
  EXPECT_EQ(stats.dram.bytes, 2u * 64);
  EXPECT_EQ(stats.l2.sectors, (SectorStats{.reads = 3, .read_hits = 1, .fetched = 4}));
  EXPECT_EQ(stats.network.reply_bytes, 3u * 40);
  driver.memory.check();
}

// The first two pieces of a line, asked for by different requests: one register, two accesses of DRAM.
TEST(L2Sectors, RequestsForPartsOfALineAreJoinedAndAnsweredWhenTheirOwnHasCome) {
  Driver driver(sectored(), kAllAlike, 1);
  driver.want(0, read_sectors(0x1000, 0b0001, 0, 1));
  driver.want(1, read_sectors(0x1000, 0b1000, 0, 2));
  driver.want(2, read_sectors(0x1000, 0b0010, 0, 3));
  driver.run();
  // The second piece follows the first on the bus. The third request is answered a cycle behind the first, whose two
  // flits hold the port.
  const uint64_t first = kToL2 + kFromDram + kHome;
  EXPECT_EQ(driver.arrivals, (Arrivals{{first, 0, 1}, {first + 2, 0, 3}, {first + 8, 0, 2}}));
  const MemoryStats stats = driver.memory.stats();
  EXPECT_EQ(stats.dram.reads, 2u);
  EXPECT_EQ(stats.l2.fills, 2u);
  EXPECT_EQ(stats.l2.merges, 1u);
  driver.memory.check();
}

TEST(L2Sectors, ARequestThatWantsMoreThanIsOnItsWayWaitsForAllOfIt) {
  Driver driver(sectored(), kAllAlike, 1);
  driver.want(0, read_sectors(0x1000, 0b0001, 0, 1));
  driver.want(1, read_sectors(0x1000, 0b1001, 0, 2));
  driver.run();
  const uint64_t first = kToL2 + kFromDram + kHome;
  EXPECT_EQ(driver.arrivals, (Arrivals{{first, 0, 1}, {first + 8 + 1, 0, 2}})) << "72 bytes are three flits";
  EXPECT_EQ(driver.memory.stats().dram.bytes, 128u);
  driver.memory.check();
}

TEST(L2Sectors, OneRequestForBothPiecesIsOneAccess) {
  Driver driver(sectored(), kAllAlike, 1);
  driver.want(0, read_sectors(0x1000, 0b1001));
  driver.run();
  EXPECT_EQ(driver.arrivals[0].time, kToL2 + kFromDram + 8 + 8 + 3);
  EXPECT_EQ(driver.memory.stats().dram.reads, 1u);
  EXPECT_EQ(driver.memory.stats().l2.sectors.fetched, 4u);
  driver.memory.check();
}

// ---- writes

TEST(L2Sectors, AWriteFetchesNothing) {
  Driver driver(sectored(), kAllAlike, 1);
  driver.want(0, write_part(0x1000, 0, 32));
  driver.want(100, write_part(0x1000, 64, 4));
  driver.run();
  EXPECT_EQ(driver.memory.stats().dram.reads, 0u);
  EXPECT_EQ(driver.memory.stats().l2.unfetched, 2u);
  driver.want(500, read_sectors(0x1000, 0b0001));  // written whole
  driver.run();
  EXPECT_EQ(driver.memory.stats().dram.reads, 0u);
  EXPECT_EQ(driver.arrivals.back().time, 500 + kToL2 + 10 + kHome);
  driver.want(1000, read_sectors(0x1000, 0b0100));  // in part
  driver.run();
  EXPECT_EQ(driver.memory.stats().dram.bytes, 64u);
  driver.want(1500, read_sectors(0x1000, 0b1100));
  driver.run();
  EXPECT_EQ(driver.memory.stats().dram.bytes, 64u) << "now it is there";
  driver.memory.check();
}

// Where writes that miss pass, those to a line of which something is there stay.
TEST(L2Sectors, AWriteToALineOfWhichOtherSectorsAreThereDoesNotPass) {
  MemoryParameters p = sectored();
  p.l2_pass_writes = true;
  Driver driver(p, kAllAlike, 1);
  driver.want(0, read_sectors(0x1000, 0b0001));
  driver.want(500, write_part(0x1000, 96, 32));
  driver.want(1000, write_part(0x2000, 0, 32));
  driver.run();
  EXPECT_EQ(driver.memory.stats().l2.unfetched, 2u);
  EXPECT_EQ(driver.memory.stats().dram.writes, 1u);
  driver.memory.check();
}

TEST(L2Sectors, PartsOfASectorAddUpToAWholeOne) {
  for (const unsigned parts : {7u, 8u}) {
    Driver driver(sectored(), kAllAlike, 1);
    for (unsigned part = 0; part < parts; ++part) driver.want(part * 10, write_part(0x1000, 32 + 4 * part, 4));
    driver.want(500, read_sectors(0x1000, 0b0010));
    driver.run();
    EXPECT_EQ(driver.memory.stats().dram.reads, parts == 8 ? 0u : 1u);
    EXPECT_EQ(driver.memory.stats().l2.sectors.read_hits, parts == 8 ? 1u : 0u);
    driver.memory.check();
  }
}

TEST(L2Sectors, ASmallerLineOfACoreIsWrittenWhereItLies) {
  Driver driver(sectored(), kAllAlike, 1);
  driver.want(0, small_memory::write(0x1040, 64, 0, 64));  // whole for the core: the upper half
  driver.want(500, read_sectors(0x1000, 0b1100));
  driver.run();
  EXPECT_EQ(driver.memory.stats().l2.sectors, (SectorStats{.reads = 2, .read_hits = 2, .writes = 2}));
  driver.want(1000, small_memory::read(0x1000, 0, 0, 64));
  driver.run();
  EXPECT_EQ(driver.memory.stats().l2.sectors.read_hits, 2u);
  driver.memory.check();
}

TEST(L2Sectors, DirtySectorsAreWrittenBackInPieces) {
  for (const auto& [access, bytes] : {std::pair{32u, 32u}, {64u, 64u}, {128u, 128u}}) {
    MemoryParameters p = sectored();
    p.l2_bytes = p.l2_line;
    p.l2_ways = 1;
    p.dram_access = access;
    Driver driver(p, kAllAlike, 1);
    driver.want(0, write_part(0x1000, 4, 4));
    driver.want(500, write_part(0x2000, 0, 4));
    driver.run();
    EXPECT_EQ(driver.memory.stats().l2.writebacks, 1u);
    EXPECT_EQ(driver.memory.stats().dram.bytes, bytes);
    driver.want(1000, read_sectors(0x1000, 0b0001));
    driver.run();
    EXPECT_EQ(driver.memory.stats().dram.reads, 1u) << "what was written in part is gone from the L2";
    driver.memory.check();
  }
}

TEST(L2Sectors, AWriteIsSentBytesSectorsOrLine) {
  using enum MemoryParameters::WritePacket;
  for (const auto& [packet, sent] : {std::pair{Bytes, 8u}, {Sectors, 64u}, {Line, 128u + 16}}) {
    MemoryParameters p = sectored();
    p.write_packet = packet;
    Driver driver(p, kAllAlike, 1);
    driver.want(0, write_part(0x1000, 28, 8));  // the end of a sector and the beginning of the next
    driver.run();
    EXPECT_EQ(driver.memory.stats().network.request_bytes, 8 + sent);
  }
}

TEST(L2Sectors, WhichBytesAreWrittenIsSentWhereItIsNotAll) {
  for (const auto& [offset, bytes, sent] : {std::tuple{28u, 8u, 64u + 32}, {0u, 64u, 64u}, {32u, 32u, 32u}}) {
    MemoryParameters p = sectored();
    p.write_packet = MemoryParameters::WritePacket::Sectors;
    p.write_mask = 32;
    Driver driver(p, kAllAlike, 1);
    driver.want(0, write_part(0x1000, offset, bytes));
    driver.run();
    EXPECT_EQ(driver.memory.stats().network.request_bytes, 8 + sent);
  }
}

TEST(L2Sectors, AnAtomicNeedsItsSectorAndMakesItDirty) {
  MemoryParameters p = sectored();
  p.l2_bytes = p.l2_line;
  p.l2_ways = 1;
  Driver driver(p, kAllAlike, 1);
  Request atomic = small_memory::atomic(0x1000, 1);
  atomic.line_bytes = 128;
  atomic.sectors = 0b0100;
  driver.want(0, atomic);
  driver.want(500, atomic);
  driver.want(1000, read_sectors(0x2000, 0b0001));
  driver.run();
  EXPECT_EQ(driver.arrivals[0].time, kToL2 + kFromDram + 1 + 8 + 1) << "one operation, one flit";
  EXPECT_EQ(driver.arrivals[1].time, 500 + kToL2 + 1 + 10 + 8 + 1);
  const MemoryStats stats = driver.memory.stats();
  EXPECT_EQ(stats.l2.sectors, (SectorStats{.reads = 1, .atomics = 2, .atomic_hits = 1, .fetched = 4}));
  EXPECT_EQ(stats.dram.writes, 1u);
  EXPECT_EQ(stats.dram.bytes, 3u * 64);
  driver.memory.check();
}

// ---- partitions, and a wider way back

TEST(L2Partitions, AnAnswerOfAnotherPartitionTakesLonger) {
  MemoryParameters p = sectored();
  p.channels = 4;
  p.l2_partitions = 2;
  p.l2_far_latency = 25;
  Driver driver(p, kAllAlike, 2);
  for (uint16_t core = 0; core < 2; ++core)
    for (uint32_t channel = 0; channel < 4; ++channel)
      driver.want(1000 * (channel + 1), read_sectors(Address{256} * channel, 0b0001 << 2 * core, core, channel));
  driver.run();
  for (const Arrival& arrival : driver.arrivals) {
    const bool far = arrival.core != arrival.tag / 2;
    const uint64_t near = 1000 * (arrival.tag + 1) + kToL2 + kFromDram + kHome;
    // Both cores ask for a line at the same time: the one that is looked up later finds the row open, and the bus
    // taken.
    EXPECT_TRUE(arrival.time == near + (far ? 25 : 0) || arrival.time == near + 8 + (far ? 25 : 0)) << arrival.tag;
  }
  EXPECT_EQ(driver.arrivals.size(), 8u);
}

TEST(L2Partitions, WhatAnotherPartitionFetchesMayTakeLongerStill) {
  MemoryParameters p = sectored();
  p.channels = 2;
  p.l2_partitions = 2;
  p.l2_far_latency = 25;
  p.l2_far_miss_latency = 100;
  Driver driver(p, kAllAlike, 2);
  for (const uint64_t begin : {0, 10000})
    for (uint32_t channel = 0; channel < 2; ++channel)
      driver.want(1000 * channel + begin, read_sectors(Address{256} * channel, 0b0001, 0, channel));
  driver.run();
  ASSERT_EQ(driver.arrivals.size(), 4u);
  const uint64_t fetched = kToL2 + kFromDram + kHome, hit = driver.arrivals[2].time - 10000;
  EXPECT_EQ(driver.arrivals[0].time, fetched);
  EXPECT_EQ(driver.arrivals[1].time, 1000 + fetched + 100);
  EXPECT_LT(hit, fetched);
  EXPECT_EQ(driver.arrivals[3].time, 11000 + hit + 25);
}

// The atomic goes to the other part's slice, and passes that of channel 0 in the cycle before a read comes there, which
// is looked up in the one behind it; or when 20 cycles of that slice for each of its sectors are over.
TEST(L2Partitions, AnAtomicForAnotherPartKeepsASliceOfItsOwnBusy) {
  const auto read_at = [](unsigned cycles, Sectors sectors, Address atomic_at) {
    MemoryParameters p = sectored();
    p.channels = p.l2_partitions = 2;
    p.l2_far_cycles = cycles;
    Driver driver(p, kAllAlike, 2);
    driver.want(0, read_sectors(0, 0b0001));
    Request atomic = small_memory::atomic(atomic_at, 1);
    atomic.line_bytes = 128;
    atomic.sectors = sectors;
    atomic.answered = false;
    driver.want(1000, atomic);
    driver.want(1001, read_sectors(0, 0b0001));
    driver.run();
    return driver.arrivals.back().time;
  };
  const uint64_t alone = read_at(0, 0b0010, 256);
  EXPECT_EQ(read_at(20, 0b0010, 256), alone + 18);
  EXPECT_EQ(read_at(20, 0b1010, 256), alone + 38);
  EXPECT_EQ(read_at(20, 0b0010, 0), read_at(0, 0b0010, 0)) << "its own part's passes no other";
}

TEST(L2Sectors, RepliesMayHaveAWiderNetwork) {
  MemoryParameters p = sectored();
  p.network_reply_bytes = 64;
  Driver driver(p, kAllAlike, 1);
  driver.want(0, read_sectors(0x1000, 0b0001));
  driver.run();
  EXPECT_EQ(driver.arrivals[0].time, kToL2 + kFromDram + 8 + 1) << "40 bytes are one flit";
}

// A slice that sends 128 bytes a cycle to a core that takes 32: the slice is free for the next core at once.
TEST(L2Sectors, ASliceMaySendAtAWidthOfItsOwn) {
  for (const unsigned width : {0u, 128u}) {
    MemoryParameters p = sectored();
    p.reply_header = 0;
    p.l2_reply_bytes = width;
    Driver driver(p, kAllAlike, 2);
    driver.want(0, read_sectors(0x1000, 0b1111));
    driver.run();
    driver.arrivals.clear();
    for (uint16_t core = 0; core < 2; ++core) driver.want(500, read_sectors(0x1000, 0b1111, core));
    driver.run();
    // Looked up a cycle apart; four flits to each core, which hold the slice for four cycles, or for one.
    const uint64_t first = 500 + kToL2 + 10 + 8 + 4;
    EXPECT_EQ(driver.arrivals, (Arrivals{{first, 1, 0}, {first + (width == 0 ? 4 : 1), 0, 0}}))
        << "core 0 had its turn before";
  }
}

// ---- one request at a time, against a plain account of lines, their sectors and their bytes

class Account {
 public:
  Account(unsigned ways, unsigned piece) : ways_(ways), piece_(piece) {}

  void serve(const Request& request) {
    Line& line = bring_forward(request.address);
    std::array<bool, 4> wanted{};
    for (unsigned s = 0; s < 4; ++s) wanted[s] = (request.sectors >> s & 1) != 0;
    if (request.kind == Request::Kind::Write) return write(line, request, wanted);
    const auto there = [&](unsigned s) { return line.read[s] || whole(line, s); };
    std::array<bool, 4> pieces{};
    for (unsigned s = 0; s < 4; ++s) {
      sectors.reads += wanted[s];
      sectors.read_hits += wanted[s] && there(s);
      if (wanted[s] && !there(s)) pieces[s / piece_] = true;
    }
    for (unsigned s = 0; s < 4; ++s) {
      if (!pieces[s / piece_]) continue;
      bytes += kSectorBytes;  // a piece moves whole, also where some of it is there
      sectors.fetched += !there(s);
      line.read[s] = true;
    }
  }

  SectorStats sectors;
  uint64_t bytes = 0;  // of DRAM

 private:
  struct Line {
    Address address;
    std::array<bool, 4> read{}, dirty{};
    std::array<bool, 128> written{};
  };

  static bool whole(const Line& line, unsigned sector) {
    for (unsigned b = 0; b < kSectorBytes; ++b)
      if (!line.written[sector * kSectorBytes + b]) return false;
    return true;
  }
  void write(Line& line, const Request& request, const std::array<bool, 4>& wanted) {
    for (unsigned s = 0; s < 4; ++s) {
      sectors.writes += wanted[s];
      sectors.write_hits += wanted[s] && (line.read[s] || whole(line, s));
      if (wanted[s]) line.dirty[s] = true;
    }
    for (unsigned b = 0; b < 128; ++b)
      if ((request.written[b / 64] >> b % 64 & 1) != 0) line.written[b] = true;
  }
  Line& bring_forward(Address address) {
    const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) { return l.address == address; });
    if (found != lines_.end()) {
      lines_.splice(lines_.begin(), lines_, found);
      return lines_.front();
    }
    lines_.push_front({address});
    if (lines_.size() > ways_) {
      for (unsigned first = 0; first < 4; first += piece_) {
        bool dirty = false;
        for (unsigned s = first; s < first + piece_; ++s) dirty = dirty || lines_.back().dirty[s];
        bytes += dirty ? piece_ * kSectorBytes : 0;
      }
      lines_.pop_back();
    }
    return lines_.front();
  }

  unsigned ways_, piece_;
  std::list<Line> lines_;  // of the only set, most recently used first
};

TEST(L2Sectors, AgreesWithAPlainAccountOfLinesSectorsAndBytes) {
  for (const unsigned access : {32u, 64u, 128u})
    for (const unsigned seed : {1u, 2u}) {
      MemoryParameters p = sectored();
      p.l2_bytes = 4 * 128;
      p.l2_ways = 4;
      p.dram_access = access;
      Driver driver(p, kAllAlike, 1);
      Account account(4, access / kSectorBytes);
      std::mt19937 random(seed);
      for (uint64_t i = 0; i < 3000; ++i) {
        const Address address = Address{random() % 7} * 128;
        Request request = read_sectors(address, static_cast<Sectors>(1 + random() % 15));
        if (random() % 2 == 0) {
          const unsigned bytes = 4u << random() % 4;
          request = write_part(address, static_cast<unsigned>(random() % (128 / bytes)) * bytes, bytes);
        }
        account.serve(request);
        driver.want(i * 1000, request);
      }
      driver.run();
      driver.memory.check();
      const MemoryStats stats = driver.memory.stats();
      EXPECT_EQ(stats.l2.sectors, account.sectors);
      EXPECT_EQ(stats.dram.bytes, account.bytes);
    }
}

}  // namespace
}  // namespace heddle
