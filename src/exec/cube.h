// The faces of a cube: which one a direction from its middle meets, and where, as the CUDA programming guide has it.
#pragma once

#include <array>

namespace heddle {

struct CubePlace {
  unsigned face;  // +x, -x, +y, -y, +z, -z
  double s, t;    // 0…1
};

// Of directions that meet an edge z has it before y, and y before x.
CubePlace cube_place(const std::array<double, 3>& towards);

// How s and t change where the direction changes by `step`, to first order.
std::array<double, 2> cube_change(const std::array<double, 3>& direction, const std::array<double, 3>& step);

}  // namespace heddle
