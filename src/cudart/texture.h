// What a texture object is made of, in the structures of the CUDA API.
#pragma once

#include "cudart/types.h"

namespace heddle::shim {

struct ResourceDescription {  // cudaResourceDesc
  enum Kind : int { OfArray = 0, OfMipmaps = 1, OfLinear = 2, OfPitched = 3 } kind;
  union {
    Array* array;
    Mipmaps* mipmaps;
    struct {
      void* pointer;
      ChannelFormat format;
      size_t bytes;
    } linear;
    struct {
      void* pointer;
      ChannelFormat format;
      size_t width, height, pitch;
    } pitched;
    char room[64];
  };
};

struct TextureDescription {  // cudaTextureDesc; versions before 11.6 end before `seamless`
  int address[3], filter, read, srgb;
  float border[4];
  int normalised;
  unsigned anisotropy;
  int level_filter;
  float level_bias, least_level, greatest_level;
  int untrilinear, seamless;
};

}  // namespace heddle::shim
