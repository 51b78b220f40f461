// The PTX texts of the workloads: NAME/kernel.ptx is what nvcc made of NAME/kernel.cu, NAME/kernel.clang.ptx what
// clang made of it, and NAME/kernel.era.ptx what clang makes when it is told to write as compilers of 2010 did
// (tools/build-ptx). All that are there when the program is built are part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::workloads {

enum class Compiler : uint8_t { Nvcc, Clang, Era };
inline constexpr Compiler kCompilers[] = {Compiler::Nvcc, Compiler::Clang, Compiler::Era};

Compiler compiler_named(std::string_view name);  // Error (Usage)
std::string_view name_of(Compiler compiler);

std::string ptx_file(std::string_view workload, Compiler compiler);  // "bfs/kernel.ptx", for messages
std::optional<std::string_view> find_ptx(std::string_view workload, Compiler compiler);
std::string_view ptx_of(std::string_view workload, Compiler compiler);  // Error (Usage) if there is none

}  // namespace heddle::workloads
