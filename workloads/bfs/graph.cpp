#include "workloads/bfs/graph.h"

#include <array>
#include <utility>

namespace heddle::workloads::bfs {

namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

Graph compressed_rows(uint32_t nodes, const Edges& edges) {
  Graph graph{std::vector<int32_t>(nodes + 1), std::vector<int32_t>(edges.size())};
  for (auto [from, to] : edges) ++graph.first_edge[from + 1];
  for (uint32_t node = 0; node < nodes; ++node) graph.first_edge[node + 1] += graph.first_edge[node];
  std::vector<int32_t> next(graph.first_edge.begin(), graph.first_edge.end() - 1);
  for (auto [from, to] : edges) graph.edge_target[next[from]++] = static_cast<int32_t>(to);
  return graph;
}

void tie(Edges& edges, uint32_t a, uint32_t b) {
  edges.emplace_back(a, b);
  edges.emplace_back(b, a);
}

// So many of the 65536 nodes of graph65536 have 1, 2, ... edges.
constexpr std::array<uint32_t, 24> kNodesByDegree = {638,  2696, 6141, 9516, 11094, 10577, 8827, 6301,
                                                     4224, 2458, 1430, 817,  399,   202,   120,  53,
                                                     22,   11,   6,    0,    0,     2,     1,    1};

uint32_t random_degree(Random& random) {
  uint32_t place = random.below(65'536), degree = 1;
  for (; place >= kNodesByDegree[degree - 1]; ++degree) place -= kNodesByDegree[degree - 1];
  return degree;
}

void shuffle(std::vector<uint32_t>& values, Random& random) {
  for (uint32_t left = static_cast<uint32_t>(values.size()); left > 1; --left)
    std::swap(values[left - 1], values[random.below(left)]);
}

}  // namespace

Graph random_graph(uint32_t nodes) {
  Random random(1);
  std::vector<uint32_t> ends;
  for (uint32_t node = 0; node < nodes; ++node) ends.insert(ends.end(), random_degree(random), node);
  if (ends.size() % 2 != 0) ends.push_back(0);
  shuffle(ends, random);
  Edges edges;
  for (size_t i = 0; i < ends.size(); i += 2) tie(edges, ends[i], ends[i + 1]);
  return compressed_rows(nodes, edges);
}

Graph power_law_graph(uint32_t nodes) {
  Random random(2);
  Edges edges = {{0, 1}, {1, 0}};
  for (uint32_t node = 2; node < nodes; ++node) {
    const uint32_t ends = static_cast<uint32_t>(edges.size());
    for (int i = 0; i < 3; ++i) tie(edges, node, edges[random.below(ends)].first);
  }
  return compressed_rows(nodes, edges);
}

}  // namespace heddle::workloads::bfs
