// What a texture object is: the address, in GPU memory, of one of these. The CUDA runtime makes them, `tex` reads them.
#pragma once

#include <cstdint>

namespace heddle {

struct TextureDescriptor {
  static constexpr uint64_t kMagic = 0x7874'656c'6464'6568;  // nobody else's first word
  enum Address : uint32_t { Wrap = 0, Mirror = 1, Clamp = 2, Border = 3 };
  enum Channel : uint32_t { Signed = 0, Unsigned = 1, Float = 2 };

  uint64_t magic = kMagic;
  uint64_t data = 0, pitch = 0, slice = 0;  // where the image lies; bytes from row to row, from slice to slice
  uint32_t width = 0, height = 0, depth = 0;
  uint32_t bits = 0, channels = 0, kind = Unsigned;  // of an element; kind is a Channel
  uint32_t address[3] = {Wrap, Wrap, Wrap};
  uint32_t linear = 0;            // filtered, else the nearest element
  uint32_t normalised_float = 0;  // integers are read as 0…1 or -1…1
  uint32_t normalised = 0;        // coordinates are 0…1
  float border[4] = {0, 0, 0, 0};
};

}  // namespace heddle
