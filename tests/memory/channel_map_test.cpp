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

}  // namespace
}  // namespace heddle
