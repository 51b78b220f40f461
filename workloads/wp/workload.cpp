#include "workloads/wp/physics.h"

namespace heddle::workloads::wp {

namespace {

constexpr uint32_t kSide = 8;

// One field of all columns, a level after the other, as the kernel has them.
std::vector<float> field_of(const std::vector<Column>& columns, Member member) {
  std::vector<float> field;
  for (int level = 0; level < kLevels; ++level)
    for (const Column& column : columns) field.push_back(column[level].*member);
  return field;
}

struct Ground {
  std::vector<float> rain, snow;
};

Ground steps_on_cpu(std::vector<Column>& columns, const Grid& grid, int steps) {
  Ground ground{std::vector<float>(columns.size()), std::vector<float>(columns.size())};
  for (int step = 0; step < steps; ++step)
    for (size_t i = 0; i < columns.size(); ++i) {
      ground.rain[i] += fall(columns[i], &Cell::rain, 14, grid.step);
      ground.snow[i] += fall(columns[i], &Cell::snow, 3, grid.step);
      for (Cell& cell : columns[i]) process(cell, grid.step);
    }
  return ground;
}

}  // namespace

// The grid is no multiple of the block in either direction.
Check run(Device& device, Size size) {
  const Grid grid{by_size(size, 13, 45, 71), by_size(size, 11, 37, 58), 60.0f};
  const int steps = by_size(size, 1, 2, 3);
  std::vector<Column> columns = showers(grid);
  auto upload = [&](Member member, std::string_view name) {
    return Buffer<float>(device, field_of(columns, member), name);
  };
  const Buffer<float> temperature = upload(&Cell::temperature, "temperature"), vapour = upload(&Cell::vapour, "vapour");
  const Buffer<float> cloud = upload(&Cell::cloud, "cloud"), rain = upload(&Cell::rain, "rain");
  const Buffer<float> ice = upload(&Cell::ice, "ice"), snow = upload(&Cell::snow, "snow");
  const Buffer<float> pressure = upload(&Cell::pressure, "pressure"), density = upload(&Cell::density, "density");
  const Buffer<float> ground_rain(device, columns.size(), "ground rain"),
      ground_snow(device, columns.size(), "ground snow");
  Struct fields(device.pointer_bytes());
  for (const auto* field :
       {&temperature, &vapour, &cloud, &rain, &ice, &snow, &pressure, &density, &ground_rain, &ground_snow})
    fields.pointer(field->address());

  const LaunchShape launch{.grid = {ceil_div(grid.nx, kSide), ceil_div(grid.ny, kSide)}, .block = {kSide, kSide}};
  for (int step = 0; step < steps; ++step) device.launch("microphysics", launch, Arguments(fields, grid));
  const Ground ground = steps_on_cpu(columns, grid, steps);
  return all_of({compare("temperature", field_of(columns, &Cell::temperature), temperature.download()),
                 compare("vapour", field_of(columns, &Cell::vapour), vapour.download()),
                 compare("cloud", field_of(columns, &Cell::cloud), cloud.download()),
                 compare("rain", field_of(columns, &Cell::rain), rain.download()),
                 compare("ice", field_of(columns, &Cell::ice), ice.download()),
                 compare("snow", field_of(columns, &Cell::snow), snow.download()),
                 compare("rain on the ground", ground.rain, ground_rain.download()),
                 compare("snow on the ground", ground.snow, ground_snow.download())});
}

}  // namespace heddle::workloads::wp
