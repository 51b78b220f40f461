// Which heddle this is.
#pragma once

#include <string_view>

namespace heddle {

std::string_view version();     // "0.1": of the project (CMakeLists.txt)
std::string_view build_text();  // "commit 0123456789+changes, GNU 12.2.0, Release, x86_64"

}  // namespace heddle
