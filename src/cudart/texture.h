// What a texture object is made of, in the structures of the CUDA API.
#pragma once

#include "cudart/types.h"

namespace heddle::shim {

struct ResourceDescription {  // cudaResourceDesc
  enum Kind : int { OfArray = 0, OfMipmaps = 1, OfLinear = 2, OfPitched = 3 } kind;
  union {
    Array* array;
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

struct TextureDescription {  // cudaTextureDesc, as far as all versions agree
  int address[3], filter, read, srgb;
  float border[4];
  int normalised;
};

}  // namespace heddle::shim
