// What a texture or surface object is: the address, in GPU memory, of one of these. The CUDA runtime makes them, `tex`,
// `suld` and their kind read them.
#pragma once

#include <cstdint>

namespace heddle {

// An image of up to three dimensions. Layers of an array and faces of a cube are slices.
struct ImageLevel {
  uint64_t data = 0, pitch = 0, slice = 0;  // where it lies; bytes from row to row, from slice to slice
  uint32_t width = 0, height = 0, depth = 0;
};

struct TextureDescriptor {
  static constexpr uint64_t kTexture = 0x7874'656c'6464'6568, kSurface = 0x6673'656c'6464'6568;
  static constexpr unsigned kMostLevels = 16;
  enum Address : uint32_t { Wrap = 0, Clamp = 1, Mirror = 2, Border = 3 };  // as CUDA numbers them
  enum Channel : uint32_t { Signed = 0, Unsigned = 1, Float = 2 };

  uint64_t magic = kTexture;                         // nobody else's first word
  uint32_t bits = 0, channels = 0, kind = Unsigned;  // of an element; kind is a Channel
  uint32_t address[3] = {Wrap, Wrap, Wrap};
  uint32_t linear = 0;            // filtered, else the nearest element
  uint32_t normalised_float = 0;  // integers are read as 0…1 or -1…1
  uint32_t normalised = 0;        // coordinates are 0…1
  uint32_t layered = 0;           // the slices are layers, or faces
  float border[4] = {0, 0, 0, 0};
  uint32_t levels = 1, linear_levels = 0;  // mip levels: how many; filtered between two of them, else the nearest
  float level_bias = 0, least_level = 0, greatest_level = 0;
  ImageLevel level[kMostLevels];

  unsigned element_bytes() const { return bits / 8 * channels; }
};

}  // namespace heddle
