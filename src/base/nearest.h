// Which of the known names was meant? For error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle {

unsigned edit_distance(std::string_view a, std::string_view b);

// "; did you mean 'add'?" or, when nothing is near, "".
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);

// "a, b, c"
std::string joined(std::span<const std::string_view> names);

}  // namespace heddle
