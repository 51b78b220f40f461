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
bool differs_by_thread(Special special);  // of a block
bool is_size_of_launch(Special special);  // of its blocks or of its grid

}  // namespace heddle
