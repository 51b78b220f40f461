#include "gpu/launch_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/kernel_name.h"

namespace heddle {
namespace {

// A parameter read as its type and widened to the register's width by the type's sign.
uint64_t parameter_value(const std::byte* bytes, Type type) {
  uint64_t value = 0;
  const unsigned size = bytes_of(type);
  std::memcpy(&value, bytes, size);
  if (is_signed(type) && size < 8)
    value = static_cast<uint64_t>(static_cast<int64_t>(value << (64 - 8 * size)) >> (64 - 8 * size));
  return value;
}

// A pointer has 8 bytes in host code, and 4 in a module with addresses of 32 bits.
bool is_short_pointer(const std::vector<std::byte>& value, const Parameter& parameter, const Kernel& kernel) {
  if (kernel.pointer_bytes != 4 || parameter.bytes != 4 || value.size() != 8) return false;
  Address address = 0;
  std::memcpy(&address, value.data(), 8);
  return address < kShortEnd;
}

void fill_row(std::byte* row, unsigned bytes, uint64_t value) {
  if (bytes == 0) {  // a predicate word
    std::memcpy(row, &value, 4);
    return;
  }
  for (unsigned lane = 0; lane < kRow; ++lane) std::memcpy(row + lane * bytes, &value, std::min(bytes, 8U));
}

}  // namespace

void check_shape(const Kernel& kernel, const LaunchShape& shape) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ExitCode::BadLaunch, fmt::format("launch of {}: {}", readable_name(kernel.name), what));
  };
  const uint64_t threads = shape.block.count();
  if (shape.grid.count() == 0 || threads == 0) refuse("a grid or block of no size");
  if (threads > 1024) refuse(fmt::format("{} threads in a block, at most 1024", threads));
  if (shape.block.z > 64) refuse(fmt::format("a block of depth {}, at most 64", shape.block.z));
  if (shape.grid.x > 0x7fffffffU || shape.grid.y > 65535 || shape.grid.z > 65535)
    refuse("the grid is too large: at most 2147483647 x 65535 x 65535");
  if (kernel.max_threads > 0 && threads > kernel.max_threads)
    refuse(fmt::format("{} threads in a block, the kernel allows {} (.maxntid)", threads, kernel.max_threads));
  const Dim3& required = kernel.required_block;
  if (required.x > 0 && required != shape.block)
    refuse(fmt::format("the kernel requires blocks of {}x{}x{} (.reqntid)", required.x, required.y, required.z));
}

void write_parameters(const Kernel& kernel, const Arguments& arguments, std::byte* to) {
  const auto values = arguments.values();
  if (values.size() != kernel.parameters.size())
    throw Error(ExitCode::BadLaunch, fmt::format("kernel {} takes {} arguments, {} given", readable_name(kernel.name),
                                                 kernel.parameters.size(), values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    if (is_short_pointer(values[i], parameter, kernel)) {
      std::memcpy(to + parameter.offset, values[i].data(), parameter.bytes);
      continue;
    }
    if (values[i].size() != parameter.bytes)
      throw Error(ExitCode::BadLaunch,
                  fmt::format("argument {} of kernel {} ('{}') has {} bytes, {} given", i, readable_name(kernel.name),
                              parameter.name, parameter.bytes, values[i].size()));
    std::memcpy(to + parameter.offset, values[i].data(), values[i].size());
  }
}

ConstantPlane constant_plane(const Kernel& kernel, const GlobalMemory& memory, Address parameters,
                             const SymbolAddress& symbol) {
  std::vector<std::byte> plane(kernel.constant_bytes);
  for (const ConstantRow& row : kernel.constants) {
    uint64_t value = row.bits;
    switch (row.kind) {
      case ConstantRow::Kind::Literal: break;
      case ConstantRow::Kind::Parameter: value = parameter_value(memory.host(parameters + row.bits), row.type); break;
      case ConstantRow::Kind::ParamAddress: value = parameters + row.bits; break;
      case ConstantRow::Kind::Symbol: value = symbol(row.symbol) + row.bits; break;
    }
    fill_row(plane.data() + row.offset, row.bytes, value);
  }
  return constant_plane_of(plane);
}

}  // namespace heddle
