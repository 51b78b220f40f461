// Addresses to host memory: bounds and alignment are checked here, for every access.
#pragma once

#include <array>

#include "exec/context.h"

namespace heddle {

// Fills context.access and `host` for the active lanes of a memory instruction; `bytes` is the size of one
// access (all elements of a vector). Throws the fault of the first thread that may not do this.
void resolve(Context& context, const Instruction& instruction, const Lanes& lanes, unsigned bytes, bool store,
             std::array<std::byte*, kRow>& host);

// Quickly, the most common case: a full row whose lanes lie one after another, in memory known to be good. Where lane 0
// lies, or null.
std::byte* resolve_contiguous(Context& context, const Instruction& instruction, const Lanes& lanes, unsigned bytes,
                              bool store);

// A row in shared memory, by addresses of 32 bits; an inactive lane's offset is 0.
struct SharedRow {
  std::byte* base = nullptr;  // null: not all lanes are inside, or it is no row
  std::array<uint32_t, kRow> offset;
  bool same = false;        // full, all lanes on one place
  bool contiguous = false;  // full, one after another
};
void resolve_shared(Context& context, const Instruction& instruction, const Lanes& lanes, unsigned bytes,
                    SharedRow& row);

// One thread's generic address, for what is rare (printf, call parameters).
std::byte* resolve_generic(Context& context, Hw thread, Address address, unsigned bytes, bool store);

}  // namespace heddle
