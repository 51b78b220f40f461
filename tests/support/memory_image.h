// A device that remembers what went through it, to compare two devices by what they leave in memory.
#pragma once

#include <string>
#include <vector>

#include "gpu/device.h"

namespace heddle::test {

struct ImagePart {
  std::string label;
  Address address = 0;
  std::vector<std::byte> bytes;
};

// A queue is filled by atomics: what is in it does not depend on the order of threads, but its order does. So nothing
// is compared in it (facedetect has one; what it is for is all in the results).
inline bool in_any_order(std::string_view label) { return label.ends_with(" queue"); }

class RecordingDevice : public Device {
 public:
  explicit RecordingDevice(Device& inner) : inner_(inner) {}
  void load(std::string_view name, std::string_view ptx) override { inner_.load(name, ptx); }
  Address allocate(size_t bytes, std::string_view label) override;
  void free(Address address) override;
  void write(Address to, const void* from, size_t bytes) override { inner_.write(to, from, bytes); }
  void read(void* to, Address from, size_t bytes) override { inner_.read(to, from, bytes); }
  Address symbol(std::string_view name) override { return inner_.symbol(name); }
  unsigned pointer_bytes() const override { return inner_.pointer_bytes(); }
  void launch(std::string_view kernel, const LaunchShape& shape, const Arguments& arguments) override;

  uint64_t launched_threads() const { return threads_; }
  // Every live allocation but those in any order, in the order they were made.
  std::vector<ImagePart> image();

 private:
  Device& inner_;
  std::vector<ImagePart> parts_;
  uint64_t threads_ = 0;
};

// "", or where the first difference is: "'levels', byte 12: 3 and 4 (and 7 more bytes differ)".
std::string difference(const std::vector<ImagePart>& a, const std::vector<ImagePart>& b);

}  // namespace heddle::test
