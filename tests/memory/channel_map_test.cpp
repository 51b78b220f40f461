#include "memory/channel_map.h"

#include <gtest/gtest.h>

#include <set>

#include "memory/small_memory.h"

namespace heddle {
namespace {

MemoryParameters with_channels(unsigned channels) {
  MemoryParameters p = small_memory::gddr3();
  p.channels = channels;
  return p;
}

TEST(ChannelMap, InterleavesTheChannels) {
  const ChannelMap map(with_channels(3));
  const unsigned expected[] = {0, 1, 2, 0, 1, 2, 0};
  for (unsigned stripe = 0; stripe < 7; ++stripe) {
    EXPECT_EQ(map.locate(stripe * 256).channel, expected[stripe]);
    EXPECT_EQ(map.locate(stripe * 256 + 255).channel, expected[stripe]);
  }
}

TEST(ChannelMap, AddressesInsideAChannelAreDense) {
  for (const unsigned channels : {1u, 3u, 8u}) {
    const ChannelMap map(with_channels(channels));
    std::vector<std::set<Address>> inside(channels);
    for (Address address = 0; address < channels * 4096; address += 64) {
      const ChannelMap::Location lies = map.locate(address);
      EXPECT_LT(lies.inner, 4096u);
      inside[lies.channel].insert(lies.inner);
    }
    for (const auto& addresses : inside) EXPECT_EQ(addresses.size(), 64u);
  }
}

TEST(ChannelMap, GoesThroughARowThenTheBanksThenTheNextRow) {
  MemoryParameters p = small_memory::gddr3();
  p.dram_banks = 3;
  const ChannelMap map(p);
  const auto expect = [&](Address inner, unsigned bank, uint64_t row) {
    EXPECT_EQ(map.cell(inner).bank, bank);
    EXPECT_EQ(map.cell(inner).row, row);
  };
  expect(0, 0, 0);
  expect(2047, 0, 0);
  expect(2048, 1, 0);
  expect(3 * 2048 - 1, 2, 0);
  expect(3 * 2048, 0, 1);
}

MemoryParameters hashed(unsigned channels) {
  MemoryParameters p = with_channels(channels);
  p.channel_hash = true;
  return p;
}

TEST(ChannelMap, WithAHashEveryRoundStillMeetsEveryChannelOnce) {
  for (const unsigned channels : {1u, 3u, 40u, 48u, 64u, 94u, 128u}) {
    const ChannelMap map(hashed(channels));
    for (Address round = 0; round < 50; ++round) {
      std::set<unsigned> met;
      for (unsigned i = 0; i < channels; ++i) {
        const ChannelMap::Location lies = map.locate((round * channels + i) * 256 + 17);
        EXPECT_EQ(lies.inner, round * 256 + 17) << "dense inside a channel";
        met.insert(lies.channel);
      }
      EXPECT_EQ(met.size(), channels);
    }
  }
}

// The busiest of the channels, over their mean, of many addresses a stride apart.
double busiest(const ChannelMap& map, unsigned channels, Address stride) {
  std::vector<unsigned> met(channels);
  const unsigned count = 200 * channels;
  for (Address i = 0; i < count; ++i) ++met[map.locate(i * stride).channel];
  return *std::max_element(met.begin(), met.end()) / 200.0;
}

TEST(ChannelMap, WithAHashStridesMeetAllChannelsAlike) {
  for (const unsigned channels : {32u, 40u, 48u, 64u}) {
    const ChannelMap plain(with_channels(channels)), spread(hashed(channels));
    EXPECT_EQ(busiest(plain, channels, Address{channels} * 256), channels) << "all in one without it";
    for (Address stride = 256; stride <= 1 << 24; stride *= 2) {
      EXPECT_LT(busiest(spread, channels, stride), 1.4) << channels << " channels, stride " << stride;
      EXPECT_LT(busiest(spread, channels, stride * channels), 1.4) << channels << " channels, that many strides";
    }
  }
}

MemoryParameters scattered(unsigned channels, unsigned rounds) {
  MemoryParameters p = hashed(channels);
  p.channel_scatter = rounds;
  return p;
}

TEST(ChannelMap, ScatteredRoundsAreDenseTogether) {
  for (const unsigned channels : {1u, 3u, 64u}) {
    constexpr unsigned kRounds = 16;
    const ChannelMap map(scattered(channels, kRounds));
    for (Address first = 0; first < 5; ++first) {
      std::vector<std::set<Address>> inside(channels);
      for (Address i = 0; i < channels * kRounds; ++i) {
        const ChannelMap::Location lies = map.locate((first * channels * kRounds + i) * 256 + 17);
        EXPECT_EQ(lies.inner / 256 / kRounds, first);
        EXPECT_EQ(lies.inner % 256, 17U);
        inside[lies.channel].insert(lies.inner);
      }
      for (const auto& addresses : inside) EXPECT_EQ(addresses.size(), kRounds);
    }
  }
}

// As throws of dice would: of 16.5 on the mean 99 in 100 times the most is 24 to 32.
TEST(ChannelMap, OfFewLinesSomeScatteredChannelsHaveMore) {
  const ChannelMap map(scattered(64, 64));
  for (Address begin = 0; begin < 64; ++begin) {
    std::vector<unsigned> met(64);
    for (Address i = 0; i < 1056; ++i) ++met[map.locate((begin * 5000 + i) * 256).channel];
    const unsigned most = *std::max_element(met.begin(), met.end());
    EXPECT_GE(most, 21U);
    EXPECT_LE(most, 34U);
  }
}

TEST(ChannelMap, ScatteredStridesMeetAllChannelsAlike) {
  for (const unsigned channels : {32u, 48u, 64u}) {
    const ChannelMap map(scattered(channels, 64));
    for (Address stride = 256; stride <= 1 << 24; stride *= 2) EXPECT_LT(busiest(map, channels, stride), 1.4);
  }
}

}  // namespace
}  // namespace heddle
