#include <cmath>

#include "workloads/support.h"

namespace heddle::workloads::nn {

namespace {

constexpr uint32_t kThreads = 16, kLength = 49, kColumn = 27;
constexpr float kLatitude = 30, kLongitude = 90;  // the place whose neighbours are wanted

// In tenths of a degree: where hurricanes are.
struct Storm {
  int32_t north, east;
};

std::vector<Storm> random_storms(uint32_t count) {
  Random random(1);
  std::vector<Storm> storms(count);
  for (Storm& storm : storms) {
    storm.north = random.between(70, 630);
    storm.east = random.between(0, 3580);
  }
  return storms;
}

// As "ddd.d", with blanks for leading zeros.
void write_degrees(int32_t tenths, char* text) {
  text[4] = static_cast<char>('0' + tenths % 10);
  text[3] = '.';
  int32_t whole = tenths / 10;
  for (int digit = 2; digit >= 0; --digit, whole /= 10)
    text[digit] = whole > 0 || digit == 2 ? static_cast<char>('0' + whole % 10) : ' ';
}

// The place is all that is read of a line; dashes stand for date, name and strength.
std::vector<char> lines_of(const std::vector<Storm>& storms) {
  std::vector<char> lines(storms.size() * kLength, '-');
  char* place = lines.data() + kColumn;
  for (const Storm& storm : storms) {
    write_degrees(storm.north, place);
    place[5] = ' ';
    write_degrees(storm.east, place + 6);
    place += kLength;
  }
  return lines;
}

// Rounds where the kernel does: at the tenth, the sum, and in the distance.
float degrees_on_cpu(int32_t tenths) {
  return static_cast<float>(tenths / 10) + static_cast<float>(tenths % 10) / 10.0f;
}

float distance_on_cpu(const Storm& storm) {
  const float north = degrees_on_cpu(storm.north) - kLatitude, east = degrees_on_cpu(storm.east) - kLongitude;
  return std::sqrt(std::fma(north, north, east * east));
}

}  // namespace

// 42,760 lines are the standard input of the papers' program.
Check run(Device& device, Size size) {
  const uint32_t count = by_size(size, 1'000u, 10'690u, 42'760u);
  const std::vector<Storm> storms = random_storms(count);
  const Buffer<char> lines(device, lines_of(storms), "lines");
  const Buffer<float> distances(device, count, "distances");
  device.launch("measure", {.grid = {ceil_div(count, kThreads)}, .block = {kThreads}},
                Arguments(lines.address(), count, kLength, kColumn, kLatitude, kLongitude, distances.address()));
  std::vector<float> expected;
  for (const Storm& storm : storms) expected.push_back(distance_on_cpu(storm));
  return compare("distances", expected, distances.download());
}

}  // namespace heddle::workloads::nn
