#include <algorithm>

#include "workloads/support.h"

namespace heddle::workloads::bitonic {

namespace {

constexpr uint32_t kBlock = 256;

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t blocks = by_size(size, 12u, 400u, 1800u);
  Random random(1);
  std::vector<uint32_t> expected(size_t{blocks} * kBlock);
  // Half of the bits of a key are random, so that equal keys occur.
  for (uint32_t& key : expected) key = random.below(1u << 16) << 16 | 0x1234;

  Buffer<uint32_t> keys(device, expected, "keys");
  device.launch("bitonic_sort", {.grid = {blocks}, .block = {kBlock}}, Arguments(keys.address()));
  for (auto at = expected.begin(); at != expected.end(); at += kBlock) std::sort(at, at + kBlock);
  return compare("keys sorted per block", expected, keys.download());
}

}  // namespace heddle::workloads::bitonic
