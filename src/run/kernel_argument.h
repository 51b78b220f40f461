// A kernel argument as it is written on the command line:
//   u8 s8 u16 s16 u32 s32 u64 s64 : an integer, decimal or 0x…
//   f16 bf16 f32 f64              : 1.5, 1e-3, nan, inf, 0x1.8p0, or bits as in PTX: 0f3FC00000, 0d3FF8000000000000
//   bytes:HEX                     : a structure by value
//   zeros:BYTES, file:PATH        : a buffer, passed as its address; @OUT.bin behind it writes it back after the run
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "gpu/device.h"

namespace heddle {

struct KernelArgument {
  std::vector<std::byte> bytes;  // the value, or what the buffer starts with; the rest of it is zero
  bool is_buffer = false;
  uint64_t buffer_bytes = 0;
  std::string write_back;  // path, or empty
};

KernelArgument parse_argument(std::string_view text);  // Error (Usage)
Dim3 parse_dimensions(std::string_view option, std::string_view text);

// Arguments on a device: allocates the buffers, and writes them back.
class PlacedArguments {
 public:
  PlacedArguments(Device& device, std::vector<KernelArgument> arguments);
  const Arguments& values() const { return values_; }
  void write_back() const;

 private:
  Device& device_;
  std::vector<KernelArgument> arguments_;
  std::vector<Address> addresses_;  // 0 for a value
  Arguments values_;
};

}  // namespace heddle
