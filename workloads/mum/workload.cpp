#include "workloads/mum/genome.h"
#include "workloads/mum/suffix_tree.h"

namespace heddle::workloads::mum {

// The last block has threads to spare.
Check run(Device& device, Size size) {
  const Genome genome = random_genome(by_size(size, 500u, 20'000u, 1'400'000u), by_size(size, 330u, 7'000u, 50'000u));
  const uint32_t reads = genome.read_count();
  Buffer<Node> tree(device, suffix_tree(genome.reference), "suffix tree");
  Buffer<uint8_t> reference(device, genome.reference, "reference"), device_reads(device, genome.reads, "reads");
  // No start may be left out: -1 is no length.
  Buffer<Match> matches(device, std::vector<Match>(size_t{reads} * kStarts, {-1, -1}), "matches");
  device.launch("match_reads", {.grid = {ceil_div(reads, 256)}, .block = {256}},
                Arguments(tree.address(), reference.address(), device_reads.address(), reads, kReadLength, kShortest,
                          matches.address()));
  return check_matches(genome, sorted_suffixes(genome.reference), matches.download());
}

}  // namespace heddle::workloads::mum
