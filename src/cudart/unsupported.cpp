// The rest of the CUDA runtime API: functions that answer "not supported", and say so once, by name. Which they are
// stands in the one table, cuda_functions.def.
#include <atomic>

#include "cudart/state.h"

using namespace heddle::shim;

namespace {

Status not_supported(const char* name, std::atomic_flag& said) {
  if (!said.test_and_set())
    complain(std::string("warning: ") + name + " is not supported; the program is told so (heddle list cuda)");
  return api([](State&) { return Status::NotSupported; });
}

}  // namespace

#define IMPLEMENTED(name)
#define HARMLESS(name)
#define NOT_SUPPORTED(name)            \
  HEDDLE_API Status name() {           \
    static std::atomic_flag said;      \
    return not_supported(#name, said); \
  }
#include "wire/cuda_functions.def"
