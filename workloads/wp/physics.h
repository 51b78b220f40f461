// A sky full of showers, and the kernel's processes on the CPU: the same operations in the same order, each
// rounded by itself, so that everything is equal to the last bit.
#pragma once

#include <array>

#include "workloads/support.h"

namespace heddle::workloads::wp {

constexpr int kLevels = 28;  // as in kernel.cu
constexpr float kThickness = 450.0f;

struct Grid {  // as in kernel.cu
  int32_t nx, ny;
  float step;
};

struct Cell {
  float temperature, vapour, cloud, rain, ice, snow;
  float pressure, density;
};

using Column = std::array<Cell, kLevels>;  // from the ground up

// One of the numbers of a cell.
using Member = float Cell::*;

float saturation_over_water(const Cell& cell);
float fall(Column& column, Member water, float speed, float step);  // returns what reaches the ground
void process(Cell& cell, float step);

std::vector<Column> showers(const Grid& grid);

}  // namespace heddle::workloads::wp
