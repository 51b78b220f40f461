// The order of a function's blocks in the structured form, and its loops as intervals of that order.
//
// Loops are contiguous, and all edges but those back to the head of a loop go forward. Among blocks that could come
// next one that cannot lead to a barrier goes first (its threads may be waited for), then the lowest address.
#pragma once

#include <vector>

#include "program/flow_graph.h"
#include "program/structure.h"

namespace heddle {

class StructureLayout {
 public:
  using NodeId = FlowGraph::NodeId;
  struct Loop {
    uint32_t begin = 0, end = 0;  // in the order; end is one past the last
  };

  StructureLayout(const Kernel& kernel, const FlowGraph& graph);  // the graph is reducible

  const std::vector<NodeId>& order() const { return order_; }
  const std::vector<Loop>& loops() const { return loops_; }           // outer before inner
  const FlowGraph::Edges& back_edges() const { return back_edges_; }  // with the index of their loop

 private:
  using Components = FlowGraph::Components;

  const BasicBlock& block(NodeId id) const { return kernel_.blocks[graph_[id].block]; }
  void place(const std::vector<NodeId>& nodes);
  void place_loop(const std::vector<NodeId>& members);
  std::vector<NodeId> latches_of(const std::vector<NodeId>& members, NodeId header) const;
  NodeId first_of(const std::vector<NodeId>& members) const;
  template <class F>
  void for_each_edge_from(const Components& parts, NodeId part, F&& f) const;
  bool waits_inside(const std::vector<NodeId>& members) const;
  void take_exits(Components& parts, NodeId loop) const;
  bool leaves_for_good(const Components& parts, NodeId part, NodeId loop, size_t own) const;

  const Kernel& kernel_;
  const FlowGraph& graph_;
  const std::vector<std::vector<NodeId>> before_;
  std::vector<NodeId> order_;
  std::vector<Loop> loops_;
  FlowGraph::Edges back_edges_;
};

}  // namespace heddle
