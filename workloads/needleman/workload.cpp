#include <algorithm>
#include <string>

#include "workloads/support.h"

namespace heddle::workloads::needleman {

namespace {

constexpr int32_t kPenalty = 6;

// A random sequence of bases 0-3, and a relative of it: some bases exchanged, dropped or inserted.
struct Sequences {
  std::vector<uint32_t> one, other;
};

Sequences random_sequences(uint32_t length) {
  Random random(length);
  Sequences sequences;
  for (uint32_t i = 0; i < length; ++i) sequences.one.push_back(random.below(4));
  for (uint32_t i = 0; sequences.other.size() < length; ++i) {
    const uint32_t chance = random.below(20);
    if (chance == 0) continue;
    if (chance == 1) sequences.other.push_back(random.below(4));
    sequences.other.push_back(chance <= 4 || i >= length ? random.below(4) : sequences.one[i]);
  }
  sequences.other.resize(length);
  return sequences;
}

// Row by row of `one`. A base is likelier to become the other of its kind (A and G, C and T: numbers that
// differ by two) than one of the other kind.
std::vector<int32_t> similarity_of(const Sequences& sequences) {
  std::vector<int32_t> similarity;
  similarity.reserve(sequences.one.size() * sequences.other.size());
  for (const uint32_t a : sequences.one)
    for (const uint32_t b : sequences.other) similarity.push_back(a == b ? 5 : (a ^ b) == 2 ? -1 : -4);
  return similarity;
}

// Row 0 and column 0 are alignments with nothing.
std::vector<int32_t> empty_scores(uint32_t length) {
  const size_t pitch = length + 1;
  std::vector<int32_t> scores(pitch * pitch);
  for (uint32_t i = 0; i <= length; ++i) scores[i] = scores[i * pitch] = -kPenalty * static_cast<int32_t>(i);
  return scores;
}

std::vector<int32_t> align_on_cpu(const std::vector<int32_t>& similarity, uint32_t length) {
  const size_t pitch = length + 1;
  std::vector<int32_t> scores = empty_scores(length);
  for (size_t y = 1; y <= length; ++y)
    for (size_t x = 1; x <= length; ++x) {
      int32_t* at = &scores[y * pitch + x];
      const int32_t matched = at[-1 - ptrdiff_t(pitch)] + similarity[(y - 1) * length + x - 1];
      *at = std::max({matched, at[-1] - kPenalty, at[-ptrdiff_t(pitch)] - kPenalty});
    }
  return scores;
}

Check align(Device& device, uint32_t tile, uint32_t tiles) {
  const uint32_t length = tile * tiles;
  const std::string suffix = "_" + std::to_string(tile), name = "scores by tiles of " + std::to_string(tile);
  const std::vector<int32_t> similarity = similarity_of(random_sequences(length));
  Buffer<int32_t> device_similarity(device, similarity, "similarity" + suffix);
  Buffer<int32_t> scores(device, empty_scores(length), "scores" + suffix);

  const Arguments arguments(Struct(device.pointer_bytes())
                                .pointer(device_similarity.address())
                                .pointer(scores.address())
                                .value(length)
                                .value(kPenalty));
  for (uint32_t diagonal = 1; diagonal <= tiles; ++diagonal)
    device.launch("upper_left" + suffix, {.grid = {diagonal}, .block = {tile}}, arguments);
  for (uint32_t diagonal = tiles - 1; diagonal > 0; --diagonal)
    device.launch("lower_right" + suffix, {.grid = {diagonal}, .block = {tile}}, arguments);
  return compare(name, align_on_cpu(similarity, length), scores.download());
}

}  // namespace

Check run(Device& device, Size size) {
  return all_of({align(device, 16, by_size(size, 3u, 20u, 96u)), align(device, 32, by_size(size, 2u, 10u, 48u))});
}

}  // namespace heddle::workloads::needleman
