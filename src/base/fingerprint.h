// A 64-bit fingerprint of bytes, to tell states apart: fast, not against an adversary.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle {

class Fingerprint {
 public:
  void add(uint64_t word) { value_ = mixed(value_, word); }
  void add(const void* data, size_t bytes) {
    const auto* at = static_cast<const std::byte*>(data);
    uint64_t lanes[4] = {1, 2, 3, 4};  // four chains that do not wait for each other
    for (; bytes >= 32; at += 32, bytes -= 32) {
      uint64_t words[4];
      std::memcpy(words, at, 32);
      for (unsigned i = 0; i < 4; ++i) lanes[i] = mixed(lanes[i], words[i]);
    }
    for (uint64_t lane : lanes) add(lane);
    uint64_t rest[4] = {};
    if (bytes > 0) std::memcpy(rest, at, bytes);
    for (uint64_t word : rest) add(word);
  }
  uint64_t value() const { return value_ ^ value_ >> 31; }

 private:
  static uint64_t mixed(uint64_t state, uint64_t word) {
    return std::rotl((state ^ word) * 0x9e37'79b9'7f4a'7c15U, 29) + 0x632b'e59b'd9b4'e019U;
  }

  uint64_t value_ = 0;
};

}  // namespace heddle
