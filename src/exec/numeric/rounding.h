#pragma once

#include <cstdint>

namespace heddle::numeric {

// The four PTX rounding modes. The integer forms (.rni .rzi .rmi .rpi) use the same names.
enum class Rounding : uint8_t {
  Rn,  // to nearest, ties to even
  Rz,  // towards zero
  Rm,  // towards minus infinity
  Rp,  // towards plus infinity
};

}  // namespace heddle::numeric
