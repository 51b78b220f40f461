#include "cudart/image.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "wire/fat_binary_at.h"

namespace heddle::shim {

using runtime::FatBinaryWrapper;

Image image_at(const void* begin) {
  constexpr std::string_view kElf = "\177ELF";
  const auto* const text = static_cast<const char*>(begin);
  if (std::strncmp(text, kElf.data(), kElf.size()) == 0) return {{text, kElf.size()}, {}};
  uint32_t magic = 0;
  std::memcpy(&magic, begin, sizeof magic);
  if (magic == runtime::kContainerMagic) return {runtime::fat_binary_at(begin), {}};
  if (magic != runtime::kWrapperMagic) return {text, {}};
  const auto& wrapper = *static_cast<const FatBinaryWrapper*>(begin);
  Image image{runtime::fat_binary_at(wrapper.container), {}};
  if (wrapper.version == runtime::kLinked)
    for (const void* const* each = wrapper.linked; *each; ++each) image.linked.push_back(runtime::fat_binary_at(*each));
  return image;
}

bool read_file(const char* path, std::string& bytes) {
  std::ifstream file(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return file.is_open() && !file.bad();
}

}  // namespace heddle::shim
