// A kernel argument as it is written on the command line:
//   u8 s8 u16 s16 u32 s32 u64 s64 : an integer, decimal or 0x…
//   f16 bf16 f32 f64              : 1.5, 1e-3, nan, inf, 0x1.8p0, or bits as in PTX: 0f3FC00000, 0d3FF8000000000000
//   bytes:HEX                     : a structure by value
//   zeros:BYTES, file:PATH        : a buffer, passed as its address; @OUT.bin behind it writes it back after the run
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "gpu/gpu.h"

namespace heddle {

struct KernelArgument {
  std::vector<std::byte> bytes;  // the value, or what the buffer starts with; the rest of it is zero
  bool is_buffer = false;
  uint64_t buffer_bytes = 0;
  std::string write_back;  // path, or empty
};

KernelArgument parse_argument(std::string_view text);  // Error (Usage)
Dim3 parse_dimensions(std::string_view option, std::string_view text);

// The arguments of a launch, wherever they come from.
//
// Life cycle: place() once, before the launch; write_back() once behind it, also where it ended in an error.
class ArgumentSource {
 public:
  virtual ~ArgumentSource() = default;
  virtual Arguments place(Gpu& gpu) = 0;  // allocates buffers and fills them
  virtual void write_back(Gpu& gpu) = 0;  // what they hold now, to whom it may concern
};

// Those of the command line.
class WrittenArguments : public ArgumentSource {
 public:
  explicit WrittenArguments(std::span<const std::string> texts);  // Error (Usage)
  Arguments place(Gpu& gpu) override;
  void write_back(Gpu& gpu) override;

 private:
  std::vector<KernelArgument> arguments_;
  std::vector<Address> addresses_;  // 0 for a value
};

}  // namespace heddle
