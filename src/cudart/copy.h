// Copies between blocks of memory of up to three dimensions, wherever they lie.
#pragma once

#include <cstddef>

#include "cudart/state.h"

namespace heddle::shim {

struct Block {
  void* pointer;
  size_t width, pitch, height, slice, depth;  // bytes of a row, from row to row, rows, from slice to slice, slices

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  size_t bytes() const { return empty() ? 0 : (depth - 1) * slice + (height - 1) * pitch + width; }
  bool is_held(const State& state) const { return state.holds(pointer, bytes()); }
  template <class Each>
  void for_each_row(Each&& each) const {
    for (size_t z = 0; z < depth; ++z)
      for (size_t y = 0; y < height; ++y) each(static_cast<std::byte*>(pointer) + z * slice + y * pitch);
  }
};

// Both have the same width, height and depth. Waits for what the default stream waits for.
Status copy(State& state, const Block& to, const Block& from, CopyKind kind);
// In the order of the stream: where both are GPU memory, and the simulator has several launches in flight, it is done
// there in its turn; else it waits, too.
Status copy_in(State& state, const Stream* stream, const Block& to, const Block& from, CopyKind kind);

}  // namespace heddle::shim
