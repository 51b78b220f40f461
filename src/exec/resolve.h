// Addresses to host memory: bounds and alignment are checked here, for every access.
#pragma once

#include <array>

#include "exec/context.h"

namespace heddle {

// Fills context.access and `host` for the active lanes of a memory instruction; `bytes` is the size of one
// access (all elements of a vector). Throws the fault of the first thread that may not do this.
void resolve(Context& context, const Instruction& instruction, const Lanes& lanes, unsigned bytes, bool store,
             std::array<std::byte*, kRow>& host);

// The same; but where context.access tells of parts, as context.tells allows, `host` has the first lane of each.
void resolve_parts(Context& context, const Instruction& instruction, const Lanes& lanes, unsigned bytes, bool store,
                   std::array<std::byte*, kRow>& host);

// One thread's generic address, for what is rare (printf, call parameters).
std::byte* resolve_generic(Context& context, Hw thread, Address address, unsigned bytes, bool store);

}  // namespace heddle
