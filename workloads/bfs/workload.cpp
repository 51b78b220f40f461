#include <deque>
#include <string>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::bfs {

namespace {

struct Graph {
  std::vector<int32_t> first_edge;  // one more than there are nodes
  std::vector<int32_t> edge_target;
  uint32_t nodes() const { return static_cast<uint32_t>(first_edge.size()) - 1; }
};

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

Graph compressed_rows(uint32_t nodes, const Edges& edges) {
  Graph graph{std::vector<int32_t>(nodes + 1), std::vector<int32_t>(edges.size())};
  for (auto [from, to] : edges) ++graph.first_edge[from + 1];
  for (uint32_t node = 0; node < nodes; ++node) graph.first_edge[node + 1] += graph.first_edge[node];
  std::vector<int32_t> next(graph.first_edge.begin(), graph.first_edge.end() - 1);
  for (auto [from, to] : edges) graph.edge_target[next[from]++] = static_cast<int32_t>(to);
  return graph;
}

// Directed, 2 to 10 edges per node to anywhere.
Graph random_graph(uint32_t nodes) {
  Random random(1);
  Edges edges;
  for (uint32_t node = 0; node < nodes; ++node) {
    const int32_t degree = random.between(2, 10);
    for (int32_t i = 0; i < degree; ++i) edges.emplace_back(node, random.below(nodes));
  }
  return compressed_rows(nodes, edges);
}

// Undirected, grown by preferential attachment (Barabasi, Albert 1999): a new node is tied three times to an
// end of an edge picked at random, so to nodes in proportion to their degree.
Graph power_law_graph(uint32_t nodes) {
  Random random(2);
  Edges edges = {{0, 1}, {1, 0}};
  for (uint32_t node = 2; node < nodes; ++node) {
    const uint32_t ends = static_cast<uint32_t>(edges.size());
    for (int tie = 0; tie < 3; ++tie) {
      const uint32_t other = edges[random.below(ends)].first;
      edges.emplace_back(node, other);
      edges.emplace_back(other, node);
    }
  }
  return compressed_rows(nodes, edges);
}

std::vector<int32_t> levels_on_cpu(const Graph& graph, uint32_t source) {
  std::vector<int32_t> level(graph.nodes(), -1);
  level[source] = 0;
  for (std::deque<uint32_t> queue{source}; !queue.empty(); queue.pop_front()) {
    const uint32_t node = queue.front();
    for (int32_t edge = graph.first_edge[node]; edge < graph.first_edge[node + 1]; ++edge) {
      const int32_t target = graph.edge_target[edge];
      if (level[target] >= 0) continue;
      level[target] = level[node] + 1;
      queue.push_back(static_cast<uint32_t>(target));
    }
  }
  return level;
}

std::vector<uint8_t> only(uint32_t source, uint32_t nodes) {
  std::vector<uint8_t> flags(nodes, 0);
  flags[source] = 1;
  return flags;
}

Check search(Device& device, const std::string& name, const Graph& graph, uint32_t source, uint32_t block) {
  const uint32_t nodes = graph.nodes();
  std::vector<int32_t> level(nodes, -1);
  level[source] = 0;
  Buffer<int32_t> first_edge(device, graph.first_edge, name + " first edges");
  Buffer<int32_t> edge_target(device, graph.edge_target, name + " edge targets");
  Buffer<uint8_t> in_frontier(device, only(source, nodes), name + " frontier");
  Buffer<uint8_t> in_next(device, nodes, name + " next frontier");
  Buffer<uint8_t> visited(device, only(source, nodes), name + " visited");
  Buffer<int32_t> device_level(device, level, name + " levels");
  Buffer<int32_t> any_left(device, 1, name + " any left");

  const LaunchShape launch{.grid = {ceil_div(nodes, block)}, .block = {block}};
  for (bool more = true; more; more = any_left.download()[0] != 0) {
    any_left.upload({0});
    device.launch("expand_frontier", launch,
                  Arguments(first_edge.address(), edge_target.address(), in_frontier.address(), in_next.address(),
                            visited.address(), device_level.address(), nodes));
    device.launch("advance_frontier", launch,
                  Arguments(in_frontier.address(), in_next.address(), visited.address(), any_left.address(), nodes));
  }
  return compare(name + " levels", levels_on_cpu(graph, source), device_level.download());
}

}  // namespace

// The node counts are no multiples of the block, so that the last block has threads to spare.
Check run(Device& device, Size size) {
  const Graph random = random_graph(by_size(size, 1200u, 24'000u, 131'000u));
  const Graph power_law = power_law_graph(by_size(size, 800u, 24'000u, 131'000u));
  return all_of({search(device, "random graph", random, 0, 256),
                 search(device, "power-law graph", power_law, power_law.nodes() - 1, 512)});
}

}  // namespace heddle::workloads::bfs
