// Dominators and post-dominators, function by function, by Boost.Graph's Lengauer-Tarjan.
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>

#include "program/analysis.h"

namespace heddle {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

// Immediate dominators of `graph` from `root`; -1 for the root and what it does not reach.
std::vector<int32_t> immediate_dominators(const Graph& graph, size_t root) {
  const size_t none = boost::graph_traits<Graph>::null_vertex();
  std::vector<size_t> parents(boost::num_vertices(graph), none);
  auto map = boost::make_iterator_property_map(parents.begin(), boost::get(boost::vertex_index, graph));
  boost::lengauer_tarjan_dominator_tree(graph, root, map);
  std::vector<int32_t> result(parents.size(), -1);
  for (size_t i = 0; i < parents.size(); ++i)
    if (parents[i] != none) result[i] = static_cast<int32_t>(parents[i]);
  return result;
}

void dominators_of(Kernel& kernel, uint32_t first, uint32_t count) {
  // Vertex `count` stands for the function's end.
  Graph forward(count + 1), backward(count + 1);
  for (uint32_t i = 0; i < count; ++i) {
    const BasicBlock& block = kernel.blocks[first + i];
    for (uint32_t next : block.successors) {
      boost::add_edge(i, next - first, forward);
      boost::add_edge(next - first, i, backward);
    }
    if (block.successors.empty()) boost::add_edge(count, i, backward);
  }
  const auto dominators = immediate_dominators(forward, 0);
  const auto post_dominators = immediate_dominators(backward, count);
  for (uint32_t i = 0; i < count; ++i) {
    BasicBlock& block = kernel.blocks[first + i];
    block.dominator = dominators[i] < 0 ? -1 : static_cast<int32_t>(first) + dominators[i];
    const int32_t post = post_dominators[i];
    block.post_dominator = post < 0 || post == static_cast<int32_t>(count) ? -1 : static_cast<int32_t>(first) + post;
  }
}

}  // namespace

void find_dominators(Kernel& kernel) {
  for (uint32_t first = 0; first < kernel.blocks.size();) {
    uint32_t end = first;
    while (end < kernel.blocks.size() && kernel.blocks[end].function == kernel.blocks[first].function) ++end;
    dominators_of(kernel, first, end - first);
    first = end;
  }
}

bool dominates(const Kernel& kernel, uint32_t above, uint32_t below) {
  for (int32_t at = static_cast<int32_t>(below); at >= 0; at = kernel.blocks[static_cast<size_t>(at)].dominator)
    if (at == static_cast<int32_t>(above)) return true;
  return false;
}

}  // namespace heddle
