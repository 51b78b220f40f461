// What mum and mumpp match: a reference sequence and short reads, as bases 0 to 3, and the check of their
// results, which searches the sorted suffixes of the reference. Made on the host from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads::mum {

constexpr uint8_t kEnd = 4;  // the mark behind the reference; no read holds it
constexpr uint32_t kReadLength = 25, kShortest = 20;
constexpr uint32_t kStarts = kReadLength - kShortest + 1;  // in a read

struct Genome {
  std::vector<uint8_t> reference;  // with the mark at its end
  std::vector<uint8_t> reads;      // kReadLength bases each
  uint32_t read_count() const { return static_cast<uint32_t>(reads.size()) / kReadLength; }
};

struct Match {  // as in the kernels
  int32_t length, position;
};

// Every fourth read or so comes from the reference, without errors; the others come from elsewhere in the genome, and
// stop matching after as many bases as chance gives.
Genome random_genome(uint32_t bases, uint32_t reads);

// The starts of all suffixes in the order of their text, the mark last.
std::vector<int32_t> sorted_suffixes(const std::vector<uint8_t>& reference);

// How many bases the suffix at `position` has in common with the text.
uint32_t common_prefix(const std::vector<uint8_t>& reference, uint32_t position, const uint8_t* text, uint32_t length);

// Lengths must be those of the longest matches; of several places with that text any will do.
Check check_matches(const Genome& genome, const std::vector<int32_t>& suffixes, const std::vector<Match>& matches);

}  // namespace heddle::workloads::mum
