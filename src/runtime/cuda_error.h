// From heddle's errors to CUDA's.
#pragma once

#include "base/error.h"
#include "wire/cuda_status.h"

namespace heddle::runtime {

// What a program is told when a launch ends in this error.
CudaError cuda_error_of(const Error& error, bool cooperative);

}  // namespace heddle::runtime
