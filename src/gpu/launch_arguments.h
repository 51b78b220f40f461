// What a kernel is given: its parameters, and the constants that its instructions name.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "exec/context.h"
#include "exec/global_memory.h"
#include "gpu/device.h"
#include "program/kernel.h"

namespace heddle {

void check_shape(const Kernel& kernel, const LaunchShape& shape);  // throws an Error for one that cannot be launched

// To where the parameters lie. Throws an Error where they are not those of the kernel.
void write_parameters(const Kernel& kernel, const Arguments& arguments, std::byte* to);

using SymbolAddress = std::function<Address(std::string_view)>;
ConstantPlane constant_plane(const Kernel& kernel, const GlobalMemory& memory, Address parameters,
                             const SymbolAddress& symbol);

}  // namespace heddle
