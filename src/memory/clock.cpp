#include "memory/clock.h"

#include <numeric>

#include "base/error.h"

namespace heddle {

Clocks Clocks::of(uint64_t core_mhz, uint64_t network_mhz, uint64_t memory_mhz) {
  require(core_mhz > 0 && network_mhz > 0 && memory_mhz > 0, "a clock stands still");
  const uint64_t ticks = std::lcm(std::lcm(core_mhz, network_mhz), memory_mhz);
  return {.core = Clock<CoreCycle>(ticks / core_mhz),
          .network = Clock<NetworkCycle>(ticks / network_mhz),
          .memory = Clock<DramCycle>(ticks / memory_mhz)};
}

}  // namespace heddle
