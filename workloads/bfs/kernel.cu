// Level-synchronous breadth-first search over a graph in compressed rows. One thread per node; a level is
// two kernels, so that the frontier of the next level is only seen by the next launch.

struct Node {
  int first_edge, edges;
};

// Threads whose node is in the frontier walk its edges; the others leave at once. The end of the edges and the level
// are read anew for every edge: a level that is written might be either, as far as a compiler knows.
extern "C" __global__ void expand_frontier(const Node* graph, const int* edge_target, unsigned char* in_frontier,
                                           unsigned char* in_next, const unsigned char* visited, int* level,
                                           int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes && in_frontier[node]) {
    in_frontier[node] = 0;
#pragma unroll 1  // one trip per edge, as its trip count is what diverges
    for (int edge = graph[node].first_edge; edge < graph[node].first_edge + graph[node].edges; ++edge) {
      const int target = edge_target[edge];
      if (!visited[target]) {
        level[target] = level[node] + 1;  // several threads may write here, all the same value
        in_next[target] = 1;
      }
    }
  }
}

// Makes the next level the frontier, and tells the host whether there is one.
extern "C" __global__ void advance_frontier(unsigned char* in_frontier, unsigned char* in_next,
                                            unsigned char* visited, int* any_left, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes && in_next[node]) {
    in_frontier[node] = 1;
    visited[node] = 1;
    in_next[node] = 0;
    *any_left = 1;
  }
}
