#include "memory/dram_channel.h"

#include <gtest/gtest.h>

#include "memory/small_memory.h"

namespace heddle {
namespace {

using small_memory::gddr3;
using Kind = DramCommand::Kind;

// A channel with its trace of commands.
struct Traced {
  explicit Traced(const MemoryParameters& parameters, unsigned number = 0) : channel(parameters, number) {
    channel.record(&commands);
  }

  void read(unsigned bank, uint64_t row, uint32_t tag = 0, uint64_t edge = 0) { push(bank, row, tag, false, edge); }
  void write(unsigned bank, uint64_t row, uint64_t edge = 0) { push(bank, row, 0, true, edge); }
  void push(unsigned bank, uint64_t row, uint32_t tag, bool write, uint64_t edge) {
    channel.push({row, tag, static_cast<uint16_t>(bank), 64, write}, DramCycle(edge));
  }
  // Ticks when the channel asks for it; takes finished reads at once unless told not to.
  void run(uint64_t end, bool take = true) {
    for (; now.count() < end; ++now) {
      if (channel.next() <= now) channel.tick(now);
      while (take && !channel.returns().empty() && channel.returns().front().cycle <= now) {
        finished.push_back(channel.returns().front());
        channel.take_finished(now + 1);
      }
    }
  }
  std::vector<uint64_t> cycles(Kind kind) const {
    std::vector<uint64_t> cycles;
    for (const DramCommand& command : commands)
      if (command.kind == kind) cycles.push_back(command.cycle.count());
    return cycles;
  }
  std::vector<uint64_t> finish_cycles() const {
    std::vector<uint64_t> cycles;
    for (const auto& read : finished) cycles.push_back(read.cycle.count());
    return cycles;
  }
  std::vector<uint32_t> tags() const {
    std::vector<uint32_t> tags;
    for (const auto& read : finished) tags.push_back(read.tag);
    return tags;
  }

  DramChannel channel;
  std::vector<DramCommand> commands;
  std::vector<DramChannel::Finished> finished;
  DramCycle now{0};
};

using Cycles = std::vector<uint64_t>;
using Tags = std::vector<uint32_t>;

TEST(DramChannel, AClosedBankTakesRcdClAndTheTransfer) {
  Traced dram(gddr3());
  dram.read(0, 5);
  dram.run(100);
  EXPECT_EQ(dram.cycles(Kind::Activate), Cycles{0});
  EXPECT_EQ(dram.cycles(Kind::Column), Cycles{12});
  EXPECT_EQ(dram.finish_cycles(), Cycles{12 + 10 + 8});
  EXPECT_EQ(dram.channel.stats().row_misses, 1u);
}

TEST(DramChannel, ARowHitTakesClAndTheTransfer) {
  Traced dram(gddr3());
  dram.read(0, 5);
  dram.run(100);
  dram.read(0, 5, 0, 100);
  dram.run(200);
  EXPECT_EQ(dram.finish_cycles(), (Cycles{30, 100 + 10 + 8}));
  EXPECT_EQ(dram.channel.stats().row_hits, 1u);
}

TEST(DramChannel, AConflictTakesRpRcdClAndTheTransfer) {
  Traced dram(gddr3());
  dram.read(0, 5);
  dram.run(100);
  dram.read(0, 6, 0, 100);
  dram.run(200);
  EXPECT_EQ(dram.cycles(Kind::Precharge), Cycles{100});
  EXPECT_EQ(dram.finish_cycles(), (Cycles{30, 100 + 10 + 12 + 10 + 8}));
  EXPECT_EQ(dram.channel.stats().row_conflicts, 1u);
}

TEST(DramChannel, RasHoldsARowOpen) {
  Traced dram(gddr3());
  dram.read(0, 5);
  dram.read(0, 6);
  dram.run(200);
  EXPECT_EQ(dram.cycles(Kind::Precharge), Cycles{25}) << "the column command was at 12";
}

TEST(DramChannel, RcKeepsActivatesOfABankApart) {
  MemoryParameters p = gddr3();
  p.trc = 36;
  for (const auto& [trp, second] : {std::pair{10u, 36u}, {11u, 36u}, {12u, 37u}}) {
    p.trp = trp;
    Traced dram(p);
    dram.read(0, 5);
    dram.read(0, 6);
    dram.run(200);
    EXPECT_EQ(dram.cycles(Kind::Activate), (Cycles{0, second})) << "tRAS 25 + tRP " << trp << " against tRC 36";
  }
}

TEST(DramChannel, RrdKeepsActivatesOfBanksApart) {
  Traced dram(gddr3());
  dram.read(0, 5);
  dram.read(1, 5);
  dram.read(2, 5);
  dram.run(200);
  EXPECT_EQ(dram.cycles(Kind::Activate), (Cycles{0, 8, 16}));
}

TEST(DramChannel, RcdKeepsTheColumnCommandBack) {
  MemoryParameters p = gddr3();
  for (const unsigned trcd : {1u, 12u, 13u}) {
    p.trcd = trcd;
    Traced dram(p);
    dram.read(0, 5);
    dram.run(100);
    EXPECT_EQ(dram.cycles(Kind::Column), Cycles{trcd});
  }
}

TEST(DramChannel, ColumnCommandsWaitForTheBus) {
  Traced dram(gddr3());
  for (unsigned i = 0; i < 3; ++i) dram.read(0, 5);
  dram.run(200);
  EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{12, 20, 28}));
}

TEST(DramChannel, GivesOneCommandPerCycle) {
  MemoryParameters p = gddr3();
  p.trcd = p.trp = p.trc = p.tras = p.trrd = 0;
  p.dram_bytes_per_cycle = 64;
  Traced dram(p);
  for (unsigned bank = 0; bank < 3; ++bank) dram.read(bank, 1);
  dram.run(50);
  EXPECT_EQ(dram.cycles(Kind::Activate), (Cycles{0, 2, 4})) << "column commands go first";
  EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{1, 3, 5}));
}

TEST(DramChannel, FirstReadyServesTheOpenRowBeforeOlderRequests) {
  for (const bool first_ready : {true, false}) {
    MemoryParameters p = gddr3();
    p.first_ready = first_ready;
    Traced dram(p);
    dram.read(0, 5, 1);
    dram.read(0, 6, 2);
    dram.read(0, 5, 3);
    dram.run(300);
    EXPECT_EQ(dram.tags(), first_ready ? (Tags{1, 3, 2}) : (Tags{1, 2, 3}));
    EXPECT_EQ(dram.channel.stats().row_hits, first_ready ? 1u : 0u);
    EXPECT_EQ(dram.channel.stats().activates, first_ready ? 2u : 3u);
  }
}

TEST(DramChannel, InOrderTooRequestsForOneRowAreHits) {
  MemoryParameters p = gddr3();
  p.first_ready = false;
  Traced dram(p);
  for (uint32_t tag = 0; tag < 3; ++tag) dram.read(0, 5, tag);
  dram.run(200);
  EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{12, 20, 28}));
  EXPECT_EQ(dram.channel.stats().row_hits, 2u);
}

TEST(DramChannel, ALateRequestForTheOpenRowKeepsItOpen) {
  Traced dram(gddr3());
  dram.read(0, 5, 1);
  dram.read(0, 6, 2);
  dram.run(24);
  dram.read(0, 5, 3, 24);
  dram.run(300);
  EXPECT_EQ(dram.tags(), (Tags{1, 3, 2}));
  EXPECT_EQ(dram.cycles(Kind::Precharge), (Cycles{25})) << "its column command was given at 24";
}

TEST(DramChannel, OnePolicyOrTheOtherBanksWorkSideBySide) {
  for (const bool first_ready : {true, false}) {
    MemoryParameters p = gddr3();
    p.first_ready = first_ready;
    Traced dram(p);
    dram.read(0, 5, 1);
    dram.read(0, 6, 2);
    dram.read(1, 7, 3);
    dram.run(300);
    EXPECT_EQ(dram.tags(), (Tags{1, 3, 2}));
    EXPECT_EQ(dram.cycles(Kind::Activate), (Cycles{0, 8, 35}));
  }
}

TEST(DramChannel, TheOldestOfTheReadyColumnsGoesFirst) {
  Traced dram(gddr3());
  dram.read(3, 1, 1);
  dram.read(0, 1, 2);
  dram.run(100);
  dram.read(3, 1, 3, 100);
  dram.read(0, 1, 4, 100);
  dram.run(200);
  EXPECT_EQ(dram.tags(), (Tags{1, 2, 3, 4}));
}

TEST(DramChannel, AWriteHoldsTheBusAndIsNotAnswered) {
  Traced dram(gddr3());
  dram.write(0, 5);
  dram.read(0, 5, 1);
  dram.run(100);
  EXPECT_EQ(dram.finish_cycles(), Cycles{12 + 8 + 10 + 8});
  EXPECT_EQ(dram.channel.stats().writes, 1u);
  EXPECT_EQ(dram.channel.stats().reads, 1u);
  EXPECT_TRUE(dram.channel.empty());
}

TEST(DramChannel, AWriteIsReadyEarlierThanARead) {
  Traced dram(small_memory::shipped());
  dram.write(0, 5);
  dram.run(100);
  EXPECT_EQ(dram.cycles(Kind::Column), Cycles{12 - 7 - 1}) << "tRCD - tWL - 1";
}

TEST(DramChannel, TwoCyclesLieBetweenTheDataOfAReadAndOfAWrite) {
  Traced dram(small_memory::shipped());
  dram.read(0, 5);
  dram.write(0, 5);
  dram.run(100);
  // Its data end at 12 + 10 + 4; those of the write come 7 behind its command.
  EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{12, 12 + 10 + 4 + 2 - 7}));
}

TEST(DramChannel, ReadsGoWhileAWriteWaitsForTheBusToTurn) {
  Traced dram(small_memory::shipped());
  dram.read(0, 5, 1);
  dram.write(1, 5);
  dram.read(0, 5, 2);
  dram.run(100);
  EXPECT_EQ(dram.tags(), (Tags{1, 2}));
  EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{12, 16, 16 + 10 + 4 + 2 - 7})) << "the write could go at 12 + 9";
}

TEST(DramChannel, AReadWaitsForTwtrBehindTheLastColumnCommandOfAWrite) {
  for (const unsigned twtr : {0u, 6u, 12u}) {
    MemoryParameters p = small_memory::shipped();
    p.twtr = twtr;
    Traced dram(p);
    dram.write(0, 5);
    dram.read(0, 5);
    dram.run(100);
    // 64 bytes are two column commands of two cycles, at 4 and 6.
    EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{4, std::max(12u, 6 + twtr)})) << "twtr " << twtr;
  }
}

TEST(DramChannel, CcdKeepsColumnCommandsApart) {
  MemoryParameters p = gddr3();
  for (const unsigned tccd : {1u, 8u, 9u}) {  // the transfer takes 8
    p.tccd = tccd;
    Traced dram(p);
    dram.read(0, 5);
    dram.read(0, 5);
    dram.run(100);
    EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{12, 12 + std::max(8u, tccd)}));
  }
}

TEST(DramChannel, ATransferTakesWholeCycles) {
  MemoryParameters p = gddr3();
  p.dram_bytes_per_cycle = 24;
  Traced dram(p);
  dram.read(0, 5);
  dram.read(0, 5);
  dram.run(100);
  EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{12, 15}));
  EXPECT_EQ(dram.channel.stats().busy_cycles, 6u);
  EXPECT_EQ(dram.channel.stats().bytes, 128u);
}

TEST(DramChannel, ReadsStopWhileTheReturnQueueIsFull) {
  MemoryParameters p = gddr3();
  p.l2_queue = 2;
  Traced dram(p);
  for (uint32_t tag = 0; tag < 8; ++tag) dram.read(0, 5, tag);
  dram.run(500, false);
  // The second read is finished at 38: column commands until then were given, those under way land.
  EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{12, 20, 28, 36}));
  EXPECT_EQ(dram.channel.next(), kNever);
  dram.write(0, 5, 500);
  dram.run(510, false);
  EXPECT_EQ(dram.channel.stats().writes, 0u) << "a bank's requests go in order";
  dram.write(1, 5, 510);
  dram.run(600, false);
  EXPECT_EQ(dram.channel.stats().writes, 1u) << "writes of other banks do not wait";
  dram.channel.take_finished(DramCycle(601));
  dram.channel.take_finished(DramCycle(601));
  dram.channel.take_finished(DramCycle(601));
  dram.run(602, false);
  EXPECT_EQ(dram.cycles(Kind::Column).back(), 601u);
}

TEST(DramChannel, HasRoomForItsQueue) {
  Traced dram(gddr3());
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(dram.channel.room(), 32u - i);
    dram.read(0, 5, i);
  }
  EXPECT_ANY_THROW(dram.read(0, 5));
  dram.run(13);
  EXPECT_EQ(dram.channel.room(), 1u) << "free with the column command";
}

TEST(DramChannel, AFixedLatencyCanBeSet) {
  Traced dram(small_memory::fixed_latency());
  const auto read = [&](uint64_t row) {
    dram.channel.push({row, 0, 0, 128, false}, dram.now);
    const DramCycle start = dram.now;
    dram.run(start.count() + 1000);
    return dram.finished.back().cycle - start;
  };
  EXPECT_EQ(read(5), 200u);
  EXPECT_EQ(read(5), 100u);
  EXPECT_EQ(read(6), 300u);
}

// ---- refresh

MemoryParameters refreshed() {
  MemoryParameters p = gddr3();
  p.trefi = 200;
  p.trfc = 30;
  return p;
}

TEST(DramChannel, ARefreshKeepsCommandsBackForItsTime) {
  for (const uint64_t edge : {199u, 200u, 215u, 229u, 230u}) {
    Traced dram(refreshed());
    dram.read(0, 5, 0, edge);
    dram.run(1000);
    const uint64_t activate = edge < 200 ? edge : 230;
    EXPECT_EQ(dram.cycles(Kind::Activate), (Cycles{activate}));
    EXPECT_EQ(dram.cycles(Kind::Column), (Cycles{edge < 200 ? 230 : activate + 12})) << "no other command either";
  }
}

TEST(DramChannel, TheFirstRefreshComesAfterAnInterval) {
  Traced dram(refreshed());
  dram.read(0, 5, 0, 3);
  dram.run(100);
  EXPECT_EQ(dram.cycles(Kind::Activate), (Cycles{3}));
}

TEST(DramChannel, ChannelsMayBeRefreshedOneBehindTheOther) {
  MemoryParameters p = refreshed();
  p.refresh_in_turn = true;
  p.channels = 4;
  for (unsigned number = 0; number < 4; ++number) {
    const uint64_t refresh = 200 - 50 * number;  // its first one
    for (const uint64_t edge : {refresh - 1, refresh, refresh + 29, refresh + 30}) {
      Traced dram(p, number);
      dram.read(0, 5, 0, edge);
      dram.run(1000);
      EXPECT_EQ(dram.cycles(Kind::Activate), (Cycles{edge < refresh ? edge : refresh + 30})) << number;
    }
  }
}

TEST(DramChannel, RefreshTakesItsShareOfTheBandwidth) {
  Traced dram(refreshed());
  const uint64_t end = 200 * 100;
  while (dram.now.count() < end) {
    while (dram.channel.room() > 0) dram.read(0, 5, 0, dram.now.count());
    dram.run(dram.now.count() + 1);
  }
  // In the 170 cycles between refreshes there is room for 22 commands, 8 cycles apart; the last one's data come later.
  const double share = static_cast<double>(dram.channel.stats().busy_cycles) / static_cast<double>(end);
  EXPECT_NEAR(share, 22 * 8 / 200.0, 0.002);
}

}  // namespace
}  // namespace heddle
