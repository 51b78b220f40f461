#include <algorithm>

#include "workloads/mum/genome.h"

namespace heddle::workloads::mumpp {

namespace {

using namespace mum;

struct Shared {  // as in kernel.cu
  int32_t with_low, with_high;
};

// How many bases the suffixes at two places have in common is the least of all between neighbours in between,
// so the steps of the search, seen as a tree, are filled from its leaves up.
class SharedTable {
 public:
  SharedTable(const std::vector<uint8_t>& reference, const std::vector<int32_t>& suffixes)
      : with_next_(suffixes.size() - 1), table_(suffixes.size()) {
    const auto bases = static_cast<uint32_t>(reference.size());
    for (size_t i = 0; i < with_next_.size(); ++i) {
      const auto a = static_cast<uint32_t>(suffixes[i]), b = static_cast<uint32_t>(suffixes[i + 1]);
      with_next_[i] = static_cast<int32_t>(common_prefix(reference, a, &reference[b], bases - std::max(a, b)));
    }
    fill(0, static_cast<int32_t>(suffixes.size()) - 1);
  }
  std::vector<Shared> take() { return std::move(table_); }

 private:
  int32_t fill(int32_t low, int32_t high) {
    if (high - low == 1) return with_next_[low];
    const int32_t middle = (low + high) / 2;
    table_[middle] = {fill(low, middle), fill(middle, high)};
    return std::min(table_[middle].with_low, table_[middle].with_high);
  }

  std::vector<int32_t> with_next_;
  std::vector<Shared> table_;
};

}  // namespace

// Genome and reads are mum's, of these enough for two waves of blocks; the last block has threads to spare.
Check run(Device& device, Size size) {
  const Genome genome = random_genome(by_size(size, 300u, 20'000u, 1'400'000u), by_size(size, 130u, 5'000u, 36'000u));
  const std::vector<int32_t> sorted = sorted_suffixes(genome.reference);
  const uint32_t reads = genome.read_count(), suffix_count = static_cast<uint32_t>(sorted.size());
  Buffer<int32_t> suffixes(device, sorted, "sorted suffixes");
  Buffer<Shared> shared(device, SharedTable(genome.reference, sorted).take(), "shared bases");
  Buffer<uint8_t> reference(device, genome.reference, "reference"), device_reads(device, genome.reads, "reads");
  // No start may be left out: -1 is no length.
  Buffer<Match> matches(device, std::vector<Match>(size_t{reads} * kStarts, {-1, -1}), "matches");
  device.launch("match_reads", {.grid = {ceil_div(reads, 192)}, .block = {192}},
                Arguments(suffixes.address(), shared.address(), reference.address(), suffix_count,
                          device_reads.address(), reads, kReadLength, kShortest, matches.address()));
  return check_matches(genome, sorted, matches.download());
}

}  // namespace heddle::workloads::mumpp
