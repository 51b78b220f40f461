// The graphs that bfs and bfspowerlaw search, made on the host from a seed, and the search of one.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads::bfs {

struct Graph {
  std::vector<int32_t> first_edge;  // one more than there are nodes
  std::vector<int32_t> edge_target;
  uint32_t nodes() const { return static_cast<uint32_t>(first_edge.size()) - 1; }
};

// Undirected. As many edges per node as the nodes of graph65536 have, the input that the papers' program came with:
// 1 to 24, six on average. They lead anywhere.
Graph random_graph(uint32_t nodes);

// Undirected, grown by preferential attachment (Barabasi, Albert 1999): a new node is tied three times to an
// end of an edge picked at random, so to nodes in proportion to their degree.
Graph power_law_graph(uint32_t nodes);

// The levels of all nodes by the kernels of bfs, compared with a queue on the CPU.
Check search(Device& device, const Graph& graph, uint32_t source);

}  // namespace heddle::workloads::bfs
