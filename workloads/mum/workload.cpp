#include <array>

#include "workloads/mum/genome.h"
#include "workloads/mum/suffix_tree.h"

namespace heddle::workloads::mum {

namespace {

constexpr uint8_t kReadEnd = 0;  // as in kernel.cu
constexpr std::array<uint8_t, 5> kLetters = {'A', 'C', 'G', 'T', '$'};

struct Place {  // as in kernel.cu
  int32_t node, on_edge;
};

constexpr Place kNowhere = {-1, 0};

// As base_at in kernel.cu finds it.
std::vector<uint8_t> in_strips(const std::vector<uint8_t>& reference) {
  constexpr size_t kColumns = 65536, kRows = 4;
  std::vector<uint8_t> strips(ceil_div(reference.size(), kColumns * kRows) * kColumns * kRows);
  for (size_t i = 0; i < reference.size(); ++i) {
    const size_t row = i / (kColumns * kRows) * kRows + i % kRows, column = i / kRows % kColumns;
    strips[row * kColumns + column] = kLetters[reference[i]];
  }
  return strips;
}

std::vector<uint8_t> with_marks(const Genome& genome) {
  std::vector<uint8_t> text;
  for (size_t i = 0; i < genome.reads.size(); ++i) {
    text.push_back(kLetters[genome.reads[i]]);
    if (i % kReadLength == kReadLength - 1) text.push_back(kReadEnd);
  }
  return text;
}

// The text of a place, as a piece of the reference; none for what is no place in the tree.
Match match_at(const SuffixTree& tree, Place place) {
  if (place.node < 0 || static_cast<size_t>(place.node) >= tree.nodes.size()) return {0, 0};
  const Node& node = tree.nodes[place.node];
  const int32_t end = tree.depths[place.node], parent = end - (node.label_end - node.label_begin);
  return {place.on_edge == 0 ? end : parent + place.on_edge, node.label_begin - parent};
}

}  // namespace

// The last block has threads to spare.
Check run(Device& device, Size size) {
  const Genome genome = random_genome(by_size(size, 500u, 20'000u, 1'400'000u), by_size(size, 330u, 7'000u, 50'000u));
  const SuffixTree tree = suffix_tree(genome.reference);
  const uint32_t reads = genome.read_count();
  Buffer<Node> nodes(device, tree.nodes, "edges");
  Buffer<Children> children(device, tree.children, "children");
  Buffer<uint8_t> reference(device, in_strips(genome.reference), "reference"),
      texts(device, with_marks(genome), "reads");
  Buffer<Place> places(device, std::vector<Place>(size_t{reads} * kStarts, kNowhere), "places");
  device.launch("match_reads", {.grid = {ceil_div(reads, 256)}, .block = {256}},
                Arguments(nodes.address(), children.address(), reference.address(), texts.address(), reads, kReadLength,
                          kShortest, places.address()));
  std::vector<Match> matches;
  for (const Place place : places.download()) matches.push_back(match_at(tree, place));
  return check_matches(genome, sorted_suffixes(genome.reference), matches);
}

}  // namespace heddle::workloads::mum
