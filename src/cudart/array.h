// CUDA arrays: images in GPU memory, row by row.
#pragma once

#include "cudart/types.h"

namespace heddle::shim {

struct Array {
  ChannelFormat format;
  Extent extent;  // elements; height and depth may be 0
  unsigned flags;
  void* pointer;
  size_t pitch;

  size_t element() const { return static_cast<size_t>(format.x + format.y + format.z + format.w) / 8; }
  size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  size_t row_bytes() const { return extent.width * element(); }
};

}  // namespace heddle::shim
