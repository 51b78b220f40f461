// The limits of a block and a grid, and what depends on the machine.
#pragma once

#include <algorithm>
#include <string_view>

#include "cudart/state.h"

namespace heddle::shim {

inline constexpr Dimensions kMaxBlock{1024, 1024, 64};
inline constexpr Dimensions kMaxGrid{0x7fffffff, 65535, 65535};
inline constexpr std::string_view kUuid = "heddle simulator";  // 16 characters
inline constexpr int kVersion = 13000;                         // of the runtime and the driver

inline uint32_t max_block_threads(const runtime::Machine& machine) { return std::min(1024U, machine.core_threads); }
// Shared memory of a block: all it can have, which a program must ask for (cudaFuncSetAttribute), and what it has
// unless it does.
inline uint32_t most_shared(const runtime::Machine& machine) {
  return machine.core_shared - std::min(machine.core_shared, machine.shared_reserved);
}
inline uint32_t default_shared(const runtime::Machine& machine) { return std::min(48U * 1024, most_shared(machine)); }

// How many blocks of that many threads fit a core.
Status occupancy(State& state, const Function& function, uint32_t threads, uint32_t dynamic_shared, uint32_t& blocks);

}  // namespace heddle::shim
