// How long a fat binary is (fat_binary.h has its layout), for the shim, which only passes it on.
#pragma once

#include <cstdint>
#include <cstring>

namespace heddle::runtime {

// 0 if it is none.
inline uint64_t fat_binary_size(const void* begin) {
  struct {
    uint32_t magic;
    uint16_t version, bytes;
    uint64_t entries;
  } header;
  std::memcpy(&header, begin, sizeof header);
  return header.magic == 0xba55ed50 ? header.bytes + header.entries : 0;
}

}  // namespace heddle::runtime
