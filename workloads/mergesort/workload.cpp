#include <algorithm>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::mergesort {

namespace {

constexpr uint32_t kMostBuckets = 1024, kBins = 1024, kSplit = 512;  // as in kernel.cu; kSplit: keys of a block

// Between 0 and 1, denser in the middle, and every eighth key one of a few values that come again and again.
std::vector<float> random_keys(uint32_t n) {
  Random random(1);
  std::vector<float> keys(n);
  for (uint32_t i = 0; i < n; ++i) {
    const float unit = random.unit();
    keys[i] = i % 8 == 0 ? 0.001f * static_cast<float>(random.below(1000)) : 0.5f * (unit + random.unit());
  }
  return keys;
}

// Values that cut the histogram into buckets of about the same size, straight lines within its bins. The first
// pivot is never asked for.
std::vector<float> pivots_of(const std::vector<uint32_t>& bins, uint32_t buckets, uint32_t n) {
  std::vector<float> pivots(kMostBuckets);
  uint32_t bin = 0;
  double below = 0;  // keys in the bins before this one
  for (uint32_t bucket = 1; bucket < buckets; ++bucket) {
    const double wanted = static_cast<double>(n) * bucket / buckets;
    for (; below + bins[bin] < wanted && bin + 1 < kBins; ++bin) below += bins[bin];  // fewer keys: a wrong histogram
    pivots[bucket] = static_cast<float>((bin + (wanted - below) / bins[bin]) / kBins);
  }
  return pivots;
}

struct Buckets {
  Buffer<int32_t> counts, first_group, first_key;
  uint32_t buckets, groups, longest;  // of the longest bucket, in groups of four
};

// The first stage; leaves the keys in `slots`, each bucket filled up to groups of four.
Buckets split(Device& device, const Buffer<float>& keys, const Buffer<float>& slots, uint32_t buckets) {
  const uint32_t n = static_cast<uint32_t>(keys.size());
  const Buffer<uint32_t> bins(device, kBins, "histogram");
  const LaunchShape per_key{.grid = {ceil_div(n, 128)}, .block = {128}};
  device.launch("histogram", {.grid = {std::min(ceil_div(n, 512), 60u)}, .block = {128}},
                Arguments(keys.address(), bins.address(), n));
  const Buffer<float> pivots(device, pivots_of(bins.download(), buckets, n), "pivots");
  const uint32_t blocks = ceil_div(n, kSplit);
  const Buffer<int32_t> block_counts(device, size_t{blocks} * buckets, "bucket sizes by block");
  const Buffer<int32_t> bucket_of(device, n, "bucket of key"), rank_of(device, n, "rank of key");
  Buckets all{{device, kMostBuckets, "bucket sizes"},
              {device, kMostBuckets, "first groups"},
              {device, kMostBuckets, "first keys"},
              buckets,
              0,
              0};
  device.launch("count_buckets", {.grid = {blocks}, .block = {128}},
                Arguments(keys.address(), pivots.address(), bucket_of.address(), rank_of.address(),
                          block_counts.address(), buckets, n));
  device.launch("offset_blocks", {.grid = {ceil_div(buckets, 128)}, .block = {128}},
                Arguments(block_counts.address(), all.counts.address(), buckets, blocks));
  device.launch("place_buckets", {.grid = {1}, .block = {256}},
                Arguments(all.counts.address(), all.first_group.address(), all.first_key.address()));
  device.launch("fill_buckets", per_key,
                Arguments(keys.address(), bucket_of.address(), rank_of.address(), block_counts.address(),
                          all.first_group.address(), slots.address(), buckets, n));
  device.launch("pad_buckets", {.grid = {ceil_div(buckets, 128)}, .block = {128}},
                Arguments(all.counts.address(), all.first_group.address(), slots.address(), buckets));
  for (int32_t count : all.counts.download()) {
    all.groups += ceil_div(count, 4);
    all.longest = std::max(all.longest, ceil_div(count, 4));
  }
  return all;
}

// The second stage: passes over all buckets until the longest is one run.
void merge(Device& device, const Buckets& all, Buffer<float>& slots, Buffer<float>& other) {
  device.launch("sort_groups", {.grid = {ceil_div(all.groups, 256)}, .block = {256}},
                Arguments(slots.address(), all.groups));
  for (uint32_t run = 1; run < all.longest; run *= 2) {
    const uint32_t pairs = ceil_div(all.longest, 2 * run);
    device.launch("merge_pass", {.grid = {ceil_div(all.buckets * pairs, 256)}, .block = {256}},
                  Arguments(slots.address(), other.address(), all.counts.address(), all.first_group.address(),
                            all.buckets, run, pairs));
    std::swap(slots, other);
  }
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t n = by_size(size, 611u, 24'001u, 300'007u), buckets = by_size(size, 16u, 128u, 1024u);
  std::vector<float> sorted = random_keys(n);
  const Buffer<float> keys(device, sorted, "keys"), result(device, n, "sorted keys");
  Buffer<float> slots(device, n + 3 * buckets, "buckets"), other(device, n + 3 * buckets, "merged buckets");

  const Buckets all = split(device, keys, slots, buckets);
  merge(device, all, slots, other);
  device.launch("pack", {.grid = {buckets}, .block = {256}},
                Arguments(slots.address(), all.counts.address(), all.first_group.address(), all.first_key.address(),
                          result.address()));
  std::sort(sorted.begin(), sorted.end());
  return compare("sorted keys", sorted, result.download());
}

}  // namespace heddle::workloads::mergesort
