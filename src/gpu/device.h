// What host code sees of a GPU: memory and kernel launches. The emulation machine, the cycle-level machine
// and the tests' oracle all stand behind it, so that a workload is written once.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace heddle {

// Kernel arguments as bytes, one entry per parameter.
class Arguments {
 public:
  template <class... T>
  explicit Arguments(const T&... values) {
    (add(&values, sizeof(T)), ...);
  }
  void add(const void* bytes, size_t size) {
    const auto* begin = static_cast<const std::byte*>(bytes);
    values_.emplace_back(begin, begin + size);
  }
  std::span<const std::vector<std::byte>> values() const { return values_; }

 private:
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
