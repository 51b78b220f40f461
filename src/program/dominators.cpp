// Dominators and post-dominators, function by function.
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>

#include "program/analysis.h"
#include "program/dominator_tree.h"

namespace heddle {

std::vector<int32_t> immediate_dominators(const std::vector<std::vector<uint32_t>>& next, uint32_t root) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  Graph graph(next.size());
  for (uint32_t from = 0; from < next.size(); ++from)
    for (uint32_t to : next[from]) boost::add_edge(from, to, graph);
  const size_t none = boost::graph_traits<Graph>::null_vertex();
  std::vector<size_t> parents(next.size(), none);
  auto map = boost::make_iterator_property_map(parents.begin(), boost::get(boost::vertex_index, graph));
  boost::lengauer_tarjan_dominator_tree(graph, root, map);
  std::vector<int32_t> result(parents.size(), -1);
  for (size_t i = 0; i < parents.size(); ++i)
    if (parents[i] != none) result[i] = static_cast<int32_t>(parents[i]);
  return result;
}

namespace {

void dominators_of(Kernel& kernel, uint32_t first, uint32_t count) {
  // Node `count` stands for the function's end.
  std::vector<std::vector<uint32_t>> forward(count + 1), backward(count + 1);
  for (uint32_t i = 0; i < count; ++i) {
    const BasicBlock& block = kernel.blocks[first + i];
    for (uint32_t next : block.successors) {
      forward[i].push_back(next - first);
      backward[next - first].push_back(i);
    }
    if (block.successors.empty()) backward[count].push_back(i);
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
