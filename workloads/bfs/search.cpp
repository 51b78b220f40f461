#include <deque>

#include "workloads/bfs/graph.h"

namespace heddle::workloads::bfs {

namespace {

constexpr uint32_t kExpandBlock = 512, kAdvanceBlock = 256;

struct Node {  // as in kernel.cu
  int32_t first_edge, edges;
};

std::vector<Node> nodes_of(const Graph& graph) {
  std::vector<Node> nodes;
  for (uint32_t node = 0; node < graph.nodes(); ++node)
    nodes.push_back({graph.first_edge[node], graph.first_edge[node + 1] - graph.first_edge[node]});
  return nodes;
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

LaunchShape thread_per_node(uint32_t nodes, uint32_t block) {
  return {.grid = {ceil_div(nodes, block)}, .block = {block}};
}

}  // namespace

Check search(Device& device, const Graph& graph, uint32_t source) {
  const uint32_t nodes = graph.nodes();
  std::vector<int32_t> level(nodes, -1);
  level[source] = 0;
  Buffer<Node> device_graph(device, nodes_of(graph), "nodes");
  Buffer<int32_t> edge_target(device, graph.edge_target, "edge targets");
  Buffer<uint8_t> in_frontier(device, only(source, nodes), "frontier");
  Buffer<uint8_t> in_next(device, nodes, "next frontier");
  Buffer<uint8_t> visited(device, only(source, nodes), "visited");
  Buffer<int32_t> device_level(device, level, "levels");
  Buffer<int32_t> any_left(device, 1, "any left");

  for (bool more = true; more; more = any_left.download()[0] != 0) {
    any_left.upload({0});
    device.launch("expand_frontier", thread_per_node(nodes, kExpandBlock),
                  Arguments(device_graph.address(), edge_target.address(), in_frontier.address(), in_next.address(),
                            visited.address(), device_level.address(), nodes));
    device.launch("advance_frontier", thread_per_node(nodes, kAdvanceBlock),
                  Arguments(in_frontier.address(), in_next.address(), visited.address(), any_left.address(), nodes));
  }
  return compare("levels", levels_on_cpu(graph, source), device_level.download());
}

}  // namespace heddle::workloads::bfs
