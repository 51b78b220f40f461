#include "workloads/support.h"

namespace heddle::workloads::histogram {

namespace {

constexpr uint32_t kBlock = 256, kBins = 256;

// Bytes like those of a picture: a smooth bump (the mean of two random values) plus a flat region whose
// bytes are all alike, so that some atomics of a warp meet in one bin and most do not.
std::vector<uint32_t> picture(uint32_t words) {
  Random random(1);
  std::vector<uint32_t> values(words);
  for (uint32_t& word : values)
    for (int byte = 0; byte < 4; ++byte) {
      const bool flat = random.below(8) == 0;
      word = word << 8 | (flat ? 200 : (random.below(256) + random.below(256)) / 2);
    }
  return values;
}

std::vector<uint32_t> count_on_cpu(const std::vector<uint32_t>& words) {
  std::vector<uint32_t> bins(kBins);
  for (uint32_t word : words)
    for (int byte = 0; byte < 4; ++byte) ++bins[word >> 8 * byte & 255];
  return bins;
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t blocks = by_size(size, 4u, 120u, 480u);
  const std::vector<uint32_t> picture_words = picture(by_size(size, 10'000u, 1'000'000u, 6'000'000u));
  const uint32_t count = static_cast<uint32_t>(picture_words.size());
  Buffer<uint32_t> words(device, picture_words, "words"), bins(device, kBins, "bins");
  Buffer<uint32_t> block_bins(device, size_t{blocks} * kBins, "bins of each block");

  device.launch("count_bytes", {.grid = {blocks}, .block = {kBlock}},
                Arguments(words.address(), block_bins.address(), count));
  // Few blocks leave little to merge: tiny takes smaller blocks, so that merging does not outweigh counting.
  device.launch("merge_bins", {.grid = {kBins}, .block = {by_size(size, 32u, kBlock, kBlock)}},
                Arguments(block_bins.address(), bins.address(), blocks));
  return compare("bins", count_on_cpu(picture_words), bins.download());
}

}  // namespace heddle::workloads::histogram
