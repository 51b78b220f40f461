// Special registers by name.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "program/kernel.h"

namespace heddle {

std::optional<Special> special_named(std::string_view name);  // "%tid.x"
bool is_clock(std::string_view name);                         // %clock, %clock64, %globaltimer, …
std::vector<std::string_view> special_names();

// Shared memory that the system keeps for itself, where a kernel asks for it: %reserved_smem_offset_begin and its like,
// in bytes from its beginning. Where in it the numbered places are is nowhere said.
inline constexpr uint32_t kReservedShared = 1024;
std::optional<uint32_t> reserved_place(std::string_view name);

bool differs_by_thread(Special special);  // of a block
bool is_size_of_launch(Special special);  // of its blocks or of its grid

}  // namespace heddle
