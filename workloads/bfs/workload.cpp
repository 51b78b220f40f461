#include "workloads/bfs/graph.h"

namespace heddle::workloads::bfs {

// The smaller node counts are no multiples of the block, so that the last block has threads to spare.
Check run(Device& device, Size size) { return search(device, random_graph(by_size(size, 1200u, 24'000u, 65'536u)), 0); }

}  // namespace heddle::workloads::bfs
