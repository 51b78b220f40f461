// CUDA arrays: images in GPU memory, row by row; and arrays with mip levels.
#pragma once

#include <memory>
#include <vector>

#include "cudart/types.h"

namespace heddle::shim {

struct Array {
  enum Flag : unsigned { Layered = 1, SurfaceAccess = 2, Cube = 4 };
  ChannelFormat format;
  Extent extent;  // elements; height and depth may be 0. Layers, and faces of cubes, are its depth
  unsigned flags;
  void* pointer;
  size_t pitch;

  size_t element() const { return static_cast<size_t>(format.x + format.y + format.z + format.w) / 8; }
  size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  size_t row_bytes() const { return extent.width * element(); }
  bool has_layers() const { return (flags & (Layered | Cube)) != 0; }
};

struct Mipmaps {  // cudaMipmappedArray_t: each level half as large as the one before
  std::vector<std::unique_ptr<Array>> levels;
};

}  // namespace heddle::shim
