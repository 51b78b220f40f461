// Errors: the last one, their names, their texts.
#include <utility>

#include "cudart/error_table.h"
#include "cudart/state.h"

using namespace heddle::shim;

// Once a kernel has failed the GPU is lost and every call that needs it says so; the last error is forgotten as any
// other.
HEDDLE_API Status cudaGetLastError() { return std::exchange(this_thread().last_error, Status::Success); }
HEDDLE_API Status cudaPeekAtLastError() { return this_thread().last_error; }

HEDDLE_API const char* cudaGetErrorName(Status status) { return error_entry(status).name; }
HEDDLE_API const char* cudaGetErrorString(Status status) { return error_entry(status).text; }
