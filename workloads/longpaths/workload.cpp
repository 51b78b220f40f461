#include <numeric>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::longpaths {

namespace {

constexpr uint32_t kBlock = 64, kLanes = 32, kHops = 8;

// One circle through all places (Sattolo's shuffle), the next place once for each lane.
std::vector<uint32_t> circle(uint32_t places, uint64_t seed) {
  Random random(seed);
  std::vector<uint32_t> next(places), words(size_t{places} * kLanes);
  std::iota(next.begin(), next.end(), 0);
  for (uint32_t i = places - 1; i > 0; --i) std::swap(next[i], next[random.below(i)]);
  for (size_t k = 0; k < words.size(); ++k) words[k] = next[k / kLanes];
  return words;
}

}  // namespace

Check run(Device& device, Size size) {
  const auto blocks = by_size<uint32_t>(size, 1, 30, 120), rounds = by_size<uint32_t>(size, 4, 16, 64);
  const auto places = by_size<uint32_t>(size, 257, 4099, 16'411);
  const std::vector<uint32_t> left = circle(places, 1), right = circle(places, 2);
  std::vector<uint32_t> expected(size_t{blocks} * kBlock);
  for (uint32_t i = 0; i < expected.size(); ++i) {
    uint32_t sum = i;
    for (uint32_t round = 0; round < rounds; ++round) {
      const bool goes_left = sum * 2654435761U >> 31 != 0;
      uint32_t at = (i / kLanes * rounds + round) * 40503U % places;
      for (uint32_t hop = 0; hop < kHops; ++hop) {
        at = (goes_left ? left : right)[size_t{at} * kLanes];
        sum = goes_left ? sum + at : (sum ^ at) * 33;
      }
    }
    expected[i] = sum;
  }
  const Buffer<uint32_t> device_left(device, left, "left"), device_right(device, right, "right"),
      results(device, expected.size(), "results");
  device.launch("follow", {.grid = {blocks}, .block = {kBlock}},
                Arguments(device_left.address(), device_right.address(), results.address(), places, rounds, kHops));
  return compare("results", expected, results.download());
}

}  // namespace heddle::workloads::longpaths
