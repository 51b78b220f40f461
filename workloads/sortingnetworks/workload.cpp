#include <algorithm>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::sortingnetworks {

namespace {

constexpr uint32_t kThreads = 512, kTile = 2 * kThreads;

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;  // key, value

// Keys from a range so narrow that they repeat; the values tell the pairs apart.
Pairs random_pairs(uint32_t count) {
  Random random(1);
  Pairs pairs;
  for (uint32_t value = 0; value < count; ++value) pairs.emplace_back(random.below(count), value);
  return pairs;
}

class Sorter {
 public:
  Sorter(Device& device, const std::string& name, const Pairs& pairs)
      : device_(&device),
        count_(static_cast<uint32_t>(pairs.size())),
        keys_(device, pairs.size(), name + " keys"),
        values_(device, pairs.size(), name + " values") {
    std::vector<uint32_t> keys, values;
    for (auto [key, value] : pairs) {
      keys.push_back(key);
      values.push_back(value);
    }
    keys_.upload(keys);
    values_.upload(values);
  }

  void sort_bitonic() const {
    launch("bitonic_sort_tiles");
    for (uint32_t size = 2 * kTile; size <= count_; size *= 2) {
      for (uint32_t stride = size / 2; stride >= kTile; stride /= 2) launch("bitonic_merge_global", size, stride);
      launch("bitonic_merge_tiles", size);
    }
  }

  void sort_odd_even() const {
    launch("odd_even_sort_tiles");
    for (uint32_t size = 2 * kTile; size <= count_; size *= 2)
      for (uint32_t stride = size / 2; stride > 0; stride /= 2) launch("odd_even_merge_global", size, stride);
  }

  // The keys must be in order; pairs of equal keys may be in any.
  Check check(const std::string& name, Pairs expected) const {
    const std::vector<uint32_t> keys = keys_.download(), values = values_.download();
    Pairs got;
    for (size_t i = 0; i < keys.size(); ++i) got.emplace_back(keys[i], values[i]);
    std::ranges::sort(got);
    std::ranges::sort(expected);
    std::vector<uint32_t> expected_keys, expected_values, got_values;
    for (auto [key, value] : expected) {
      expected_keys.push_back(key);
      expected_values.push_back(value);
    }
    for (auto [key, value] : got) got_values.push_back(value);
    return all_of(
        {compare(name + " keys", expected_keys, keys), compare(name + " values", expected_values, got_values)});
  }

 private:
  template <class... T>
  void launch(std::string_view kernel, T... arguments) const {
    device_->launch(kernel, {.grid = {count_ / kTile}, .block = {kThreads}},
                    Arguments(keys_.address(), values_.address(), arguments...));
  }

  Device* device_;
  uint32_t count_;
  Buffer<uint32_t> keys_, values_;
};

}  // namespace

Check run(Device& device, Size size) {
  const Pairs pairs = random_pairs(by_size(size, 2 * kTile, 16 * kTile, 128 * kTile));
  const Sorter bitonic(device, "bitonic", pairs), odd_even(device, "odd-even", pairs);
  bitonic.sort_bitonic();
  odd_even.sort_odd_even();
  return all_of({bitonic.check("bitonic", pairs), odd_even.check("odd-even", pairs)});
}

}  // namespace heddle::workloads::sortingnetworks
