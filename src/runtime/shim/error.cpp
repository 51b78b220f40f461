// Errors: the last one, their names, their texts.
#include "runtime/shim/error_table.h"
#include "runtime/shim/state.h"

using namespace heddle::shim;

// Once a kernel has failed the GPU is lost, and every call says so.
HEDDLE_API Status cudaGetLastError() {
  const Status status = this_thread().last_error;
  const bool sticky = State::get().lost() != Status::Success;
  this_thread().last_error = sticky ? State::get().lost() : Status::Success;
  return sticky ? State::get().lost() : status;
}

HEDDLE_API Status cudaPeekAtLastError() {
  const Status lost = State::get().lost();
  return lost != Status::Success ? lost : this_thread().last_error;
}

HEDDLE_API const char* cudaGetErrorName(Status status) { return error_entry(status).name; }
HEDDLE_API const char* cudaGetErrorString(Status status) { return error_entry(status).text; }
