// What host code sees of a GPU: memory and kernel launches. The emulation machine, the cycle-level machine
// and the tests' oracle all stand behind it, so that a workload is written once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace heddle {

// A struct that a kernel takes by value, member by member, with pointers as wide as they are there.
class Struct {
 public:
  explicit Struct(unsigned pointer_bytes) : pointer_bytes_(pointer_bytes) {}
  Struct& pointer(Address address) { return add(&address, pointer_bytes_, pointer_bytes_); }
  template <class T>
  Struct& value(const T& value) {
    return add(&value, sizeof(T), alignof(T));
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> whole = bytes_;
    whole.resize(up(whole.size(), alignment_));
    return whole;
  }

 private:
  Struct& add(const void* from, size_t size, size_t align) {
    alignment_ = std::max(alignment_, align);
    const size_t at = up(bytes_.size(), align);
    bytes_.resize(at + size);
    std::memcpy(bytes_.data() + at, from, size);
    return *this;
  }
  static size_t up(size_t value, size_t align) { return (value + align - 1) / align * align; }

  unsigned pointer_bytes_;
  size_t alignment_ = 1;
  std::vector<std::byte> bytes_;
};

// Kernel arguments as bytes, one entry per parameter.
class Arguments {
 public:
  template <class... T>
  explicit Arguments(const T&... values) {
    (add_value(values), ...);
  }
  void add(const void* bytes, size_t size) {
    const auto* begin = static_cast<const std::byte*>(bytes);
    values_.emplace_back(begin, begin + size);
  }
  std::span<const std::vector<std::byte>> values() const { return values_; }

 private:
  template <class T>
  void add_value(const T& value) {
    add(&value, sizeof(T));
  }
  void add_value(const Struct& value) { values_.push_back(value.bytes()); }

  std::vector<std::vector<std::byte>> values_;
};

struct LaunchShape {
  Dim3 grid, block;
  uint32_t dynamic_shared = 0;  // bytes
  bool cooperative = false;     // all blocks resident at once
};

class Device {
 public:
  virtual ~Device() = default;
  virtual void load(std::string_view name, std::string_view ptx) = 0;  // PTX text; name for messages
  virtual Address allocate(size_t bytes, std::string_view label) = 0;  // aligned to 256, contents zero
  virtual void free(Address) = 0;
  virtual void write(Address to, const void* from, size_t bytes) = 0;
  virtual void read(void* to, Address from, size_t bytes) = 0;
  virtual Address symbol(std::string_view name) = 0;  // a module's .global or .const variable
  virtual void launch(std::string_view kernel, const LaunchShape&, const Arguments&) = 0;
  // Of the modules loaded. Kernels take an Address of 8 bytes for a pointer of 4 as well; a Struct must ask.
  virtual unsigned pointer_bytes() const { return 8; }
};

// A typed array on the device. Freed with the device, not with the object.
template <class T>
class Buffer {
 public:
  Buffer(Device& device, size_t count, std::string_view label)
      : device_(&device), address_(device.allocate(count * sizeof(T), label)), count_(count) {}
  Buffer(Device& device, const std::vector<T>& values, std::string_view label) : Buffer(device, values.size(), label) {
    upload(values);
  }
  Address address() const { return address_; }
  size_t size() const { return count_; }
  void upload(const std::vector<T>& values) { device_->write(address_, values.data(), values.size() * sizeof(T)); }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    device_->read(values.data(), address_, count_ * sizeof(T));
    return values;
  }

 private:
  Device* device_;
  Address address_;
  size_t count_;
};

}  // namespace heddle
