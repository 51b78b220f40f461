// The blocks of one function as a graph whose nodes can be copied.
//
// Life cycle: the constructor takes the blocks that the function's first reaches. free_early_exits() and
// make_reducible() copy nodes, all of which the entry reaches; after that every loop has one entry, and structure.cpp
// puts the nodes in order.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "program/kernel.h"

namespace heddle {

class FlowGraph {
 public:
  using NodeId = uint32_t;
  static constexpr NodeId kNone = ~NodeId{0};
  struct Node {
    uint32_t block = 0;
    std::vector<NodeId> next;  // in the order of the block's successors
  };

  FlowGraph(const Kernel& kernel, uint32_t function);

  NodeId entry() const { return entry_; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::vector<NodeId> all() const;
  std::vector<std::vector<NodeId>> predecessors() const;
  uint64_t instructions() const;

  // Threads that have nothing left to do but exit do not wait for others that may come to a barrier first, which would
  // wait for them: where they share their way to the exit with these, they get a copy of it.
  void free_early_exits();
  // Copies nodes until every loop has one entry. False: that would make more than `most` instructions.
  bool make_reducible(uint64_t most);

  // Strongly connected parts of `nodes`, as if the edges in `without` were not there.
  using Edges = std::map<std::pair<NodeId, NodeId>, uint32_t>;
  struct Components {
    std::vector<NodeId> of;  // by node; kNone for nodes that are no part
    std::vector<std::vector<NodeId>> members;
    std::vector<bool> loops;  // more than one node, or an edge to itself
  };
  Components components(const std::vector<NodeId>& nodes, const Edges& without = {}) const;
  // Nodes of the component that are reached from outside.
  std::vector<NodeId> entries(const std::vector<NodeId>& component) const;

 private:
  const BasicBlock& block(NodeId id) const { return kernel_.blocks[nodes_[id].block]; }
  bool may_wait(NodeId id) const { return kernel_.may_wait[nodes_[id].block]; }
  uint64_t instructions(const std::vector<NodeId>& nodes) const;
  std::vector<NodeId> reached(const std::vector<NodeId>& from, const std::vector<bool>& within) const;
  std::vector<NodeId> copy(const std::vector<NodeId>& nodes);  // by node: its copy, or kNone
  void free_exit(NodeId branch, size_t way);
  void split(const std::vector<NodeId>& component, const std::vector<NodeId>& entries);
  bool reduce(std::vector<NodeId> nodes, uint64_t most);

  const Kernel& kernel_;
  std::vector<Node> nodes_;
  NodeId entry_ = 0;
};

}  // namespace heddle
