// The commands a channel gives under random traffic, against rules written down a second time.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

#include "memory/dram_channel.h"
#include "memory/small_memory.h"

namespace heddle {
namespace {

using Kind = DramCommand::Kind;

class Referee {
 public:
  explicit Referee(const MemoryParameters& parameters) : p_(parameters), banks_(parameters.dram_banks) {}

  void judge(const std::vector<DramCommand>& commands) {
    for (const DramCommand& command : commands) {
      ASSERT_TRUE(!last_ || command.cycle > *last_) << "two commands in one cycle";
      last_ = command.cycle;
      Bank& bank = banks_[command.bank];
      switch (command.kind) {
        case Kind::Activate: activate(bank, command); break;
        case Kind::Precharge: precharge(bank, command); break;
        case Kind::Column: column(bank, command); break;
      }
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  uint64_t bus_cycles = 0;

 private:
  struct Bank {
    std::optional<uint64_t> row;
    std::optional<DramCycle> activated, precharged;
  };
  void activate(Bank& bank, const DramCommand& command) {
    ASSERT_FALSE(bank.row.has_value()) << "the bank is open";
    const auto since = [&](const std::optional<DramCycle>& event) {
      return event ? command.cycle - *event : ~uint64_t{0};
    };
    ASSERT_GE(since(bank.activated), p_.trc) << "tRC";
    ASSERT_GE(since(bank.precharged), p_.trp) << "tRP";
    for (const Bank& other : banks_) {
      if (&other != &bank) {
        ASSERT_GE(since(other.activated), p_.trrd) << "tRRD";
      }
    }
    bank.row = command.row;
    bank.activated = command.cycle;
  }
  void precharge(Bank& bank, const DramCommand& command) {
    ASSERT_TRUE(bank.row.has_value()) << "the bank is closed";
    ASSERT_GE(command.cycle, *bank.activated + p_.tras) << "tRAS";
    bank.row.reset();
    bank.precharged = command.cycle;
  }
  void column(Bank& bank, const DramCommand& command) {
    ASSERT_TRUE(bank.row.has_value() && *bank.row == command.row) << "its row is not open";
    const bool own_timing = command.write && p_.twl > 0;
    ASSERT_GE(command.cycle, *bank.activated + (own_timing ? p_.trcd - p_.twl - 1 : p_.trcd)) << "tRCD";
    const unsigned burst = (command.bytes + p_.dram_bytes_per_cycle - 1) / p_.dram_bytes_per_cycle;
    const DramCycle data = command.cycle + (own_timing ? p_.twl : p_.tcl);
    ASSERT_GE(data, bus_free_ + (own_timing && !written_ ? 2 : 0)) << "the bus is taken, or not turned";
    ASSERT_TRUE(columns_ == 0 || command.cycle >= last_column_ + p_.tccd) << "tCCD";
    ASSERT_TRUE(!written_ || command.write || command.cycle >= last_column_ + p_.twtr) << "tWTR";
    bus_free_ = data + burst;
    bus_cycles += burst;
    last_column_ = command.cycle + (std::max(burst, p_.tccd) - p_.tccd);  // of the line's
    written_ = command.write;
    ++columns_;
  }

  MemoryParameters p_;
  std::vector<Bank> banks_;
  std::optional<DramCycle> last_;
  DramCycle bus_free_{0};
  DramCycle last_column_{0};
  bool written_ = false;  // by the last of them
  unsigned columns_ = 0;
};

struct Traffic {
  unsigned rows, banks, percent_writes, percent_per_cycle;
};

struct Result {
  std::vector<DramCommand> commands;
  std::vector<std::pair<uint32_t, DramCycle>> finished;
  DramStats stats;
};

Result run(const MemoryParameters& p, const Traffic& traffic, unsigned requests, bool skip, unsigned seed) {
  Result result;
  DramChannel channel(p);
  channel.record(&result.commands);
  std::mt19937 random(seed);
  uint32_t tag = 0;
  DramCycle now{0};
  for (; tag < requests || !channel.empty(); ++now) {
    if (!skip || channel.next() <= now) channel.tick(now);
    if (now % 3 == 0 && !channel.returns().empty() && channel.returns().front().cycle <= now) {
      result.finished.emplace_back(channel.returns().front().tag, now);
      channel.take_finished(now + 1);
    }
    if (tag < requests && channel.room() > 0 && random() % 100 < traffic.percent_per_cycle) {
      const unsigned bank = random() % traffic.banks, row = random() % traffic.rows;
      const bool write = random() % 100 < traffic.percent_writes;
      channel.push({row, tag++, static_cast<uint16_t>(bank), 64, write}, now + 1);
    }
    if (now.count() > 100000000) throw std::logic_error("the channel does not come to an end");
  }
  result.stats = channel.stats();
  return result;
}

std::vector<MemoryParameters> sets() {
  std::vector<MemoryParameters> sets;
  MemoryParameters p = small_memory::gddr3();
  for (const bool first_ready : {true, false}) {
    p = small_memory::gddr3();
    p.first_ready = first_ready;
    sets.push_back(p);
    p.trrd = 1;
    p.dram_bytes_per_cycle = 32;
    p.l2_queue = 2;
    sets.push_back(p);
    p.tras = 3;
    p.trc = 60;
    p.dram_queue = 5;
    sets.push_back(p);
    p = small_memory::shipped();
    p.first_ready = first_ready;
    sets.push_back(p);
    p.l2_queue = 2;
    p.twtr = 17;
    p.tccd = 5;
    sets.push_back(p);
    p = small_memory::fixed_latency();
    p.first_ready = first_ready;
    sets.push_back(p);
  }
  return sets;
}

constexpr Traffic kTraffics[] = {{1000, 8, 0, 100}, {2, 8, 50, 100}, {3, 2, 30, 20}, {5, 8, 30, 5}, {1, 1, 10, 60}};

TEST(DramChannel, GivesOnlyLegalCommandsUnderRandomTraffic) {
  unsigned seed = 0;
  for (const MemoryParameters& p : sets())
    for (const Traffic& traffic : kTraffics) {
      const Result result = run(p, traffic, 3000, true, ++seed);
      Referee referee(p);
      referee.judge(result.commands);
      if (HasFatalFailure()) return;
      EXPECT_EQ(referee.bus_cycles, result.stats.busy_cycles);
      EXPECT_EQ(result.stats.reads + result.stats.writes, 3000u);
      EXPECT_EQ(result.stats.row_hits + result.stats.row_misses + result.stats.row_conflicts, 3000u);
      EXPECT_EQ(result.stats.activates, result.stats.row_misses + result.stats.row_conflicts);
      EXPECT_EQ(result.finished.size(), result.stats.reads);
    }
}

TEST(DramChannel, DoesTheSameWhetherItSleepsOrNot) {
  unsigned seed = 0;
  for (const MemoryParameters& p : sets())
    for (const Traffic& traffic : kTraffics) {
      const Result a = run(p, traffic, 2000, true, ++seed), b = run(p, traffic, 2000, false, seed);
      ASSERT_EQ(a.finished, b.finished);
      ASSERT_EQ(a.commands.size(), b.commands.size());
      for (size_t i = 0; i < a.commands.size(); ++i) {
        ASSERT_EQ(a.commands[i].cycle, b.commands[i].cycle);
        ASSERT_EQ(a.commands[i].bank, b.commands[i].bank);
        ASSERT_EQ(a.commands[i].kind, b.commands[i].kind);
      }
    }
}

TEST(DramChannel, StreamingReadsKeepTheBusBusy) {
  const MemoryParameters p = small_memory::gddr3();
  DramChannel channel(p);
  uint64_t sent = 0;
  const uint64_t lines = 20000;
  DramCycle now{0};
  for (; !channel.empty() || sent < lines; ++now) {
    channel.tick(now);
    if (!channel.returns().empty() && channel.returns().front().cycle <= now) channel.take_finished(now + 1);
    while (sent < lines && channel.room() > 0) {
      const uint64_t row = sent / 32;
      channel.push({row / 8, 0, static_cast<uint16_t>(row % 8), 64, false}, now + 1);
      ++sent;
    }
  }
  const double share = static_cast<double>(channel.stats().busy_cycles) / static_cast<double>(now.count());
  EXPECT_GE(share, 0.95);
  EXPECT_LE(share, 1.0);
}

}  // namespace
}  // namespace heddle
