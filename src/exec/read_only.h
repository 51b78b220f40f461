// Memory that a launch only reads, as far as the code tells: no store's address is made of a pointer into it, nor of
// one that is not known (Kernel::address_roots). What is read there is known at once, however far others have come.
//
// A kernel may still write there, by a pointer to other memory and an offset that leaves it. That is found (check()):
// no C++ program may do so, and one that does ends here with a fault.
#pragma once

#include <vector>

#include "exec/context.h"

namespace heddle {

class ReadOnly {
 public:
  ReadOnly(const Kernel& kernel, const GlobalMemory& memory, const std::byte* constants);

  bool empty() const { return extents_.empty(); }
  // Does what the last instruction, a load, touched lie in memory that is only read? It knows of one allocation.
  bool holds(const Context& context, LaneMask global, unsigned bytes) const;
  // Throws a Fault if what the last instruction is to write to lies there.
  void check(Context& context, const Lanes& lanes, LaneMask global, unsigned bytes) const;

 private:
  std::vector<Extent> by_pc_;    // of a load: what is only read; of others: where they are expected to write
  std::vector<Extent> extents_;  // of what is only read
};

}  // namespace heddle
