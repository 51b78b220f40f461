#include "workloads/wp/physics.h"

#include <algorithm>
#include <cmath>

namespace heddle::workloads::wp {

namespace {

constexpr float kTrace = 1e-8f, kZero = 273.15f, kHeat = 1004.0f;
constexpr float kCondensing = 2.5e6f, kFreezing = 3.34e5f, kDepositing = 2.834e6f;

float eighth_root(float x) { return std::sqrt(std::sqrt(std::sqrt(x))); }

}  // namespace

// Flatau, Walko, Cotton: Polynomial fits to saturation vapor pressure, 1992. Within 50 degrees of melting.
float saturation_over_water(const Cell& cell) {
  const float t = std::fmin(std::fmax(cell.temperature - kZero, -50.0f), 50.0f);
  const float hectopascal =
      6.11176750f + t * (0.443986062f +
                         t * (0.0143053301f + t * (2.65027242e-4f +
                                                   t * (3.02246994e-6f + t * (2.03886313e-8f + t * 6.38780966e-11f)))));
  return 62.2f * hectopascal / (cell.pressure - 100.0f * hectopascal);
}

namespace {

float saturation_over_ice(const Cell& cell) {
  const float t = std::fmin(std::fmax(cell.temperature - kZero, -50.0f), 0.0f);
  const float hectopascal =
      6.10952665f + t * (0.501948366f +
                         t * (0.0186288989f + t * (4.03488906e-4f +
                                                   t * (5.39797852e-6f + t * (4.20713632e-8f + t * 1.47271071e-10f)))));
  return 62.2f * hectopascal / (cell.pressure - 100.0f * hectopascal);
}

void melt(Cell& cell, float step) {
  if (cell.ice > 0.0f) {  // ice is small and melts at once
    cell.temperature -= kFreezing / kHeat * cell.ice;
    cell.cloud += cell.ice;
    cell.ice = 0.0f;
  }
  if (cell.snow > kTrace) {
    const float rate = 2e-4f * (cell.temperature - kZero) * std::sqrt(cell.density * cell.snow);
    const float melted = std::fmin(cell.snow, std::fmax(rate * step, 0.0f));
    cell.temperature -= kFreezing / kHeat * melted;
    cell.snow -= melted;
    cell.rain += melted;
  }
}

void freeze(Cell& cell, float step) {
  const float below = kZero - cell.temperature;
  if (cell.cloud > 0.0f) {
    float frozen = cell.cloud;
    if (below < 40.0f) frozen = std::fmin(frozen, 1e-7f * below * below * cell.cloud * step);
    cell.temperature += kFreezing / kHeat * frozen;
    cell.cloud -= frozen;
    cell.ice += frozen;
  }
  if (cell.rain > kTrace) {
    const float frozen = std::fmin(cell.rain, 2e-5f * below * below * cell.rain * eighth_root(cell.rain) * step);
    cell.temperature += kFreezing / kHeat * frozen;
    cell.rain -= frozen;
    cell.snow += frozen;
  }
}

// What leaves the vapour for ice or snow, or comes back to it if negative.
void deposit(Cell& cell, float& onto, float mass) {
  cell.temperature += kDepositing / kHeat * mass;
  cell.vapour -= mass;
  onto += mass;
}

void grow_ice(Cell& cell, float step) {
  const float excess = cell.vapour - saturation_over_ice(cell);
  if (excess > 0.0f) {
    if (cell.ice <= kTrace && cell.temperature < kZero - 5.0f) deposit(cell, cell.ice, std::fmin(1e-6f, 0.5f * excess));
    if (cell.ice > kTrace)
      deposit(cell, cell.ice, std::fmin(0.3f * excess, 2.0f * excess * std::sqrt(cell.ice) * step));
    if (cell.snow > kTrace)
      deposit(cell, cell.snow, std::fmin(0.3f * excess, 0.5f * excess * std::sqrt(cell.snow) * step));
  } else {
    if (cell.ice > 0.0f) deposit(cell, cell.ice, -std::fmin(cell.ice, -0.5f * excess));
    if (cell.snow > kTrace)
      deposit(cell, cell.snow, -std::fmin(cell.snow, -0.5f * excess * std::sqrt(cell.snow) * step));
  }
  if (cell.ice > 8e-5f) {
    const float joined = std::fmin(cell.ice, 1e-3f * (cell.ice - 8e-5f) * step);
    cell.ice -= joined;
    cell.snow += joined;
  }
}

// Drops that grow by collecting others.
void collect(Cell& cell, float step) {
  if (cell.cloud > 5e-4f) {
    const float joined = std::fmin(cell.cloud, 1e-3f * (cell.cloud - 5e-4f) * step);
    cell.cloud -= joined;
    cell.rain += joined;
  }
  if (cell.rain > kTrace && cell.cloud > kTrace) {
    const float swept = std::fmin(cell.cloud, 2.2f * cell.cloud * cell.rain / eighth_root(cell.rain) * step);
    cell.cloud -= swept;
    cell.rain += swept;
  }
  if (cell.snow > kTrace && cell.cloud > kTrace) {
    const float swept = std::fmin(cell.cloud, 1.2f * cell.cloud * cell.snow / eighth_root(cell.snow) * step);
    cell.cloud -= swept;
    if (cell.temperature < kZero) {
      cell.temperature += kFreezing / kHeat * swept;
      cell.snow += swept;
    } else {
      cell.rain += swept;
    }
  }
  if (cell.snow > kTrace && cell.ice > kTrace) {
    const float swept = std::fmin(cell.ice, 0.8f * cell.ice * cell.snow / eighth_root(cell.snow) * step);
    cell.ice -= swept;
    cell.snow += swept;
  }
}

// Rain evaporates into dry air; cloud takes up what is above saturation and gives back what is below.
void saturate(Cell& cell, float step) {
  const float water = saturation_over_water(cell);
  if (cell.rain > kTrace && cell.vapour < water) {
    const float rate = 5e-4f * (1.0f - cell.vapour / water) * std::sqrt(cell.density * cell.rain);
    const float lost = std::fmin(cell.rain, rate * step);
    cell.temperature -= kCondensing / kHeat * lost;
    cell.rain -= lost;
    cell.vapour += lost;
  }
  const float square = cell.temperature * cell.temperature;
  float condensed = (cell.vapour - water) / (1.0f + 1.35e7f * water / square);
  if (condensed < 0.0f) {
    if (cell.cloud <= 0.0f) return;
    condensed = std::fmax(condensed, -cell.cloud);
  }
  cell.temperature += kCondensing / kHeat * condensed;
  cell.vapour -= condensed;
  cell.cloud += condensed;
}

}  // namespace

void process(Cell& cell, float step) {
  cell.cloud = std::fmax(cell.cloud, 0.0f);
  cell.ice = std::fmax(cell.ice, 0.0f);
  if (cell.temperature > kZero) {
    melt(cell, step);
  } else {
    freeze(cell, step);
    grow_ice(cell, step);
  }
  collect(cell, step);
  saturate(cell, step);
}

float fall(Column& column, Member water, float speed, float step) {
  std::array<float, kLevels> velocity{};
  float courant = 0;
  for (int k = 0; k < kLevels; ++k) {
    const float density = column[k].density;
    if (!(column[k].*water > kTrace)) continue;
    velocity[k] = speed * eighth_root(density * column[k].*water) / std::sqrt(density);
    courant = std::fmax(courant, velocity[k] * step / kThickness);
  }
  if (courant == 0) return 0;
  const int steps = static_cast<int>(courant) + 1;
  const float small_step = step / static_cast<float>(steps);
  float ground = 0;
  for (int i = 0; i < steps; ++i) {
    float from_above = 0;
    for (int k = kLevels - 1; k >= 0; --k) {
      Cell& cell = column[k];
      const float leaving = cell.density * (cell.*water) * velocity[k];
      const float change = (from_above - leaving) * small_step / (cell.density * kThickness);
      cell.*water = std::fmax(cell.*water + change, 0.0f);
      from_above = leaving;
    }
    ground += from_above * small_step;
  }
  return ground;
}

namespace {

struct Shower {
  float x, y, radius, strength;
};

// Clear air that cools by 6.5 K a kilometre, under a pressure that falls as the fifth power.
Cell clear_air(Random& random, int level) {
  const float height = (static_cast<float>(level) + 0.5f) * kThickness;
  const float shrunk = 1 - height / 44330.0f, square = shrunk * shrunk;
  Cell cell{};
  cell.temperature = std::fmax(299.0f - 0.0065f * height, 215.0f) + random.between(-1.0f, 1.0f);
  cell.pressure = 1e5f * square * square * shrunk;
  cell.density = cell.pressure / (287.0f * cell.temperature);
  cell.vapour = random.between(0.3f, 0.7f) * saturation_over_water(cell);
  return cell;
}

// In a shower the air is near saturation; below, rain; in the middle, cloud; above, snow and ice.
void add_shower(Random& random, Cell& cell, int level, float strength) {
  cell.vapour = random.between(0.9f, 1.05f) * saturation_over_water(cell);
  if (level < 14) cell.rain = strength * random.between(0.0f, 2e-3f);
  if (level > 4 && level < 20) cell.cloud = strength * random.between(0.0f, 1.5e-3f);
  if (level > 9 && level < 24) cell.snow = strength * random.between(0.0f, 1e-3f);
  if (level > 16 && level < 28) cell.ice = strength * random.between(0.0f, 3e-4f);
}

}  // namespace

std::vector<Column> showers(const Grid& grid) {
  Random random(1);
  std::vector<Shower> all;
  for (int32_t i = 0; i < 2 + grid.nx * grid.ny / 400; ++i) {
    const float x = random.between(0.0f, static_cast<float>(grid.nx));
    const float y = random.between(0.0f, static_cast<float>(grid.ny));
    const float radius = random.between(2.0f, 8.0f);
    all.push_back({x, y, radius, random.between(0.1f, 1.0f)});
  }
  std::vector<Column> columns(size_t(grid.nx) * size_t(grid.ny));
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto x = static_cast<float>(i % grid.nx), y = static_cast<float>(i / grid.nx);
    for (int level = 0; level < kLevels; ++level) {
      columns[i][level] = clear_air(random, level);
      for (const Shower& shower : all) {
        const float dx = x - shower.x, dy = y - shower.y;
        if (dx * dx + dy * dy < shower.radius * shower.radius)
          add_shower(random, columns[i][level], level, shower.strength);
      }
    }
  }
  return columns;
}

}  // namespace heddle::workloads::wp
