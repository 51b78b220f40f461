// Fat binaries in a program's memory (runtime/fat_binary.h has their layout), for the shim, which only passes them on.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace heddle::runtime {

inline constexpr uint32_t kContainerMagic = 0xba55ed50, kWrapperMagic = 0x466243b1;
inline constexpr uint32_t kLinked = 2;  // a version of wrappers

// How compilers hand one over.
struct FatBinaryWrapper {
  uint32_t magic, version;
  const void* container;
  const void* const* linked;  // kLinked: fat binaries to be linked at run time, up to a null
};

// Empty if it is none.
inline std::string_view fat_binary_at(const void* begin) {
  struct {
    uint32_t magic;
    uint16_t version, bytes;
    uint64_t entries;
  } header;
  std::memcpy(&header, begin, sizeof header);
  if (header.magic != kContainerMagic) return {};
  return {static_cast<const char*>(begin), header.bytes + header.entries};
}

}  // namespace heddle::runtime
