// The flow of one function as a compiler that places convergence barriers sees it: loops have one latch, and leave by
// a block of their own where several ways lead to the block behind them. Nodes that stand for no block are empty.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class FlowShape {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = ~Node{0};
  struct Loop {  // with one entry
    Node header = 0;
    std::vector<bool> body;  // by node
    Node exit = kNone,
         exit_from = kNone;  // the way out that most take: that of the last latch, of the header, the last
  };

  // By block: where it goes, a branch's taken way first. Block 0 is the entry, and reaches all others.
  explicit FlowShape(std::vector<std::vector<Node>> next);

  Node size() const { return static_cast<Node>(next_.size()); }
  Node blocks() const { return blocks_; }  // the nodes before this one
  const std::vector<Node>& next(Node node) const { return next_[node]; }
  const std::vector<Node>& before(Node node) const { return before_[node]; }
  const std::vector<Loop>& loops() const { return loops_; }

  bool is_back(Node from, Node to) const;  // an edge back to a node that is still being visited
  bool reaches(Node from, Node to) const { return reach_[from][to]; }     // by one forward edge or more
  bool dominates(Node above, Node below) const;                           // itself too
  Node post_dominator(Node node) const { return post_dominator_[node]; }  // kNone: the end
  unsigned order(Node node) const { return order_[node]; }                // reverse post-order, from 0
  bool has_several_entries(Node node) const { return tangled_[node]; }    // part of a loop that has
  // Does the compiler put this block directly behind that one?
  bool follows(Node block, Node other) const;
  const Loop* loop_at(Node header) const;

 private:
  void analyse();
  void visit(Node node);
  void find_dominators();
  void find_loops();
  void find_exit(Loop& loop) const;
  void find_tangles();
  void join_latches();
  void give_loops_exits();
  void lead_over_new(const std::vector<Node>& from, Node to);

  Node blocks_;
  std::vector<std::vector<Node>> next_, before_;
  std::vector<std::vector<bool>> back_;  // by node and way
  std::vector<std::vector<bool>> reach_;
  std::vector<Node> dominator_, post_dominator_, by_order_;
  std::vector<unsigned> order_, place_;  // place_: by block, among the blocks
  std::vector<uint8_t> visited_;         // 0 not yet, 1 under way, 2 done
  std::vector<Loop> loops_;
  std::vector<bool> tangled_;
};

}  // namespace heddle
