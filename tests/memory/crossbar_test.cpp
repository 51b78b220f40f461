#include "memory/crossbar.h"

#include <gtest/gtest.h>

#include <tuple>

#include "memory/crossbar_ways.h"

namespace heddle {
namespace {

using Net = Crossbar<Reply>;
using Seen = std::tuple<uint64_t, unsigned, uint32_t>;  // arrival, output, tag

CrossbarShape shape() { return {.inputs = 4, .outputs = 4, .queue = 8, .latency = 8, .bytes_per_cycle = 32}; }

void push(Net& net, unsigned input, unsigned output, unsigned bytes, uint32_t tag, uint64_t edge = 0) {
  net.push(input, output, bytes, Reply{0, tag}, NetworkCycle(edge));
}

// What is granted in that cycle.
std::vector<Seen> tick(Net& net, uint64_t cycle) {
  std::vector<Seen> seen;
  net.tick(NetworkCycle(cycle), [&](const Reply& reply, const Net::Way& way) {
    seen.emplace_back(way.arrival.count(), way.output, reply.tag);
  });
  return seen;
}

// Runs to the end: what arrived when. With `skip` only the cycles the network asks for are ticked.
std::vector<Seen> run(Net& net, bool skip = true) {
  std::vector<Seen> seen;
  for (NetworkCycle now{0}; now.count() < 1000; ++now) {
    if (skip && net.next() > now) continue;
    for (const Seen& each : tick(net, now.count())) seen.push_back(each);
  }
  EXPECT_TRUE(net.empty());
  return seen;
}

TEST(Crossbar, APacketArrivesLatencyAndItsFlitsAfterTheGrant) {
  for (const auto& [bytes, flits] : {std::pair{8u, 1u}, {32u, 1u}, {33u, 2u}, {72u, 3u}}) {
    Net net(shape());
    push(net, 0, 1, bytes, 7, 5);
    EXPECT_EQ(net.next().count(), 5u);
    EXPECT_EQ(run(net), (std::vector<Seen>{{5 + 8 + flits, 1, 7}}));
  }
}

TEST(Crossbar, APacketHoldsItsInput) {
  Net net(shape());
  push(net, 0, 1, 72, 1);
  push(net, 0, 2, 8, 2);
  EXPECT_EQ(run(net), (std::vector<Seen>{{11, 1, 1}, {3 + 8 + 1, 2, 2}}));
}

TEST(Crossbar, APacketHoldsItsOutput) {
  Net net(shape());
  push(net, 0, 1, 72, 1);
  push(net, 3, 1, 8, 2);
  EXPECT_EQ(run(net), (std::vector<Seen>{{11, 1, 1}, {3 + 8 + 1, 1, 2}}));
}

// 128 bytes: two cycles at an input of 64, four at an output of 32, and the other way round.
TEST(Crossbar, EachSideIsHeldByItsOwnWidthAndThePacketArrivesWithTheSlowerOne) {
  for (const auto& [input, output] : {std::pair{64u, 32u}, {32u, 64u}}) {
    CrossbarShape two = shape();
    two.bytes_per_cycle = input;
    two.output_bytes = output;
    Net net(two);
    push(net, 0, 1, 128, 1);
    push(net, 0, 2, 128, 2);  // waits for the input
    push(net, 3, 1, 128, 3);  // waits for the output
    const uint64_t held = 128 / input, taken = 128 / output;
    std::vector<Seen> seen = run(net);
    std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return std::get<2>(a) < std::get<2>(b); });
    EXPECT_EQ(seen, (std::vector<Seen>{{8 + 4, 1, 1}, {held + 8 + 4, 2, 2}, {taken + 8 + 4, 1, 3}}));
  }
}

// 48 bytes through ports of 32, one behind the other: two cycles, but for what the one before has left over.
TEST(Crossbar, PackedAPacketTakesItsBytesAndNotWholeCycles) {
  const auto arrivals = [](bool packed) {
    CrossbarShape whole = shape();
    whole.packed = packed;
    Net net(whole);
    for (uint32_t tag = 0; tag < 4; ++tag) push(net, 0, 1, 48, tag);
    return run(net);
  };
  EXPECT_EQ(arrivals(false), (std::vector<Seen>{{10, 1, 0}, {12, 1, 1}, {14, 1, 2}, {16, 1, 3}}));
  // Granted at 0, 1 (16 bytes were left, 64 are two cycles), 3, 4.
  EXPECT_EQ(arrivals(true), (std::vector<Seen>{{10, 1, 0}, {11, 1, 1}, {13, 1, 2}, {14, 1, 3}}));
}

// Short packets of different inputs: two in a cycle, or one. What fills the width is one in either case.
TEST(Crossbar, AnOutputTakesSeveralShortPacketsInACycleIfItsShapeSaysSo) {
  const auto arrivals = [](unsigned takes, unsigned bytes) {
    CrossbarShape several = shape();
    several.packed = true;
    several.output_takes = takes;
    Net net(several);
    for (uint32_t input = 0; input < 4; ++input) push(net, input, 1, bytes, input);
    return run(net);
  };
  EXPECT_EQ(arrivals(1, 8), (std::vector<Seen>{{9, 1, 0}, {10, 1, 1}, {11, 1, 2}, {12, 1, 3}}));
  EXPECT_EQ(arrivals(2, 8), (std::vector<Seen>{{9, 1, 0}, {9, 1, 1}, {10, 1, 2}, {10, 1, 3}}));
  EXPECT_EQ(arrivals(4, 8), (std::vector<Seen>{{9, 1, 0}, {9, 1, 1}, {9, 1, 2}, {9, 1, 3}}));
  EXPECT_EQ(arrivals(2, 32), arrivals(1, 32));
}

// Of eight packets an output with six places takes three in three cycles, or all it can.
TEST(Crossbar, AnOutputThatTakesSeveralInACycleRunsOutOfPlacesSooner) {
  for (const unsigned takes : {1u, 2u}) {
    CrossbarShape several = shape();
    several.packed = true;
    several.output_takes = takes;
    several.credits = 6;
    Net net(several);
    for (uint32_t tag = 0; tag < 6; ++tag) push(net, tag % 4, 1, 32, tag);
    EXPECT_TRUE(net.never_starves(100));
    for (uint32_t tag = 6; tag < 8; ++tag) push(net, tag % 4, 1, 32, tag);
    EXPECT_TRUE(net.never_starves(3));
    EXPECT_EQ(net.never_starves(4), takes == 1);
  }
}

// Packets of forty cycles, all at once or each in its own: the same arrive at the same time.
TEST(Crossbar, WhatIsPushedAheadGoesWhenItsCycleHasCome) {
  struct Sent {
    unsigned input, output, bytes;
    uint64_t edge;
  };
  std::vector<Sent> packets;
  uint32_t random = 1;
  const auto below = [&](uint32_t limit) { return (random = random * 1664525 + 1013904223) / 65536 % limit; };
  for (uint64_t edge = 0; edge < 40; ++edge)
    for (unsigned input = 0; input < 4; ++input)
      if (below(3) == 0) packets.push_back({input, below(4), 8 + below(64), edge});
  for (const unsigned width : {0u, 32u})
    for (const bool packed : {false, true}) {
      CrossbarShape deep = shape();
      deep.queue = 64;
      deep.bytes_per_cycle = width;
      deep.packed = packed;
      Net ahead(deep), in_time(deep);
      for (uint32_t tag = 0; tag < packets.size(); ++tag) {
        const Sent& each = packets[tag];
        ahead.place(each.input, each.output, each.bytes, Reply{0, tag}, NetworkCycle(each.edge));
      }
      for (unsigned input = 0; input < 4; ++input) ahead.note_placed(input);
      std::vector<Seen> seen;
      uint32_t tag = 0;
      for (uint64_t cycle = 0; cycle < 1000; ++cycle) {
        for (; tag < packets.size() && packets[tag].edge == cycle; ++tag)
          push(in_time, packets[tag].input, packets[tag].output, packets[tag].bytes, tag, cycle);
        for (const Seen& each : tick(in_time, cycle)) seen.push_back(each);
      }
      EXPECT_EQ(seen.size(), packets.size());
      EXPECT_EQ(run(ahead), seen);
    }
}

// What is left over is nobody's if there is a gap.
TEST(Crossbar, PackedAPacketThatComesLaterPaysForItselfAlone) {
  CrossbarShape whole = shape();
  whole.packed = true;
  Net net(whole);
  push(net, 0, 1, 48, 1);
  EXPECT_EQ(run(net), (std::vector<Seen>{{10, 1, 1}}));
  push(net, 0, 1, 48, 2, 500);
  push(net, 0, 1, 48, 3, 500);
  EXPECT_EQ(run(net), (std::vector<Seen>{{510, 1, 2}, {511, 1, 3}}));
}

TEST(Crossbar, AnInputThatWasEmptyIsStillHeldByWhatItSends) {
  Net net(shape());
  push(net, 0, 1, 72, 1);
  tick(net, 0);
  push(net, 0, 2, 8, 2, 1);
  EXPECT_EQ(net.next().count(), 3u);
  EXPECT_EQ(run(net), (std::vector<Seen>{{3 + 8 + 1, 2, 2}}));
}

TEST(Crossbar, DifferentPortsDoNotDisturbEachOther) {
  Net net(shape());
  for (unsigned port = 0; port < 4; ++port) push(net, port, 3 - port, 32, port);
  EXPECT_EQ(run(net), (std::vector<Seen>{{9, 0, 3}, {9, 1, 2}, {9, 2, 1}, {9, 3, 0}}));
}

TEST(Crossbar, AnOutputTakesTheInputsInTurn) {
  Net net(shape());
  for (unsigned round = 0; round < 2; ++round)
    for (const unsigned input : {3, 1, 0}) push(net, input, 2, 8, input * 10 + round);
  std::vector<uint32_t> tags;
  for (const Seen& seen : run(net)) tags.push_back(std::get<2>(seen));
  EXPECT_EQ(tags, (std::vector<uint32_t>{0, 10, 30, 1, 11, 31}));
}

TEST(Crossbar, AnOutputAsksFirstTheInputBehindTheLastOne) {
  Net net(shape());
  push(net, 2, 0, 8, 1);
  tick(net, 0);
  push(net, 1, 0, 8, 2, 1);
  push(net, 3, 0, 8, 3, 1);
  EXPECT_EQ(run(net), (std::vector<Seen>{{1 + 9, 0, 3}, {2 + 9, 0, 2}}));
}

TEST(Crossbar, APacketWaitsBehindTheHeadOfItsInput) {
  Net net(shape());
  push(net, 0, 1, 320, 1);  // holds output 1 until cycle 10
  push(net, 2, 1, 8, 2);
  push(net, 2, 3, 8, 3);  // output 3 is free all the time
  EXPECT_EQ(run(net), (std::vector<Seen>{{18, 1, 1}, {10 + 9, 1, 2}, {11 + 9, 3, 3}}));
}

TEST(Crossbar, AnInputHasRoomForItsQueueAndGetsItBackWithAGrant) {
  CrossbarShape two = shape();
  two.queue = 2;
  Net net(two);
  push(net, 0, 1, 8, 1);
  EXPECT_TRUE(net.room(0));
  push(net, 0, 1, 8, 2);
  EXPECT_FALSE(net.room(0));
  EXPECT_TRUE(net.room(1));
  EXPECT_ANY_THROW(push(net, 0, 1, 8, 3));
  tick(net, 0);
  EXPECT_TRUE(net.room(0));
  EXPECT_EQ(std::vector<uint16_t>(net.freed().begin(), net.freed().end()), (std::vector<uint16_t>{0}));
  tick(net, 1);
  EXPECT_TRUE(net.freed().empty()) << "it had room already";
}

TEST(Crossbar, AReceiverIsSentNoMoreThanItHasPlacesFor) {
  CrossbarShape limited = shape();
  limited.credits = 2;
  Net net(limited);
  for (uint32_t tag = 0; tag < 3; ++tag) push(net, tag, 1, 8, tag);
  EXPECT_EQ(tick(net, 0).size(), 1u);
  EXPECT_EQ(tick(net, 1).size(), 1u);
  EXPECT_EQ(net.next(), kNever) << "it waits for a place, not for time";
  EXPECT_EQ(tick(net, 2).size(), 0u);
  net.return_credit(1, NetworkCycle(7));
  EXPECT_EQ(net.next().count(), 7u);
  EXPECT_EQ(tick(net, 7).size(), 1u);
}

TEST(Crossbar, APlaceIsGivenBackEarlyOnlyWhereNobodyCanMissIt) {
  CrossbarShape limited = shape();
  limited.credits = 4;
  Net net(limited);
  for (uint32_t tag = 0; tag < 2; ++tag) push(net, tag, 1, 8, tag);
  for (uint64_t cycle = 0; cycle < 2; ++cycle) EXPECT_EQ(tick(net, cycle).size(), 1u);
  const NetworkCycle now(2);
  EXPECT_FALSE(net.return_early(1, NetworkCycle(5), now)) << "three packets could come before, for two places";
  EXPECT_TRUE(net.return_early(1, NetworkCycle(4), now)) << "the two that come before have places";
  EXPECT_TRUE(net.return_early(1, NetworkCycle(5), now)) << "and so has the third, by then";
  EXPECT_FALSE(net.return_early(1, NetworkCycle(7), now));
  for (uint32_t tag = 0; tag < 5; ++tag) push(net, tag % 4, 1, 8, tag, 2);
  for (uint64_t cycle = 2; cycle < 6; ++cycle) EXPECT_EQ(tick(net, cycle).size(), 1u);
  EXPECT_FALSE(net.return_early(1, NetworkCycle(6), NetworkCycle(6))) << "somebody waits for it";
}

TEST(Crossbar, APacketBehindOneThatIsSentWaitsForAPlaceToo) {
  CrossbarShape limited = shape();
  limited.credits = 1;
  Net net(limited);
  push(net, 0, 1, 72, 1);
  tick(net, 0);
  push(net, 0, 1, 8, 2, 1);
  net.return_credit(1, NetworkCycle(1));
  EXPECT_EQ(run(net), (std::vector<Seen>{{3 + 9, 1, 2}}));
}

TEST(Crossbar, WithoutAWidthAllPassesAtOnce) {
  CrossbarShape wide = shape();
  wide.bytes_per_cycle = 0;
  wide.latency = 0;
  Net net(wide);
  push(net, 0, 2, 1000, 1, 4);
  push(net, 0, 1, 1000, 2, 4);
  push(net, 1, 2, 1000, 3, 4);
  EXPECT_EQ(run(net), (std::vector<Seen>{{4, 2, 1}, {4, 1, 2}, {4, 2, 3}}));
}

TEST(Crossbar, HasMoreThan64PortsOnEitherSide) {
  CrossbarShape large{.inputs = 200, .outputs = 150, .queue = 4, .latency = 1, .bytes_per_cycle = 8};
  Net net(large);
  for (unsigned input = 0; input < 200; ++input) push(net, input, 149, 8, input);
  const std::vector<Seen> seen = run(net);
  ASSERT_EQ(seen.size(), 200u);
  for (uint32_t i = 0; i < 200; ++i) EXPECT_EQ(seen[i], (Seen{i + 2, 149, i}));
}

TEST(Crossbar, CountsPacketsAndBytes) {
  Net net(shape());
  push(net, 0, 1, 72, 1);
  push(net, 0, 1, 8, 1);
  EXPECT_EQ(net.packets(), 2u);
  EXPECT_EQ(net.bytes(), 80u);
}

}  // namespace
}  // namespace heddle
