// Parts of the table of a profile that need a clock: where the cycles go, line by line and kernel by kernel.
#pragma once

#include <string>

#include "report/profile/profile.h"

namespace heddle {

std::string time_table(const Profile& profile, size_t rows);
std::string kernel_table(const RunResult& result, const Profile& profile);

// "kernel.cu:14", without the folder.
std::string place_text(const std::string& file, uint32_t line);
// A line of source, without what stands before it, and cut where it is long.
std::string short_text(const std::string& text);

}  // namespace heddle
