#include <fmt/format.h>

#include "workloads/support.h"

namespace heddle::workloads::hashtable {

namespace {

constexpr uint32_t kBlock = 128;

// Keys that repeat; a few of them often.
std::vector<uint32_t> make_keys(uint32_t count, uint32_t bound) {
  Random random(1);
  std::vector<uint32_t> keys(count);
  for (uint32_t& key : keys) key = random.below(8) == 0 ? random.below(8) * (bound / 8) : random.below(bound);
  return keys;
}

uint32_t bucket_of(uint32_t key, uint32_t buckets) { return (key * 2654435761U >> 8) % buckets; }

struct Chains {
  std::vector<uint32_t> heads, nexts, counts;
};

// Every key is in the chain of its own bucket, once, and nothing else is.
Check check_chains(const Chains& chains, const std::vector<uint32_t>& keys, const std::vector<uint32_t>& expected) {
  std::vector<uint32_t> counted(expected.size());
  size_t nodes = 0;
  const auto buckets = static_cast<uint32_t>(chains.heads.size());
  for (uint32_t bucket = 0; bucket < buckets; ++bucket)
    for (uint32_t node = chains.heads[bucket]; node != 0; node = chains.nexts[node - 1]) {
      if (node > keys.size() || ++nodes > keys.size())
        return {false, fmt::format("the chain of bucket {} leads nowhere", bucket)};
      const uint32_t key = keys[node - 1];
      if (bucket_of(key, buckets) != bucket) return {false, fmt::format("key {} is in bucket {}", key, bucket)};
      if (counted[key] != 0) return {false, fmt::format("key {} is there twice", key)};
      counted[key] = chains.counts[node - 1];
    }
  return compare("chains", expected, counted);
}

}  // namespace

Check run(Device& device, Size size) {
  const auto count = by_size<uint32_t>(size, 96, 8192, 65'536), bound = count / 2;
  const auto buckets = by_size<uint32_t>(size, 64, 1024, 4096), block = by_size(size, 32U, kBlock, kBlock);
  const std::vector<uint32_t> keys = make_keys(count, bound);
  std::vector<uint32_t> expected(bound);
  for (uint32_t key : keys) ++expected[key];

  const Buffer<uint32_t> locks(device, buckets, "locks"), heads(device, buckets, "heads"),
      nexts(device, count, "nexts"), counts(device, count, "counts"), device_keys(device, keys, "keys"),
      found(device, bound, "found");
  const Struct table = Struct(device.pointer_bytes())
                           .pointer(locks.address())
                           .pointer(heads.address())
                           .pointer(nexts.address())
                           .pointer(counts.address())
                           .pointer(device_keys.address())
                           .value(buckets);
  constexpr uint32_t kPerThread = 2;
  device.launch("insert_keys", {.grid = {ceil_div(count, kPerThread * block)}, .block = {block}},
                Arguments(table, count));
  device.launch("look_up", {.grid = {ceil_div(bound, block)}, .block = {block}},
                Arguments(table, found.address(), bound));
  return all_of({check_chains({heads.download(), nexts.download(), counts.download()}, keys, expected),
                 compare("found", expected, found.download()),
                 compare("locks", std::vector<uint32_t>(buckets), locks.download())});
}

}  // namespace heddle::workloads::hashtable
