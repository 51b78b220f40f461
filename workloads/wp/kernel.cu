// Cloud microphysics of a weather model, after the single-moment schemes with five kinds of water (Hong, Dudhia,
// Chen 2004): a thread has one column of air, blocks are 8x8 columns. In a column rain and snow fall first, in
// as many small steps as the fastest drop asks for, then every level goes through the processes that its
// temperature, saturation and water allow. Most are rare: a branch each, nearly all on data.
//
// Saturation is a polynomial and powers are of an eighth, by square roots: every operation is rounded the
// same way everywhere, and the check can be exact.
// build-ptx: -fmad=false

constexpr int kLevels = 28;
constexpr float kTrace = 1e-8f;       // less water than this is none
constexpr float kZero = 273.15f;      // melting, K
constexpr float kHeat = 1004.0f;      // of air, J/(kg K)
constexpr float kThickness = 450.0f;  // of a level, m
constexpr float kCondensing = 2.5e6f, kFreezing = 3.34e5f, kDepositing = 2.834e6f;  // J/kg

struct Grid {
  int nx, ny;
  float step;  // s
};

// Each of nx * ny * kLevels values, a level after the other from the ground, but the last two.
struct Fields {
  float *temperature, *vapour, *cloud, *rain, *ice, *snow;
  const float *pressure, *density;
  float *ground_rain, *ground_snow;
};

// Mass of water by kind per mass of air.
struct Cell {
  float temperature, vapour, cloud, rain, ice, snow;
  float pressure, density;
};

static __device__ float eighth_root(float x) { return sqrtf(sqrtf(sqrtf(x))); }

// Flatau, Walko, Cotton: Polynomial fits to saturation vapor pressure, 1992. Within 50 degrees of melting.
static __device__ float saturation_over_water(const Cell& cell) {
  const float t = fminf(fmaxf(cell.temperature - kZero, -50.0f), 50.0f);
  const float hectopascal =
      6.11176750f +
      t * (0.443986062f +
           t * (0.0143053301f +
                t * (2.65027242e-4f + t * (3.02246994e-6f + t * (2.03886313e-8f + t * 6.38780966e-11f)))));
  return 62.2f * hectopascal / (cell.pressure - 100.0f * hectopascal);
}

static __device__ float saturation_over_ice(const Cell& cell) {
  const float t = fminf(fmaxf(cell.temperature - kZero, -50.0f), 0.0f);
  const float hectopascal =
      6.10952665f +
      t * (0.501948366f +
           t * (0.0186288989f +
                t * (4.03488906e-4f + t * (5.39797852e-6f + t * (4.20713632e-8f + t * 1.47271071e-10f)))));
  return 62.2f * hectopascal / (cell.pressure - 100.0f * hectopascal);
}

static __device__ void melt(Cell& cell, float step) {
  if (cell.ice > 0.0f) {  // ice is small and melts at once
    cell.temperature -= kFreezing / kHeat * cell.ice;
    cell.cloud += cell.ice;
    cell.ice = 0.0f;
  }
  if (cell.snow > kTrace) {
    const float rate = 2e-4f * (cell.temperature - kZero) * sqrtf(cell.density * cell.snow);
    const float melted = fminf(cell.snow, fmaxf(rate * step, 0.0f));
    cell.temperature -= kFreezing / kHeat * melted;
    cell.snow -= melted;
    cell.rain += melted;
  }
}

static __device__ void freeze(Cell& cell, float step) {
  const float below = kZero - cell.temperature;
  if (cell.cloud > 0.0f) {
    float frozen = cell.cloud;
    if (below < 40.0f) frozen = fminf(frozen, 1e-7f * below * below * cell.cloud * step);
    cell.temperature += kFreezing / kHeat * frozen;
    cell.cloud -= frozen;
    cell.ice += frozen;
  }
  if (cell.rain > kTrace) {
    const float frozen = fminf(cell.rain, 2e-5f * below * below * cell.rain * eighth_root(cell.rain) * step);
    cell.temperature += kFreezing / kHeat * frozen;
    cell.rain -= frozen;
    cell.snow += frozen;
  }
}

// What leaves the vapour for ice or snow, or comes back to it if negative.
static __device__ void deposit(Cell& cell, float& onto, float mass) {
  cell.temperature += kDepositing / kHeat * mass;
  cell.vapour -= mass;
  onto += mass;
}

static __device__ void grow_ice(Cell& cell, float step) {
  const float excess = cell.vapour - saturation_over_ice(cell);
  if (excess > 0.0f) {
    if (cell.ice <= kTrace && cell.temperature < kZero - 5.0f) deposit(cell, cell.ice, fminf(1e-6f, 0.5f * excess));
    if (cell.ice > kTrace)
      deposit(cell, cell.ice, fminf(0.3f * excess, 2.0f * excess * sqrtf(cell.ice) * step));
    if (cell.snow > kTrace)
      deposit(cell, cell.snow, fminf(0.3f * excess, 0.5f * excess * sqrtf(cell.snow) * step));
  } else {
    if (cell.ice > 0.0f) deposit(cell, cell.ice, -fminf(cell.ice, -0.5f * excess));
    if (cell.snow > kTrace)
      deposit(cell, cell.snow, -fminf(cell.snow, -0.5f * excess * sqrtf(cell.snow) * step));
  }
  if (cell.ice > 8e-5f) {
    const float joined = fminf(cell.ice, 1e-3f * (cell.ice - 8e-5f) * step);
    cell.ice -= joined;
    cell.snow += joined;
  }
}

// Drops that grow by collecting others.
static __device__ void collect(Cell& cell, float step) {
  if (cell.cloud > 5e-4f) {
    const float joined = fminf(cell.cloud, 1e-3f * (cell.cloud - 5e-4f) * step);
    cell.cloud -= joined;
    cell.rain += joined;
  }
  if (cell.rain > kTrace && cell.cloud > kTrace) {
    const float swept = fminf(cell.cloud, 2.2f * cell.cloud * cell.rain / eighth_root(cell.rain) * step);
    cell.cloud -= swept;
    cell.rain += swept;
  }
  if (cell.snow > kTrace && cell.cloud > kTrace) {
    const float swept = fminf(cell.cloud, 1.2f * cell.cloud * cell.snow / eighth_root(cell.snow) * step);
    cell.cloud -= swept;
    if (cell.temperature < kZero) {
      cell.temperature += kFreezing / kHeat * swept;
      cell.snow += swept;
    } else {
      cell.rain += swept;
    }
  }
  if (cell.snow > kTrace && cell.ice > kTrace) {
    const float swept = fminf(cell.ice, 0.8f * cell.ice * cell.snow / eighth_root(cell.snow) * step);
    cell.ice -= swept;
    cell.snow += swept;
  }
}

// Rain evaporates into dry air; cloud takes up what is above saturation and gives back what is below.
static __device__ void saturate(Cell& cell, float step) {
  const float water = saturation_over_water(cell);
  if (cell.rain > kTrace && cell.vapour < water) {
    const float rate = 5e-4f * (1.0f - cell.vapour / water) * sqrtf(cell.density * cell.rain);
    const float lost = fminf(cell.rain, rate * step);
    cell.temperature -= kCondensing / kHeat * lost;
    cell.rain -= lost;
    cell.vapour += lost;
  }
  const float square = cell.temperature * cell.temperature;
  float condensed = (cell.vapour - water) / (1.0f + 1.35e7f * water / square);
  if (condensed < 0.0f) {
    if (cell.cloud <= 0.0f) return;
    condensed = fmaxf(condensed, -cell.cloud);
  }
  cell.temperature += kCondensing / kHeat * condensed;
  cell.vapour -= condensed;
  cell.cloud += condensed;
}

// Lets rain or snow fall through the column, and returns what reaches the ground. The number of small steps
// follows from the fastest level, so that nothing falls through a whole level in one.
static __device__ float fall(float* water, const float* density, int plane, float speed, float step) {
  float velocity[kLevels];
  float courant = 0.0f;
#pragma unroll 1
  for (int k = 0; k < kLevels; ++k) {
    velocity[k] = 0.0f;
    if (water[k * plane] > kTrace) {
      velocity[k] = speed * eighth_root(density[k * plane] * water[k * plane]) / sqrtf(density[k * plane]);
      courant = fmaxf(courant, velocity[k] * step / kThickness);
    }
  }
  if (courant == 0.0f) return 0.0f;
  const int steps = (int)courant + 1;
  const float small_step = step / (float)steps;
  float ground = 0.0f;
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    float from_above = 0.0f;
#pragma unroll 1
    for (int k = kLevels - 1; k >= 0; --k) {
      const float leaving = density[k * plane] * water[k * plane] * velocity[k];
      if (leaving > 0.0f || from_above > 0.0f)
        water[k * plane] = fmaxf(
            water[k * plane] + (from_above - leaving) * small_step / (density[k * plane] * kThickness), 0.0f);
      from_above = leaving;
    }
    ground += from_above * small_step;
  }
  return ground;
}

static __device__ void process(Cell& cell, float step) {
  cell.cloud = fmaxf(cell.cloud, 0.0f);
  cell.ice = fmaxf(cell.ice, 0.0f);
  if (cell.temperature > kZero) {
    melt(cell, step);
  } else {
    freeze(cell, step);
    grow_ice(cell, step);
  }
  collect(cell, step);
  saturate(cell, step);
}

extern "C" __global__ void microphysics(Fields fields, Grid grid) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny) return;
  const int column = y * grid.nx + x, plane = grid.nx * grid.ny;
  fields.ground_rain[column] += fall(fields.rain + column, fields.density + column, plane, 14.0f, grid.step);
  fields.ground_snow[column] += fall(fields.snow + column, fields.density + column, plane, 3.0f, grid.step);
#pragma unroll 1
  for (int k = 0; k < kLevels; ++k) {
    const int at = k * plane + column;
    Cell cell = {fields.temperature[at], fields.vapour[at],   fields.cloud[at],  fields.rain[at], fields.ice[at],
                 fields.snow[at],        fields.pressure[at], fields.density[at]};
    process(cell, grid.step);
    fields.temperature[at] = cell.temperature;
    fields.vapour[at] = cell.vapour;
    fields.cloud[at] = cell.cloud;
    fields.rain[at] = cell.rain;
    fields.ice[at] = cell.ice;
    fields.snow[at] = cell.snow;
  }
}
