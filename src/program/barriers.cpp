#include "program/barriers.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "program/analysis.h"
#include "program/flow_shape.h"
#include "program/join_placement.h"

namespace heddle {
namespace {

using Node = FlowShape::Node;
constexpr Node kNone = FlowShape::kNone;

// A block that does nothing but jump, and that one other leads to: no compiler keeps it.
bool only_jumps(const Kernel& kernel, const BasicBlock& block) {
  return block.end - block.begin == 1 && kernel.code[block.begin].op == Op::Bra &&
         !kernel.code[block.begin].guarded() && block.predecessors.size() == 1;
}

// One function at a time, added to the plan.
class FunctionPlan {
 public:
  FunctionPlan(const Kernel& kernel, BarrierPlan& plan, uint32_t entry) : kernel_(kernel), plan_(plan) {
    number(entry);
    for (size_t i = 0; i < blocks_.size(); ++i)
      for (uint32_t to : ways_of(blocks_[i])) number(behind(to));
  }

  void place() {
    std::vector<std::vector<Node>> next(blocks_.size());
    std::vector<bool> parts(blocks_.size()), waits(blocks_.size()), ends(blocks_.size());
    for (Node node = 0; node < blocks_.size(); ++node) {
      for (uint32_t to : ways_of(blocks_[node])) {
        const Node way = local_.at(behind(to));
        if (std::count(next[node].begin(), next[node].end(), way) == 0) next[node].push_back(way);
      }
      const BasicBlock& block = kernel_.blocks[blocks_[node]];
      parts[node] = kernel_.may_diverge(block.end - 1);
      waits[node] = std::any_of(block.successors.begin(), block.successors.end(),
                                [&](uint32_t to) { return kernel_.may_wait[to]; });
      ends[node] = kernel_.code[block.begin].op == Op::Exit;
    }
    const FlowShape shape(std::move(next));
    const JoinPlacement placement(shape, std::move(parts), std::move(waits), std::move(ends));
    for (Node node = shape.blocks(); node < shape.size(); ++node) {
      blocks_.push_back(static_cast<uint32_t>(plan_.nodes.size()));
      plan_.nodes.emplace_back();
    }
    add_joins(placement);
    for (Node node = 0; node < shape.size(); ++node) add_edges(shape, placement, node);
    for (Node node = 0; node < shape.blocks(); ++node) choose_first(shape, node);
  }

 private:
  // A branch's taken way first.
  std::vector<uint32_t> ways_of(uint32_t block) const {
    const std::vector<uint32_t>& successors = kernel_.blocks[block].successors;
    return {successors.rbegin(), successors.rend()};
  }
  // Where a block that only jumps leads to, unless another way of the branch in front leads there too.
  uint32_t behind(uint32_t block) const {
    if (!only_jumps(kernel_, kernel_.blocks[block])) return block;
    const uint32_t target = kernel_.blocks[block].successors[0];
    for (uint32_t other : kernel_.blocks[kernel_.blocks[block].predecessors[0]].successors)
      if (other != block && (other == target || (only_jumps(kernel_, kernel_.blocks[other]) &&
                                                 kernel_.blocks[other].successors[0] == target)))
        return block;
    return target;
  }
  void number(uint32_t block) {
    if (local_.emplace(block, static_cast<Node>(blocks_.size())).second) blocks_.push_back(block);
  }

  void add_joins(const JoinPlacement& placement) {
    first_join_ = static_cast<uint32_t>(plan_.joins.size());
    for (const JoinPlacement::Join& join : placement.joins()) {
      plan_.nodes[blocks_[join.set_by]].sets.push_back(static_cast<uint32_t>(plan_.joins.size()));
      plan_.nodes[blocks_[join.at]].joins = true;
      plan_.joins.push_back({join.kind, blocks_[join.at], blocks_[join.set_by]});
    }
  }

  std::vector<uint32_t> leaves(const JoinPlacement& placement, Node from, Node to) const {
    std::vector<uint32_t> left;
    for (size_t i = 0; i < placement.joins().size(); ++i)
      if (placement.leaves(placement.joins()[i], from, to)) left.push_back(first_join_ + static_cast<uint32_t>(i));
    return left;
  }

  void add_edges(const FlowShape& shape, const JoinPlacement& placement, Node from) {
    std::vector<BarrierPlan::Edge>& edges = plan_.nodes[blocks_[from]].edges;
    if (from >= shape.blocks()) {
      const Node to = shape.next(from)[0];
      edges.push_back({blocks_[to], blocks_[to], leaves(placement, from, to)});
      return;
    }
    for (uint32_t block : ways_of(blocks_[from])) {
      const Node target = local_.at(behind(block));
      Node first = kNone;  // on the way: itself, or a node without a block
      for (Node to : shape.next(from))
        if (to == target || (to >= shape.blocks() && leads_to(shape, to, target))) first = to;
      require(first != kNone, "a way of the flow graph is lost");
      std::vector<uint32_t> left = leaves(placement, from, first);
      if (block == blocks_[target]) {
        edges.push_back({block, blocks_[first], std::move(left)});
      } else {  // over a block that only jumps
        edges.push_back({block, block, std::move(left)});
        plan_.nodes[block].edges.push_back({blocks_[target], blocks_[first], {}});
      }
    }
  }

  static bool leads_to(const FlowShape& shape, Node node, Node target) {
    while (node >= shape.blocks()) node = shape.next(node)[0];
    return node == target;
  }

  // Of equal sides the one that follows in the compiler's order, which is the taken one only if it is put there.
  void choose_first(const FlowShape& shape, Node node) {
    const std::vector<uint32_t> ways = ways_of(blocks_[node]);
    if (ways.size() != 2) return;
    const bool taken = shape.follows(local_.at(behind(ways[0])), node);
    plan_.first_of_equal[blocks_[node]] = ways[taken ? 0 : 1];
  }

  const Kernel& kernel_;
  BarrierPlan& plan_;
  std::vector<uint32_t> blocks_;  // by node of the function: node of the plan
  std::map<uint32_t, Node> local_;
  uint32_t first_join_ = 0;
};

void join_post_dominator(const Kernel& kernel, BarrierPlan& plan, uint32_t block) {
  const BasicBlock& from = kernel.blocks[block];
  BarrierPlan::Node& node = plan.nodes[block];
  for (uint32_t to : from.successors) node.edges.push_back({to, to, {}});
  if (from.end < kernel.code.size()) plan.first_of_equal[block] = kernel.block_of[from.end];
  const Pc join = kernel.reconvergence[from.end - 1];
  if (join == kNoPc || !kernel.may_diverge(from.end - 1)) return;
  node.sets.push_back(static_cast<uint32_t>(plan.joins.size()));
  plan.nodes[kernel.block_of[join]].joins = true;
  plan.joins.push_back({BarrierPlan::Kind::Branch, kernel.block_of[join], block});
}

}  // namespace

BarrierPlan place_barriers(const Kernel& kernel, JoinRule rule) {
  BarrierPlan plan;
  plan.nodes.resize(kernel.blocks.size());
  plan.first_of_equal.assign(kernel.blocks.size(), BarrierPlan::kNone);
  if (rule == JoinRule::PostDominators) {
    for (uint32_t block = 0; block < kernel.blocks.size(); ++block) join_post_dominator(kernel, plan, block);
    return plan;
  }
  for (const FunctionRange& function : kernel.functions)
    if (function.begin != function.end) FunctionPlan(kernel, plan, kernel.block_of[function.begin]).place();
  return plan;
}

const BarrierPlan::Edge& BarrierPlan::edge(uint32_t node, uint32_t to_block) const {
  for (const Edge& edge : nodes[node].edges)
    if (edge.to_block == to_block) return edge;
  throw InternalError("a way that the barriers' plan does not know");
}

bool BarrierPlan::is_quiet(uint32_t block, uint32_t next) const {
  if (!nodes[block].sets.empty()) return false;
  const auto to_next = [&](const Edge& edge) { return edge.to_block == next; };
  const auto edge = std::ranges::find_if(nodes[block].edges, to_next);
  if (edge == nodes[block].edges.end()) return true;
  for (const Edge* way = &*edge;; way = nodes[way->node].edges.data()) {  // by nodes without a block
    if (!way->leaves.empty() || nodes[way->node].joins) return false;
    if (way->node < first_of_equal.size()) return way->node == next;
  }
}

}  // namespace heddle
