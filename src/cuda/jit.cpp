#include "cuda/jit.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace heddle::shim {
namespace {
constexpr int kWallTime = 2, kInfo = 3, kInfoBytes = 4, kErrors = 5, kErrorBytes = 6;  // CUjit_option
}

void** JitOptions::value_of(int option) const {
  const int* const found = std::find(options, options + count, option);
  return found == options + count ? nullptr : values + (found - options);
}

void JitOptions::write_log(int buffer, int size, const std::string& text) const {
  void** const bytes = value_of(size);
  if (!bytes) return;
  const auto room = static_cast<size_t>(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(*bytes)));
  void** const to = value_of(buffer);
  size_t written = 0;
  if (to && *to && room > 0) {
    written = std::min(text.size(), room - 1);
    std::memcpy(*to, text.data(), written);
    static_cast<char*>(*to)[written] = '\0';
  }
  *bytes = reinterpret_cast<void*>(written);
}

void JitOptions::write_logs(const std::string& problem) const {
  if (count == 0 || !options || !values) return;
  write_log(kInfo, kInfoBytes, "");
  write_log(kErrors, kErrorBytes, problem);
  if (void** const time = value_of(kWallTime)) std::memset(time, 0, sizeof(float));
}

}  // namespace heddle::shim
