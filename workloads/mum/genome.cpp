#include "workloads/mum/genome.h"

#include <algorithm>
#include <numeric>

namespace heddle::workloads::mum {

namespace {

constexpr uint32_t kReadsFromReference = 268;  // of a thousand: the papers' reference is that part of its genome

// A, C, G and T in the shares of the bacterium that the papers' program came with, Bacillus anthracis.
uint8_t random_base(Random& random) {
  const uint32_t place = random.below(1000);
  return place < 332 ? 0 : place < 332 + 153 ? 1 : place < 332 + 153 + 210 ? 2 : 3;
}

// Genomes repeat themselves: every now and then comes a stretch that was there before.
std::vector<uint8_t> random_reference(Random& random, uint32_t bases) {
  std::vector<uint8_t> reference;
  while (reference.size() < bases) {
    const bool repeat = reference.size() > 200 && random.below(200) == 0;
    const uint32_t from = repeat ? random.below(static_cast<uint32_t>(reference.size()) - 100) : 0;
    for (uint32_t i = 0; i < (repeat ? 100u : 1u); ++i)
      reference.push_back(repeat ? reference[from + i] : random_base(random));
  }
  reference.resize(bases);
  reference.push_back(kEnd);
  return reference;
}

void add_read(Random& random, Genome& genome) {
  const bool from_reference = random.below(1000) < kReadsFromReference;
  const uint32_t from = random.below(static_cast<uint32_t>(genome.reference.size()) - kReadLength);
  for (uint32_t i = 0; i < kReadLength; ++i)
    genome.reads.push_back(from_reference ? genome.reference[from + i] : random_base(random));
}

uint32_t longest_match(const Genome& genome, const std::vector<int32_t>& suffixes, const uint8_t* text,
                       uint32_t length) {
  const auto end = genome.reference.end();
  const auto place = std::ranges::partition_point(suffixes, [&](int32_t suffix) {
    return std::lexicographical_compare(genome.reference.begin() + suffix, end, text, text + length);
  });
  // The best match stands next to where the text would stand itself.
  uint32_t longest = 0;
  if (place != suffixes.end()) longest = common_prefix(genome.reference, *place, text, length);
  if (place != suffixes.begin())
    longest = std::max(longest, common_prefix(genome.reference, *(place - 1), text, length));
  return longest;
}

}  // namespace

Genome random_genome(uint32_t bases, uint32_t reads) {
  Random random(1);
  Genome genome{random_reference(random, bases), {}};
  for (uint32_t i = 0; i < reads; ++i) add_read(random, genome);
  return genome;
}

std::vector<int32_t> sorted_suffixes(const std::vector<uint8_t>& reference) {
  std::vector<int32_t> suffixes(reference.size());
  std::iota(suffixes.begin(), suffixes.end(), 0);
  std::ranges::sort(suffixes, [&](int32_t a, int32_t b) {
    return std::lexicographical_compare(reference.begin() + a, reference.end(), reference.begin() + b, reference.end());
  });
  return suffixes;
}

uint32_t common_prefix(const std::vector<uint8_t>& reference, uint32_t position, const uint8_t* text, uint32_t length) {
  uint32_t common = 0;
  while (common < length && reference[position + common] == text[common]) ++common;
  return common;
}

Check check_matches(const Genome& genome, const std::vector<int32_t>& suffixes, const std::vector<Match>& matches) {
  std::vector<uint32_t> expected, got, at_position;
  for (uint32_t i = 0; i < matches.size(); ++i) {
    const uint8_t* text = &genome.reads[i / kStarts * kReadLength + i % kStarts];
    const uint32_t length = kReadLength - i % kStarts;
    const uint32_t longest = longest_match(genome, suffixes, text, length);
    expected.push_back(longest >= kShortest ? longest : 0);
    got.push_back(static_cast<uint32_t>(matches[i].length));
    const bool inside = matches[i].position >= 0 && matches[i].position < static_cast<int32_t>(suffixes.size());
    at_position.push_back(
        expected[i] == 0 || !inside ? 0 : common_prefix(genome.reference, matches[i].position, text, length));
  }
  return all_of({compare("match lengths", expected, got), compare("bases at the match", expected, at_position)});
}

}  // namespace heddle::workloads::mum
