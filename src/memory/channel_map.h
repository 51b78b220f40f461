// Where an address lies: which channel, where inside it, and which bank and row of its DRAM.
//
// `interleave` bytes lie in one channel, the next ones in the next channel, and round again. Inside a channel the
// addresses are dense; a row's worth of them lies in one row of one bank, the next in the same row of the next bank,
// and after all banks the next row follows. With channel_hash every round over the channels, and over the banks, starts
// at another one. With channel_scatter so many rounds over the channels are dealt out together in a random order.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "memory/deal.h"
#include "memory/memory_parameters.h"
#include "memory/scatter.h"

namespace heddle {

class ChannelMap {
 public:
  struct Location {
    unsigned channel;
    Address inner;  // the address inside the channel
  };
  struct Cell {
    unsigned bank;
    uint64_t row;
  };

  explicit ChannelMap(const MemoryParameters& parameters);

  Location locate(Address address) const {
    const uint64_t number = address >> interleave_shift_;
    const Deal::Dealt stripe = scattered_.used() ? scattered_(number) : channels_(number);
    const Address offset = address & ((uint64_t{1} << interleave_shift_) - 1);
    return {stripe.place, (stripe.round << interleave_shift_) + offset};
  }
  Cell cell(Address inner) const {
    const Deal::Dealt row = banks_(inner >> row_shift_);
    return {row.place, row.round};
  }

 private:
  Deal channels_, banks_;
  Scatter scattered_;
  unsigned interleave_shift_, row_shift_;
};

}  // namespace heddle
