#include "memory/memory_system.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "memory/small_memory.h"

namespace heddle {
namespace {

using small_memory::atomic;
using small_memory::Driver;
using small_memory::gddr3;
using small_memory::read;
using small_memory::write;

const Clocks kOneClock = Clocks::of(100, 100, 100);

// When the replies came, in order of arrival.
std::vector<uint64_t> times(const Driver& driver) {
  std::vector<uint64_t> times;
  for (const auto& arrival : driver.arrivals) times.push_back(arrival.time);
  return times;
}

using Ticks = std::vector<uint64_t>;

// Request: 8 + 1 flit, looked up behind that. Reply of 72 bytes: 8 + 3 flits.
constexpr uint64_t kThere = 8 + 1 + 1, kBack = 8 + 3;

TEST(MemorySystem, AnL2HitTakesTheNetworkTwiceAndTheLatencyOfTheL2) {
  Driver driver(gddr3(), kOneClock, 2);
  driver.want(0, read(0x1000));
  driver.run();
  driver.arrivals.clear();
  driver.want(500, read(0x1000, 1, 7));
  driver.run();
  ASSERT_EQ(driver.arrivals.size(), 1u);
  EXPECT_EQ(driver.arrivals[0], (small_memory::Arrival{500 + kThere + 10 + kBack, 1, 7}));
  EXPECT_EQ(driver.memory.stats().l2.read_hits, 1u);
  driver.memory.check();
}

TEST(MemorySystem, AMissAddsTheTimeOfDram) {
  Driver driver(gddr3(), kOneClock, 1);
  driver.want(3, read(0x1000));
  driver.want(500, read(0x1040));
  driver.want(1000, read(0x1000 + 8 * 2048));
  driver.run();
  const uint64_t seen = kThere + 1;  // DRAM sees it an edge after the look-up
  EXPECT_EQ(times(driver), (Ticks{3 + seen + 12 + 10 + 8 + kBack, 500 + seen + 10 + 8 + kBack,
                                  1000 + seen + 10 + 12 + 10 + 8 + kBack}));
  driver.memory.check();
}

TEST(MemorySystem, EveryPartMovesOnEdgesOfItsOwnClock) {
  const Clocks clocks = Clocks::of(1300, 650, 800);  // 8, 16 and 13 ticks
  Driver driver(gddr3(), clocks, 1);
  driver.want(24, read(0x1000));
  driver.run();
  // Granted at network edge 2 (tick 32), looked up at 12 (192), activated at memory edge 15 (195), the data are there
  // at 45 (585), sent back at network edge 37 (592).
  EXPECT_EQ(times(driver), (Ticks{(37 + kBack) * 16}));
}

TEST(MemorySystem, WithoutANetworkAndAnL2ItIsDramAlone) {
  MemoryParameters p = small_memory::fixed_latency();
  Driver driver(p, kOneClock, 1);
  driver.want(0, read(0, 0, 0, 128));
  driver.want(1000, read(128, 0, 0, 128));
  driver.want(2000, read(8 * 2048, 0, 0, 128));
  driver.run();
  // Looked up behind the tick it was sent in, seen by DRAM one behind that.
  EXPECT_EQ(times(driver), (Ticks{2 + 200, 1002 + 100, 2002 + 300}));
  EXPECT_EQ(driver.memory.stats().l2.accesses(), 0u);
  driver.memory.check();
}

TEST(MemorySystem, ReadsOfALineUnderWayAreMerged) {
  Driver driver(gddr3(), kOneClock, 3);
  for (uint16_t core = 0; core < 3; ++core) driver.want(0, read(0x1000, core));
  driver.run();
  const MemoryStats stats = driver.memory.stats();
  EXPECT_EQ(stats.dram.reads, 1u);
  EXPECT_EQ(stats.l2.merges, 2u);
  EXPECT_EQ(stats.l2.fills, 1u);
  const uint64_t first = kThere + 1 + 12 + 10 + 8 + kBack;
  // One answer leaves the slice per three cycles: its port is held by three flits.
  EXPECT_EQ(times(driver), (Ticks{first, first + 3, first + 6}));
  driver.memory.check();
}

TEST(MemorySystem, AWriteOfAWholeLineFetchesNothing) {
  Driver driver(gddr3(), kOneClock, 1);
  driver.want(0, write(0x1000, 64));
  driver.want(100, read(0x1000));
  driver.run();
  const MemoryStats stats = driver.memory.stats();
  EXPECT_EQ(stats.dram.reads + stats.dram.writes, 0u);
  EXPECT_EQ(stats.l2.unfetched, 1u);
  EXPECT_EQ(stats.l2.read_hits, 1u);
  EXPECT_EQ(driver.arrivals.size(), 1u) << "writes are not answered";
  driver.memory.check();
}

TEST(MemorySystem, AWriteOfAPartOfALineFetchesItFirst) {
  Driver driver(gddr3(), kOneClock, 1);
  driver.want(0, write(0x1000, 32));
  driver.run();
  EXPECT_EQ(driver.memory.stats().dram.reads, 1u);
  EXPECT_EQ(driver.memory.stats().l2.fills, 1u);
  EXPECT_TRUE(driver.arrivals.empty());
  driver.memory.check();
}

TEST(MemorySystem, ASmallerLineOfACoreIsAPartOfTheL2s) {
  Driver driver(gddr3(), kOneClock, 1);
  driver.want(0, write(0x1020, 32, 0, 32));  // whole for the core
  driver.want(200, read(0x1000, 0, 1, 32));
  driver.run();
  EXPECT_EQ(driver.memory.stats().l2.fills, 1u);
  EXPECT_EQ(driver.memory.stats().l2.read_hits, 1u);
  EXPECT_EQ(times(driver), (Ticks{200 + kThere + 10 + 8 + 2})) << "40 bytes are two flits";
}

TEST(MemorySystem, ALargerLineOfACoreIsABug) {
  Driver driver(gddr3(), kOneClock, 1);
  EXPECT_THROW(driver.memory.send(read(0, 0, 0, 128), Tick(0)), InternalError);
}

TEST(MemorySystem, DirtyLinesAreWrittenBackWhenTheyLeave) {
  MemoryParameters p = gddr3();
  p.l2_bytes = 2 * 64;
  p.l2_ways = 2;
  for (const uint16_t bytes : {64, 32}) {
    Driver driver(p, kOneClock, 1);
    driver.want(0, write(0, bytes));
    driver.want(200, read(64));
    driver.want(400, read(128));
    driver.run();
    EXPECT_EQ(driver.memory.stats().l2.writebacks, 1u);
    EXPECT_EQ(driver.memory.stats().dram.writes, 1u);
    driver.want(600, read(192));
    driver.run();
    EXPECT_EQ(driver.memory.stats().l2.writebacks, 1u) << "the next victim is clean";
    driver.memory.check();
  }
}

TEST(MemorySystem, AWriteMakesALineDirtyThatIsThereOrUnderWay) {
  MemoryParameters p = gddr3();
  p.l2_bytes = p.l2_line;
  p.l2_ways = 1;
  for (const uint64_t later : {1u, 200u}) {
    Driver driver(p, kOneClock, 1);
    driver.want(0, read(0));
    driver.want(later, write(0, 32));
    driver.want(400, read(64));
    driver.run();
    EXPECT_EQ(driver.memory.stats().l2.merges, later == 1 ? 1u : 0u);
    EXPECT_EQ(driver.memory.stats().l2.writebacks, 1u);
    driver.memory.check();
  }
}

TEST(MemorySystem, AnAtomicIsAnsweredWhenItsOperationsAreDone) {
  MemoryParameters p = gddr3();
  p.atomic_cycles = 3;
  Driver driver(p, kOneClock, 2);
  driver.want(0, read(0x1000));
  driver.run();
  driver.arrivals.clear();
  driver.want(500, atomic(0x1000, 4, true, 0));  // 16 + 8 bytes: one flit each way
  driver.want(501, read(0x1000, 1));
  driver.run();
  const uint64_t done = 500 + kThere + 3 * 4;
  EXPECT_EQ(times(driver), (Ticks{done + 10 + 8 + 1, done + 10 + 1 + kBack}))
      << "the read is looked up when the atomic is done, and its answer leaves behind the atomic's";
  EXPECT_EQ(driver.memory.stats().atomics, 4u);
  driver.memory.check();
}

TEST(MemorySystem, AnAtomicMissFetchesTheLineAndMakesItDirty) {
  MemoryParameters p = gddr3();
  p.l2_bytes = p.l2_line;
  p.l2_ways = 1;
  Driver driver(p, kOneClock, 1);
  driver.want(0, atomic(0x1000, 4));
  driver.want(300, atomic(0x2000, 1, false));
  driver.want(600, read(0x3000));
  driver.run();
  EXPECT_EQ(times(driver)[0], kThere + 1 + 12 + 10 + 8 + 4 + 8 + 1);
  EXPECT_EQ(driver.arrivals.size(), 2u) << "one atomic wanted no answer";
  EXPECT_EQ(driver.memory.stats().l2.writebacks, 2u);
  driver.memory.check();
}

TEST(MemorySystem, AnAtomicWithoutAnL2ReadsAndWritesDram) {
  Driver driver(small_memory::fixed_latency(), kOneClock, 1);
  driver.want(0, atomic(0, 5));
  driver.run();
  EXPECT_EQ(times(driver), (Ticks{2 + 200 + 5}));
  EXPECT_EQ(driver.memory.stats().dram.reads, 1u);
  EXPECT_EQ(driver.memory.stats().dram.writes, 1u);
  driver.memory.check();
}

TEST(MemorySystem, WithoutAtomicCyclesTheShareOfALineIsDoneAtOnce) {
  MemoryParameters p = gddr3();
  p.atomic_cycles = 0;
  for (const uint16_t operations : {1, 4}) {  // 12 and 24 bytes: one flit each way
    Driver driver(p, kOneClock, 1);
    driver.want(0, read(0x1000));
    driver.run();
    driver.arrivals.clear();
    driver.want(500, atomic(0x1000, operations));
    driver.run();
    EXPECT_EQ(times(driver), (Ticks{500 + kThere + 10 + 8 + 1})) << operations << " operations";
    EXPECT_EQ(driver.memory.stats().atomics, operations);
    driver.memory.check();
  }
}

TEST(MemorySystem, AnAtomicOfALaneIsAnsweredWithItsLine) {
  MemoryParameters p = gddr3();
  p.atomic_lanes = true;
  Driver driver(p, kOneClock, 1);
  driver.want(0, read(0x1000));
  driver.run();
  const uint64_t before = driver.memory.stats().network.reply_bytes;
  driver.want(500, atomic(0x1000, 1));
  driver.run();
  EXPECT_EQ(driver.memory.stats().network.reply_bytes - before, 64u + 8);
}

TEST(MemorySystem, AReplyWithoutAHeaderIsTwoFlitsOf64Bytes) {
  MemoryParameters p = gddr3();
  p.reply_header = 0;
  Driver driver(p, kOneClock, 1);
  driver.want(0, read(0x1000));
  driver.want(500, read(0x1000));
  driver.run();
  EXPECT_EQ(times(driver)[1], 500 + kThere + 10 + 8 + 2);
  EXPECT_EQ(driver.memory.stats().network.reply_bytes, 2u * 64);
}

// Three cores ask three channels at one time: with a port each their answers come together, through one port one after
// the other, as fast as it takes two flits.
TEST(MemorySystem, CoresThatShareAPortShareItsThroughput) {
  MemoryParameters p = gddr3();
  p.channels = 4;
  p.reply_header = 0;
  for (const unsigned shared : {1u, 3u}) {
    p.network_concentration = shared;
    Driver driver(p, kOneClock, 3);
    for (const unsigned start : {0u, 500u})
      for (uint16_t core = 0; core < 3; ++core) driver.want(start, read(Address{core} * 256, core));
    driver.run();
    const uint64_t first = 500 + kThere + 10 + 8 + 2, apart = shared == 1 ? 0 : 2;
    const Ticks all = times(driver);
    EXPECT_EQ(Ticks(all.end() - 3, all.end()), (Ticks{first, first + apart, first + 2 * apart}));
    driver.memory.check();
  }
}

TEST(MemorySystem, TellsAllCoresOfAPortThatItHasRoomAgain) {
  MemoryParameters p = gddr3();
  p.network_queue = 1;
  p.network_concentration = 3;
  MemorySystem memory(p, kOneClock, 5);  // the last port has two
  memory.before_cores(Tick(0));
  memory.send(read(0, 4), Tick(0));
  EXPECT_FALSE(memory.room(3));
  EXPECT_TRUE(memory.room(2));
  memory.after_cores(Tick(0));
  EXPECT_EQ(std::vector<uint16_t>(memory.freed().begin(), memory.freed().end()), (std::vector<uint16_t>{3, 4}));
}

TEST(MemorySystem, AMissTakesItsOwnTimeInTheL2) {
  MemoryParameters p = gddr3();
  p.l2_miss_latency = 20;
  Driver driver(p, kOneClock, 1);
  driver.want(0, read(0x1000));
  driver.want(500, read(0x1000));
  driver.run();
  EXPECT_EQ(times(driver), (Ticks{kThere + 1 + 12 + 10 + 8 + 20 + kBack, 500 + kThere + 10 + kBack}));
}

TEST(MemorySystem, AWriteThatMissesIsPassedOnWhereTheL2AllocatesNone) {
  MemoryParameters p = gddr3();
  p.l2_pass_writes = true;
  for (const uint16_t bytes : {64, 32}) {
    Driver driver(p, kOneClock, 1);
    driver.want(0, write(0x1000, bytes));
    driver.want(200, read(0x1000));
    driver.want(400, write(0x1000, bytes));
    driver.run();
    const MemoryStats stats = driver.memory.stats();
    EXPECT_EQ(stats.dram.writes, 1u) << "the first; the last hits";
    EXPECT_EQ(stats.dram.reads, 1u) << "the write left nothing behind";
    EXPECT_EQ(stats.l2.unfetched, 1u);
    EXPECT_EQ(stats.l2.write_hits, 1u);
    driver.memory.check();
  }
}

TEST(MemorySystem, AWriteSendsItsBytesOrItsLineAndAMask) {
  MemoryParameters p = gddr3();
  for (const bool lines : {false, true}) {
    p.write_packet = lines ? MemoryParameters::WritePacket::Line : MemoryParameters::WritePacket::Bytes;
    for (const auto& [bytes, sent] : {std::pair{64u, 64u}, {4u, lines ? 64u + 8 : 4u}}) {
      Driver driver(p, kOneClock, 1);
      driver.want(0, write(0x1000, static_cast<uint16_t>(bytes)));
      driver.run();
      EXPECT_EQ(driver.memory.stats().network.request_bytes, 8 + sent);
    }
  }
}

// Everything that can hold a request is small: in the end the core has no room.
TEST(MemorySystem, AFullMemoryHoldsTheCoreBack) {
  MemoryParameters p = gddr3();
  p.network_queue = 2;
  p.l2_queue = 2;
  p.dram_queue = 3;
  p.l2_mshrs = 64;
  Driver driver(p, kOneClock, 1);
  unsigned sent = 0;
  for (Tick now; now.count() < 23; ++now) {  // the first column command is given at 23
    driver.memory.before_cores(now);
    if (driver.memory.room(0)) driver.memory.send(read(Address{sent++} * 8 * 2048), now);
    driver.memory.after_cores(now);
  }
  // Two of DRAM's three places, as a miss keeps one for a write-back, two at the slice, two at the core.
  EXPECT_EQ(sent, 6u);
  EXPECT_FALSE(driver.memory.room(0));
}

// One bank, every read in another row: DRAM is slow, and its queue soon full.
TEST(MemorySystem, AHitPassesMissesThatStepAside) {
  MemoryParameters p = gddr3();
  p.dram_queue = 2;
  for (const unsigned places : {0u, 16u}) {
    p.l2_miss_queue = places;
    Driver driver(p, kOneClock, 2);
    driver.want(0, read(0, 1));
    driver.run();
    driver.arrivals.clear();
    for (uint32_t i = 1; i <= 6; ++i) driver.want(500, read(Address{i} * 8 * 2048, 0, i));
    driver.want(510, read(0, 1, 7));
    driver.run();
    const auto hit =
        std::find_if(driver.arrivals.begin(), driver.arrivals.end(), [](const auto& a) { return a.tag == 7; });
    ASSERT_NE(hit, driver.arrivals.end());
    if (places > 0)
      EXPECT_EQ(uint64_t(hit->time), 510 + kThere + 10 + kBack);
    else
      EXPECT_GT(uint64_t(hit->time), 510 + kThere + 10 + kBack + 35) << "behind the misses";
    EXPECT_EQ(driver.memory.stats().dram.reads, 7u);
    driver.memory.check();
  }
}

TEST(MemorySystem, TellsACoreWhenItHasRoomAgain) {
  MemoryParameters p = gddr3();
  p.network_queue = 1;
  MemorySystem memory(p, kOneClock, 2);
  memory.before_cores(Tick(0));
  memory.send(read(0, 1), Tick(0));
  EXPECT_FALSE(memory.room(1));
  memory.after_cores(Tick(0));
  EXPECT_EQ(std::vector<uint16_t>(memory.freed().begin(), memory.freed().end()), (std::vector<uint16_t>{1}));
  EXPECT_TRUE(memory.room(1));
}

TEST(MemorySystem, IsQuietWithNothingToDo) {
  Driver driver(gddr3(), kOneClock, 1);
  EXPECT_EQ(driver.memory.next(), kNever);
  EXPECT_TRUE(driver.memory.quiet());
  std::string text;
  driver.memory.explain(text);
  EXPECT_EQ(text, "memory: nothing under way\n");
  driver.memory.send(read(0), Tick(5));
  EXPECT_FALSE(driver.memory.quiet());
  EXPECT_EQ(driver.memory.next(), Tick(5));
  EXPECT_THROW(driver.memory.check(), InternalError);
}

TEST(MemorySystem, ExplainsWhatIsUnderWay) {
  Driver driver(gddr3(), kOneClock, 1);
  driver.want(0, read(0));
  driver.want(0, read(0x40));
  driver.run(Tick(13));
  std::string text;
  driver.memory.explain(text);
  EXPECT_EQ(text,
            "network: 0 requests wait, 0 replies wait\n"
            "slice 0: 0 requests, 2 lines under way, 0 answers\n"
            "channel 0: 2 requests wait, 0 reads finished or on the bus\n");
}

TEST(MemorySystem, RefusesAnL2WhoseLinesDoNotComeOutEvenInSets) {
  MemoryParameters p = gddr3();
  p.l2_bytes = 3 * 8 * 64 + 64;
  EXPECT_THROW(MemorySystem(p, kOneClock, 1), Error);
}

TEST(MemorySystem, StreamingReadsReachTheBandwidthOfDram) {
  MemoryParameters p = gddr3();
  p.channels = 3;
  p.l2_bytes = 65536;
  Driver driver(p, kOneClock, 4);
  const unsigned lines = 12000;
  for (unsigned line = 0; line < lines; ++line) driver.want(0, read(Address{line} * 64, line % 4));
  driver.run();
  const double bytes_per_cycle = lines * 64.0 / static_cast<double>(driver.arrivals.back().time);
  EXPECT_GE(bytes_per_cycle, 0.95 * 3 * 8);
  EXPECT_LE(bytes_per_cycle, 3 * 8);
  driver.memory.check();
}

TEST(MemorySystem, StreamingReadsReachTheBandwidthOfTheBoard) {
  MemoryParameters p = small_memory::shipped();
  p.channels = 8;
  p.l2_bytes = 65536;
  const Clocks clocks = Clocks::of(325, 650, 800);
  Driver driver(p, clocks, 30);
  const unsigned lines = 60000;
  for (unsigned line = 0; line < lines; ++line) driver.want(0, read(Address{line} * 64, line % 30));
  driver.run();
  const double cycles = static_cast<double>(driver.arrivals.back().time) / static_cast<double>(clocks.memory.period());
  const double gigabytes_per_second = lines * 64.0 / cycles * 0.8;  // 800 MHz
  EXPECT_GE(gigabytes_per_second, 0.9 * 102.4);
  EXPECT_LE(gigabytes_per_second, 102.4);
  driver.memory.check();
}

}  // namespace
}  // namespace heddle
