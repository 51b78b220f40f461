// Names and texts of the CUDA errors, by number.
#pragma once

#include "cudart/types.h"

namespace heddle::shim {

struct ErrorEntry {
  unsigned number;
  const char* name;
  const char* text;
};
const ErrorEntry& error_entry(Status status);  // one that says so, for a number that is no error

}  // namespace heddle::shim
