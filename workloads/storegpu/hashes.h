// MD5 and SHA-1 of a run of bytes, written plainly after RFC 1321 and RFC 3174.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::workloads::storegpu {

std::array<uint32_t, 64> md5_sines();  // floor(2^32 |sin(i + 1)|)
std::array<uint8_t, 16> md5(std::span<const uint8_t> message);
std::array<uint8_t, 20> sha1(std::span<const uint8_t> message);

}  // namespace heddle::workloads::storegpu
