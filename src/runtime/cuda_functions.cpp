#include "runtime/cuda_functions.h"

namespace heddle::runtime {
namespace {

using enum CudaFunction::Answer;

constexpr CudaFunction kFunctions[] = {
#define IMPLEMENTED(name) {#name, Implemented},
#define HARMLESS(name) {#name, Harmless},
#define NOT_SUPPORTED(name) {#name, NotSupported},
#include "wire/cuda_functions.def"
#define IMPLEMENTED(name, since) {#name, Implemented},
#define HARMLESS(name, since) {#name, Harmless},
#define NOT_SUPPORTED(name, since) {#name, NotSupported},
#include "wire/driver_functions.def"
};

}  // namespace

std::span<const CudaFunction> cuda_functions() { return kFunctions; }

}  // namespace heddle::runtime
