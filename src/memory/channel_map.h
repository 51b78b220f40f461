// Where an address lies: which channel, where inside it, and which bank and row of its DRAM.
//
// `interleave` bytes lie in one channel, the next ones in the next channel, and round again. Inside a channel the
// addresses are dense; a row's worth of them lies in one row of one bank, the next in the same row of the next bank,
// and after all banks the next row follows.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "memory/memory_parameters.h"

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
    const uint64_t stripe = address >> interleave_shift_;
    const uint64_t round = stripe / channels_;
    const Address offset = address & ((uint64_t{1} << interleave_shift_) - 1);
    return {static_cast<unsigned>(stripe - round * channels_), (round << interleave_shift_) + offset};
  }
  Cell cell(Address inner) const {
    const uint64_t row = inner >> row_shift_;
    const uint64_t round = row / banks_;
    return {static_cast<unsigned>(row - round * banks_), round};
  }

 private:
  unsigned channels_, banks_;
  unsigned interleave_shift_, row_shift_;
};

}  // namespace heddle
