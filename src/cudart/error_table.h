// Names and texts of the CUDA errors, by number.
#pragma once

#include "cudart/types.h"

namespace heddle::shim {

struct ErrorEntry {
  unsigned number;
  const char* name;
  const char* driver;  // its name in the driver API; or null, where that has no such error
  const char* text;
};
const ErrorEntry& error_entry(Status status);  // one that says so, for a number that is no error

}  // namespace heddle::shim
