// The rest of the driver API, from its table: functions with nothing to do, and those that answer "not supported", and
// say so once, by name.
#include "cuda/driver.h"
#include "cudart/refusal.h"

using namespace heddle::shim;

#define IMPLEMENTED(name, since)
#define HARMLESS(name, since)                      \
  HEDDLE_API Status name() {                       \
    return driver([] { return Status::Success; }); \
  }
#define NOT_SUPPORTED(name, since)                            \
  HEDDLE_API Status name() {                                  \
    static std::atomic_flag said;                             \
    return driver([] { return not_supported(#name, said); }); \
  }
#include "wire/driver_functions.def"
