#include <algorithm>

#include "workloads/support.h"

namespace heddle::workloads::bucketsort {

namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kLargestKey = 15'000'000;

// Keys around the middle are twice as common as on average, as those of a sum of two dice are.
std::vector<uint32_t> random_keys(uint32_t n) {
  Random random(1);
  std::vector<uint32_t> keys(n);
  for (uint32_t& key : keys) key = random.below(kLargestKey / 2) + random.below(kLargestKey / 2);
  return keys;
}

}  // namespace

// About 13 keys to a bucket on average, few at both ends; neither keys nor buckets are a multiple of 256.
Check run(Device& device, Size size) {
  const uint32_t n = by_size(size, 3000u, 98'000u, 391'000u);
  const uint32_t shift = by_size(size, 16u, 11u, 9u);
  const uint32_t buckets = (kLargestKey >> shift) + 1;
  std::vector<uint32_t> keys = random_keys(n);
  Buffer<uint32_t> device_keys(device, keys, "keys"), moved(device, n, "moved keys");
  Buffer<int32_t> counts(device, buckets, "counts"), begins(device, buckets + 1, "begins");
  Buffer<int32_t> cursors(device, buckets, "cursors");

  const LaunchShape by_key{.grid = {ceil_div(n, kThreads)}, .block = {kThreads}};
  const LaunchShape by_bucket{.grid = {ceil_div(buckets, kThreads)}, .block = {kThreads}};
  device.launch("count_keys", by_key, Arguments(device_keys.address(), counts.address(), shift, n));
  device.launch("sum_counts", {.grid = {1}, .block = {kThreads}},
                Arguments(counts.address(), begins.address(), cursors.address(), buckets));
  device.launch("move_keys", by_key, Arguments(device_keys.address(), cursors.address(), moved.address(), shift, n));
  device.launch("sort_buckets", by_bucket, Arguments(begins.address(), moved.address(), buckets));
  std::ranges::sort(keys);
  return compare("sorted keys", keys, moved.download());
}

}  // namespace heddle::workloads::bucketsort
