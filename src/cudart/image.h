// Device code as a program hands it over in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::shim {

struct Image {
  std::string_view bytes;                // a fat binary, PTX, or the first bytes of machine code
  std::vector<std::string_view> linked;  // fat binaries to be linked to it
};

// Its kind, and so its size, is found from its first bytes.
Image image_at(const void* begin);

bool read_file(const char* path, std::string& bytes);  // false if it cannot be read

}  // namespace heddle::shim
