#include "program/flow_graph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <numeric>

#include "base/error.h"

namespace heddle {
namespace {

constexpr uint64_t kShortWay = 64;  // instructions: what is worth a copy

}  // namespace

FlowGraph::FlowGraph(const Kernel& kernel, uint32_t function) : kernel_(kernel) {
  std::vector<NodeId> node_of(kernel.blocks.size(), kNone);
  std::vector<uint32_t> work;
  const auto visit = [&](uint32_t block) {
    if (node_of[block] != kNone) return;
    node_of[block] = size();
    nodes_.push_back({block, {}});
    work.push_back(block);
  };
  visit(kernel.block_of[kernel.functions[function].begin]);
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    for (uint32_t next : kernel.blocks[at].successors) visit(next);
  }
  for (Node& node : nodes_)
    for (uint32_t next : kernel.blocks[node.block].successors) node.next.push_back(node_of[next]);
}

std::vector<FlowGraph::NodeId> FlowGraph::all() const {
  std::vector<NodeId> nodes(nodes_.size());
  std::iota(nodes.begin(), nodes.end(), 0U);
  return nodes;
}

std::vector<std::vector<FlowGraph::NodeId>> FlowGraph::predecessors() const {
  std::vector<std::vector<NodeId>> before(nodes_.size());
  for (NodeId id = 0; id < size(); ++id)
    for (NodeId next : nodes_[id].next) before[next].push_back(id);
  return before;
}

uint64_t FlowGraph::instructions(const std::vector<NodeId>& nodes) const {
  uint64_t sum = 0;
  for (NodeId id : nodes) sum += block(id).end - block(id).begin;
  return sum;
}

uint64_t FlowGraph::instructions() const { return instructions(all()); }

// What can be reached from `from`, inclusive, without leaving `within`.
std::vector<FlowGraph::NodeId> FlowGraph::reached(const std::vector<NodeId>& from,
                                                  const std::vector<bool>& within) const {
  std::vector<bool> seen(nodes_.size());
  std::vector<NodeId> work = from, result;
  while (!work.empty()) {
    const NodeId at = work.back();
    work.pop_back();
    if (!within[at] || seen[at]) continue;
    seen[at] = true;
    result.push_back(at);
    work.insert(work.end(), nodes_[at].next.begin(), nodes_[at].next.end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Edges among the copied nodes are copied with them, others still go to where they went.
std::vector<FlowGraph::NodeId> FlowGraph::copy(const std::vector<NodeId>& nodes) {
  std::vector<NodeId> copy_of(nodes_.size(), kNone);
  for (NodeId id : nodes) {
    copy_of[id] = size();
    nodes_.push_back(Node(nodes_[id]));
  }
  for (NodeId id : nodes)
    for (NodeId& next : nodes_[copy_of[id]].next)
      if (copy_of[next] != kNone) next = copy_of[next];
  return copy_of;
}

void FlowGraph::free_early_exits() {
  if (nodes_.empty() || block(entry_).function != 0) return;
  for (NodeId id = 0, count = size(); id < count; ++id) {
    const std::vector<NodeId> next = nodes_[id].next;
    const bool waits = std::any_of(next.begin(), next.end(), [&](NodeId to) { return may_wait(to); });
    if (next.size() < 2 || !waits || kernel_.reconvergence[block(id).end - 1] != kNoPc) continue;
    for (size_t way = 0; way < next.size(); ++way)
      if (!may_wait(next[way])) free_exit(id, way);
  }
}

// Copied is what others reach too, no more: a node whose copy has taken all its predecessors would be left unreachable.
void FlowGraph::free_exit(NodeId branch, size_t way) {
  const NodeId first = nodes_[branch].next[way];
  const std::vector<NodeId> nodes = reached({first}, std::vector<bool>(nodes_.size(), true));
  std::vector<bool> ahead(nodes_.size());
  for (NodeId id : nodes) ahead[id] = true;
  std::vector<NodeId> entered;  // by others
  for (NodeId id = 0; id < size(); ++id)
    for (size_t i = 0; i < nodes_[id].next.size(); ++i)
      if (!ahead[id] && (id != branch || i != way)) entered.push_back(nodes_[id].next[i]);
  const std::vector<NodeId> shared = reached(entered, ahead);
  if (instructions(shared) > kShortWay) return;
  const std::vector<NodeId> copy_of = copy(shared);
  const auto redirect = [&](NodeId& next) {
    if (copy_of[next] != kNone) next = copy_of[next];
  };
  redirect(nodes_[branch].next[way]);
  for (NodeId id : nodes)
    if (copy_of[id] == kNone)
      for (NodeId& next : nodes_[id].next) redirect(next);
}

FlowGraph::Components FlowGraph::components(const std::vector<NodeId>& nodes, const Edges& without) const {
  Components result;
  result.of.assign(nodes_.size(), kNone);
  if (nodes.empty()) return result;
  std::vector<NodeId> local(nodes_.size(), kNone);
  for (size_t i = 0; i < nodes.size(); ++i) local[nodes[i]] = static_cast<NodeId>(i);
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(nodes.size());
  std::vector<bool> to_itself(nodes.size());
  for (NodeId id : nodes)
    for (NodeId next : nodes_[id].next)
      if (local[next] != kNone && !without.contains({id, next})) {
        boost::add_edge(local[id], local[next], graph);
        if (id == next) to_itself[local[id]] = true;
      }
  std::vector<NodeId> of(nodes.size());
  const auto map = boost::make_iterator_property_map(of.begin(), boost::get(boost::vertex_index, graph));
  result.members.resize(boost::strong_components(graph, map));
  result.loops.resize(result.members.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    result.of[nodes[i]] = of[i];
    result.members[of[i]].push_back(nodes[i]);
    result.loops[of[i]] = to_itself[i] || result.members[of[i]].size() > 1;
  }
  return result;
}

std::vector<FlowGraph::NodeId> FlowGraph::entries(const std::vector<NodeId>& component) const {
  std::vector<bool> inside(nodes_.size()), entered(nodes_.size());
  for (NodeId id : component) inside[id] = true;
  entered[entry_] = true;
  for (NodeId id = 0; id < size(); ++id)
    if (!inside[id])
      for (NodeId next : nodes_[id].next) entered[next] = true;
  std::vector<NodeId> result;
  for (NodeId id : component)
    if (entered[id]) result.push_back(id);
  return result;
}

bool FlowGraph::make_reducible(uint64_t most) { return reduce(all(), most); }

bool FlowGraph::reduce(std::vector<NodeId> nodes, uint64_t most) {
  for (bool changed = true; changed;) {
    changed = false;
    const Components parts = components(nodes);
    for (const std::vector<NodeId>& part : parts.members) {
      const std::vector<NodeId> entered = part.size() > 1 ? entries(part) : part;
      if (entered.size() < 2) continue;
      const NodeId before = size();
      split(part, entered);
      for (NodeId id = before; id < size(); ++id) nodes.push_back(id);
      if (instructions() > most) return false;
      changed = true;
      break;
    }
  }
  const Components parts = components(nodes);
  for (const std::vector<NodeId>& part : parts.members) {
    if (part.size() < 2) continue;
    const std::vector<NodeId> entered = entries(part);
    require(entered.size() == 1, "a loop has not one entry");
    std::vector<NodeId> inner;
    for (NodeId id : part)
      if (id != entered[0]) inner.push_back(id);
    const NodeId before = size();
    if (!reduce(inner, most)) return false;
    for (NodeId id = before; id < size(); ++id) nodes.push_back(id);
  }
  return true;
}

// Keeps one entry. Who enters by another goes through copies until it comes to that one; it is chosen so that there is
// least to copy (the first of several).
void FlowGraph::split(const std::vector<NodeId>& component, const std::vector<NodeId>& entered) {
  std::vector<NodeId> least;
  NodeId kept = kNone;
  for (NodeId header : entered) {
    std::vector<bool> within(nodes_.size());
    for (NodeId id : component) within[id] = id != header;
    const std::vector<NodeId> nodes = reached(entered, within);
    if (kept != kNone && instructions(nodes) >= instructions(least)) continue;
    kept = header;
    least = nodes;
  }
  std::vector<bool> inside(nodes_.size());
  for (NodeId id : component) inside[id] = true;
  const NodeId originals = size();
  const std::vector<NodeId> copy_of = copy(least);
  for (NodeId id = 0; id < originals; ++id)
    if (!inside[id])
      for (NodeId& next : nodes_[id].next)
        if (next != kept && inside[next]) next = copy_of[next];
  if (entry_ != kept && inside[entry_]) entry_ = copy_of[entry_];
}

}  // namespace heddle
