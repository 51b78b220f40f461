// The tables of CUDA functions, the runtime API (cuda_functions.def) and the driver API (driver_functions.def), as
// values.
#pragma once

#include <span>
#include <string_view>

namespace heddle::runtime {

struct CudaFunction {
  std::string_view name;
  enum class Answer { Implemented, Harmless, NotSupported } answer;
};
std::span<const CudaFunction> cuda_functions();

}  // namespace heddle::runtime
