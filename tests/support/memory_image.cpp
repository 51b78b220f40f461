#include "support/memory_image.h"

#include <fmt/format.h>

namespace heddle::test {

Address RecordingDevice::allocate(size_t bytes, std::string_view label) {
  const Address address = inner_.allocate(bytes, label);
  if (!in_any_order(label)) parts_.push_back({std::string(label), address, std::vector<std::byte>(bytes)});
  return address;
}

void RecordingDevice::free(Address address) {
  inner_.free(address);
  std::erase_if(parts_, [&](const ImagePart& part) { return part.address == address; });
}

void RecordingDevice::launch(std::string_view kernel, const LaunchShape& shape, const Arguments& arguments) {
  threads_ += shape.grid.count() * shape.block.count();
  inner_.launch(kernel, shape, arguments);
}

std::vector<ImagePart> RecordingDevice::image() {
  for (ImagePart& part : parts_) inner_.read(part.bytes.data(), part.address, part.bytes.size());
  return parts_;
}

std::string difference(const std::vector<ImagePart>& a, const std::vector<ImagePart>& b) {
  if (a.size() != b.size()) return fmt::format("{} and {} buffers", a.size(), b.size());
  std::string first;
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].label != b[i].label || a[i].bytes.size() != b[i].bytes.size())
      return fmt::format("buffers '{}' of {} bytes and '{}' of {} bytes", a[i].label, a[i].bytes.size(), b[i].label,
                         b[i].bytes.size());
    for (size_t k = 0; k < a[i].bytes.size(); ++k) {
      if (a[i].bytes[k] == b[i].bytes[k]) continue;
      if (count++ == 0)
        first = fmt::format("'{}', byte {}: {:#04x} and {:#04x}", a[i].label, k, static_cast<unsigned>(a[i].bytes[k]),
                            static_cast<unsigned>(b[i].bytes[k]));
    }
  }
  return count < 2 ? first : fmt::format("{} (and {} more bytes differ)", first, count - 1);
}

}  // namespace heddle::test
