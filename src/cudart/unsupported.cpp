// The rest of the CUDA runtime API: functions that answer "not supported". Which they are stands in the one table,
// cuda_functions.def.
#include "cudart/refusal.h"

using namespace heddle::shim;

#define IMPLEMENTED(name)
#define HARMLESS(name)
#define NOT_SUPPORTED(name)            \
  HEDDLE_API Status name() {           \
    static std::atomic_flag said;      \
    return not_supported(#name, said); \
  }
#include "wire/cuda_functions.def"
