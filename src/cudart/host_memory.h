// Memory of the program whose pages were moved to the GPU. Under the lock of State.
#pragma once

#include <optional>

#include "cudart/state.h"

namespace heddle::shim {

struct Moved {
  uint64_t device;  // where kernels reach it
  MemoryKind kind;
};
std::optional<Moved> moved_at(const void* pointer);

// Moves the pages of managed variables, which the program and its kernels share from then on.
Status move_managed(State& state, const void* begin, size_t bytes);

}  // namespace heddle::shim
