#include "memory/channel_map.h"

#include <bit>

#include "base/error.h"

namespace heddle {

ChannelMap::ChannelMap(const MemoryParameters& parameters)
    : channels_(parameters.channels, parameters.channel_hash),
      banks_(parameters.dram_banks, parameters.channel_hash),
      scattered_(parameters.channels, parameters.channel_scatter),
      interleave_shift_(static_cast<unsigned>(std::countr_zero(parameters.channel_interleave))),
      row_shift_(static_cast<unsigned>(std::countr_zero(parameters.dram_row_bytes))) {
  require(std::has_single_bit(parameters.channel_interleave) && std::has_single_bit(parameters.dram_row_bytes),
          "interleave and rows must be powers of two");
}

}  // namespace heddle
