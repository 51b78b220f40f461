// Where the assembler has the threads of a function's branches meet: rules found in its code (docs/mechanisms.md).
#pragma once

#include <vector>

#include "program/barriers.h"
#include "program/flow_shape.h"

namespace heddle {

// The joins of one function's branches.
class JoinPlacement {
 public:
  using Node = FlowShape::Node;
  static constexpr Node kNone = FlowShape::kNone;
  struct Join {
    BarrierPlan::Kind kind;
    Node at, set_by;
  };

  // By block: may its threads part at its end, may they wait for others behind it, and is it nothing but an exit?
  JoinPlacement(const FlowShape& shape, std::vector<bool> parts, std::vector<bool> waits, std::vector<bool> ends);

  const std::vector<Join>& joins() const { return joins_; }
  bool leaves(const Join& join, Node from, Node to) const;

 private:
  struct Region {
    Node branch, join;
    std::vector<bool> nodes;
  };

  template <class F>
  void for_each_branch(F&& f) const {
    for (Node node = 0; node < shape_.blocks(); ++node)
      if (parts_[node] && shape_.next(node).size() > 1) f(node);
  }
  void add(BarrierPlan::Kind kind, Node at, Node set_by) {
    if (at != kNone && !holds_up(set_by, at)) joins_.push_back({kind, at, set_by});
  }
  // Nobody waits for others only to leave, if these may be waiting for him (convergence.cpp).
  bool holds_up(Node branch, Node at) const {
    return at < shape_.blocks() && ends_[at] && branch < shape_.blocks() && waits_[branch];
  }
  template <class F>
  void for_each_forward(Node node, F&& f) const {
    for (Node to : shape_.next(node))
      if (!shape_.is_back(node, to)) f(to);
  }
  bool is_in_loop_of(Node header, Node node) const {
    const FlowShape::Loop* loop = shape_.loop_at(header);
    return loop && loop->body[node];
  }
  // Nodes from `from` on, by forward edges, before `end`.
  std::vector<bool> region(const std::vector<Node>& from, Node end) const;
  bool belongs(Node branch, const std::vector<bool>& nodes) const {
    for (Node node = 0; node < shape_.size(); ++node)
      if (nodes[node] && !shape_.dominates(branch, node)) return false;
    return true;
  }

  Node post_of(Node branch) const;
  bool goes_round(Node branch, Node post) const;
  bool serves(Node branch) const;
  bool is_wanted(Node branch) const;
  bool has_exit(const FlowShape::Loop& loop) const {
    return loop.exit != kNone && (shape_.dominates(loop.header, loop.exit) || is_in_loop_of(loop.exit, loop.header));
  }
  bool is_side_exit(Node from, Node to) const;
  std::vector<Node> last_meetings(const std::vector<bool>& nodes) const;
  void add_extras(Node post, const std::vector<Node>& branches);
  std::vector<Region> regions_before(Node last, const std::vector<bool>& nodes,
                                     const std::vector<Node>& branches) const;

  const FlowShape& shape_;
  const std::vector<bool> parts_, waits_, ends_;
  std::vector<Node> post_;  // by branch
  std::vector<Join> joins_;
};

}  // namespace heddle
