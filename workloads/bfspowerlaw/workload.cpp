#include "workloads/bfs/graph.h"

namespace heddle::workloads::bfspowerlaw {

// From the youngest node, which has few edges. The last block has threads to spare.
Check run(Device& device, Size size) {
  const bfs::Graph graph = bfs::power_law_graph(by_size(size, 800u, 24'000u, 131'000u));
  return bfs::search(device, graph, graph.nodes() - 1);
}

}  // namespace heddle::workloads::bfspowerlaw
