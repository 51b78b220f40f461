// What a core waited for in cycles in which it issued nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle {

enum class IdleCause : uint8_t {
  Memory,       // an instruction that passes the memory stage
  Dependency,   // another one: its result, or where it leads
  Barrier,      // a barrier that all have come to
  MemoryStage,  // a place on the way to the memory stage
  Unit,         // a unit that is busy
  Fetch,        // an instruction that is not in the cache
  Port,         // the next group of a large warp, which is being formed
  NoWarp,       // a block
  Other,        // the mechanism let a warp go
  Count_,
};
inline constexpr size_t kIdleCauses = static_cast<size_t>(IdleCause::Count_);
std::string_view name_of(IdleCause cause);

}  // namespace heddle
