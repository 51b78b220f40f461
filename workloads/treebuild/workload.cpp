#include <fmt/format.h>

#include <set>

#include "workloads/support.h"

namespace heddle::workloads::treebuild {

namespace {

constexpr uint32_t kLevels = 16, kBody = 0x80000000U;

struct Place {
  uint32_t x, y;
};

// Each in a place of its own, half of them in clusters.
std::vector<Place> make_places(uint32_t count) {
  constexpr uint32_t kSide = 1U << kLevels;
  Random random(1);
  std::set<uint64_t> taken;
  std::vector<Place> places;
  while (places.size() < count) {
    Place place{random.below(kSide), random.below(kSide)};
    if (random.below(2) == 0)
      place = {(place.x % 8 * 7919 + random.below(512)) % kSide, (place.y % 8 * 6271 + random.below(512)) % kSide};
    if (taken.insert(uint64_t{place.x} << kLevels | place.y).second) places.push_back(place);
  }
  return places;
}

uint32_t quadrant(const Place& place, uint32_t level) { return (place.x >> level & 1) | (place.y >> level & 1) << 1; }

// What the tree must be, whoever comes first: a cell wherever there are two bodies or more, and the root.
class Expected {
 public:
  explicit Expected(const std::vector<Place>& places) : places_(places) {}

  uint32_t cells(const std::vector<uint32_t>& bodies, uint32_t level) const {
    uint32_t sum = 1;
    for (const std::vector<uint32_t>& part : parted(bodies, level))
      if (part.size() > 1) sum += cells(part, level - 1);
    return sum;
  }
  // "" or what is wrong below a cell.
  std::string compare(const std::vector<uint32_t>& children, uint32_t cell, const std::vector<uint32_t>& bodies,
                      uint32_t level) const {
    uint32_t q = 0;
    for (const std::vector<uint32_t>& part : parted(bodies, level)) {
      const uint32_t child = children[cell * 4 + q++];
      const bool cell_below = child > 0 && child < kBody && child < children.size() / 4;
      if (part.empty() ? child != 0 : part.size() == 1 ? child != (kBody | part[0]) : !cell_below)
        return fmt::format("child {} of cell {} is {:#x}, and {} bodies belong there", q - 1, cell, child, part.size());
      if (part.size() < 2) continue;
      if (std::string wrong = compare(children, child, part, level - 1); !wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  std::vector<std::vector<uint32_t>> parted(const std::vector<uint32_t>& bodies, uint32_t level) const {
    std::vector<std::vector<uint32_t>> parts(4);
    for (uint32_t body : bodies) parts[quadrant(places_[body], level)].push_back(body);
    return parts;
  }
  const std::vector<Place>& places_;
};

}  // namespace

Check run(Device& device, Size size) {
  const auto count = by_size<uint32_t>(size, 64, 4096, 32'768), block = by_size<uint32_t>(size, 32, 128, 128);
  const std::vector<Place> places = make_places(count);
  const Expected expected(places);
  std::vector<uint32_t> bodies(count);
  for (uint32_t i = 0; i < count; ++i) bodies[i] = i;
  const uint32_t cells = expected.cells(bodies, kLevels - 1);

  const Buffer<Place> device_places(device, places, "places");
  const Buffer<uint32_t> children(device, size_t{cells} * 4, "children"),
      used(device, std::vector<uint32_t>{1}, "cells");  // the root is there
  device.launch("insert_bodies", {.grid = {ceil_div(count, block)}, .block = {block}},
                Arguments(device_places.address(), children.address(), used.address(), count, kLevels));
  const std::string wrong = expected.compare(children.download(), 0, bodies, kLevels - 1);
  return all_of({{wrong.empty(), wrong.empty() ? fmt::format("tree of {} bodies: right", count) : wrong},
                 compare("cells", std::vector<uint32_t>{cells}, used.download())});
}

}  // namespace heddle::workloads::treebuild
