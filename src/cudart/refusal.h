// What functions that are not supported do: say so once, by name.
#pragma once

#include <atomic>

#include "cudart/state.h"

namespace heddle::shim {

inline Status not_supported(const char* name, std::atomic_flag& said) {
  if (!said.test_and_set())
    complain(std::string("warning: ") + name + " is not supported; the program is told so (heddle list cuda)");
  return api([](State&) { return Status::NotSupported; });
}

}  // namespace heddle::shim
