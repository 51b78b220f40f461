// Heat on a chip: explicit steps in time of a 2-D network of thermal resistors. A block of 16x16 threads
// loads a tile and takes several steps on it in shared memory before it writes the middle back. A step needs
// the neighbours, so after each one another ring of the tile is stale, and its threads drop out.

constexpr int kTile = 16;

struct Chip {
  int width, height;
  float time_over_capacity;  // of one cell
  float conductance_x, conductance_y, conductance_out;
  float ambient;
};

// Every rounding is named, so that the CPU can repeat it.
static __device__ float warmed(const Chip& chip, float here, float north, float south, float west, float east,
                               float power) {
  const float twice = here + here;
  float flow = fmaf(chip.conductance_y, (north + south) - twice, power);
  flow = fmaf(chip.conductance_x, (west + east) - twice, flow);
  flow = fmaf(chip.conductance_out, chip.ambient - here, flow);
  return fmaf(chip.time_over_capacity, flow, here);
}

extern "C" __global__ void hotspot(const float* temperature, const float* power, float* result, Chip chip,
                                   int steps) {
  __shared__ float tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  // Tiles overlap: only the middle that is good after all steps is this block's own.
  const int left = (int)blockIdx.x * (kTile - 2 * steps) - steps;
  const int top = (int)blockIdx.y * (kTile - 2 * steps) - steps;
  const int x = left + tx, y = top + ty;
  const bool on_chip = x >= 0 && x < chip.width && y >= 0 && y < chip.height;
  float heat = 0.0f;
  if (on_chip) {
    tile[ty][tx] = temperature[y * chip.width + x];
    heat = power[y * chip.width + x];
  }
  __syncthreads();

  // No heat leaves through the edges of the chip: a cell there is its own neighbour.
  const int north = y > 0 ? ty - 1 : ty, south = y < chip.height - 1 ? ty + 1 : ty;
  const int west = x > 0 ? tx - 1 : tx, east = x < chip.width - 1 ? tx + 1 : tx;
  // The ring of the tile that the thread is in, from outside: so many steps it can take.
  const int ring = on_chip ? min(min(tx, kTile - 1 - tx), min(ty, kTile - 1 - ty)) : 0;
  float next = 0.0f;
#pragma unroll 1
  for (int step = 1; step <= steps; ++step) {
    if (step <= ring) {
      next = warmed(chip, tile[ty][tx], tile[north][tx], tile[south][tx], tile[ty][west], tile[ty][east], heat);
    }
    __syncthreads();
    if (step == steps) break;
    if (step <= ring) tile[ty][tx] = next;
    __syncthreads();
  }
  if (steps <= ring) result[y * chip.width + x] = next;
}
