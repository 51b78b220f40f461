#include "program/barriers.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "program/analysis.h"
#include "program/flow_shape.h"

namespace heddle {
namespace {

using Node = FlowShape::Node;
constexpr Node kNone = FlowShape::kNone;

// The joins of one function's branches.
class Placement {
 public:
  struct Join {
    BarrierPlan::Kind kind;
    Node at, set_by;
  };

  // By block: may its threads part at its end, may they wait for others behind it, and is it nothing but an exit?
  Placement(const FlowShape& shape, std::vector<bool> parts, std::vector<bool> waits, std::vector<bool> ends)
      : shape_(shape),
        parts_(std::move(parts)),
        waits_(std::move(waits)),
        ends_(std::move(ends)),
        post_(shape.size(), kNone) {
    for (Node node = 0; node < shape_.blocks(); ++node)
      if (shape_.next(node).size() > 1) post_[node] = post_of(node);
    for (Node node = 0; node < shape_.blocks(); ++node)
      if (is_wanted(node) && serves(node)) add(BarrierPlan::Kind::Branch, post_[node], node);
    for (const FlowShape::Loop& loop : shape_.loops())
      if (has_exit(loop)) add(BarrierPlan::Kind::Loop, loop.exit, loop.header);
    std::map<Node, std::vector<Node>> together;
    for_each_branch([&](Node branch) { together[post_[branch]].push_back(branch); });
    for (const auto& [post, branches] : together) add_extras(post, branches);
  }

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

std::vector<bool> Placement::region(const std::vector<Node>& from, Node end) const {
  std::vector<bool> nodes(shape_.size());
  std::vector<Node> work = from;
  while (!work.empty()) {
    const Node node = work.back();
    work.pop_back();
    if (nodes[node] || node == end) continue;
    nodes[node] = true;
    for_each_forward(node, [&](Node to) { work.push_back(to); });
  }
  return nodes;
}

Node Placement::post_of(Node branch) const {
  Node post = shape_.post_dominator(branch);
  while (post != kNone && (shape_.has_several_entries(post) || goes_round(branch, post)))
    post = shape_.post_dominator(post);
  return post != kNone && holds_up(branch, post) ? kNone : post;
}

// Can threads come from the branch to the end of a trip without passing a post-dominator that lies in the same loop?
bool Placement::goes_round(Node branch, Node post) const {
  std::vector<bool> seen(shape_.size());
  std::vector<Node> work{branch};
  while (!work.empty()) {
    const Node node = work.back();
    work.pop_back();
    for (Node to : shape_.next(node)) {
      if (shape_.is_back(node, to)) {
        if (node != to && to != post && is_in_loop_of(to, post)) return true;
      } else if (to != post && !seen[to]) {
        seen[to] = true;
        work.push_back(to);
      }
    }
  }
  return false;
}

bool Placement::serves(Node branch) const {
  const Node post = post_[branch];
  if (post == kNone) return false;
  std::vector<Node> ways;
  for_each_forward(branch, [&](Node to) { ways.push_back(to); });
  if (!belongs(branch, region(ways, post))) return false;
  const bool leaves_loop = std::any_of(shape_.loops().begin(), shape_.loops().end(), [&](const FlowShape::Loop& loop) {
    return loop.body[branch] && !loop.body[post];
  });
  return !leaves_loop || shape_.dominates(branch, post) || is_in_loop_of(post, branch);
}

// Do threads part at it, or at a branch behind it that has the same join and cannot have a barrier of its own?
bool Placement::is_wanted(Node branch) const {
  if (post_[branch] == kNone || parts_[branch]) return post_[branch] != kNone;
  for (Node inner = 0; inner < shape_.blocks(); ++inner)
    if (parts_[inner] && post_[inner] == post_[branch] && shape_.dominates(branch, inner) && !serves(inner))
      return true;
  return false;
}

bool Placement::is_side_exit(Node from, Node to) const {
  for (const FlowShape::Loop& loop : shape_.loops())
    if (loop.body[from] && !loop.body[to] && !(has_exit(loop) && loop.exit_from == from && loop.exit == to))
      return true;
  return false;
}

// Nodes that several ways lead to, and from which no other such is reached: the longest way behind it first.
std::vector<Node> Placement::last_meetings(const std::vector<bool>& nodes) const {
  std::vector<Node> by_order, meetings;
  for (Node node = 0; node < shape_.size(); ++node)
    if (nodes[node]) by_order.push_back(node);
  std::sort(by_order.begin(), by_order.end(), [&](Node a, Node b) { return shape_.order(a) < shape_.order(b); });
  std::map<Node, unsigned> height;
  for (size_t i = by_order.size(); i-- > 0;) {
    unsigned highest = 0;
    for_each_forward(by_order[i], [&](Node to) { highest = std::max(highest, nodes[to] ? height[to] : 0); });
    height[by_order[i]] = highest + 1;
  }
  for (Node node : by_order) {
    unsigned ways = 0;
    for (Node from : shape_.before(node))
      ways += nodes[from] && !shape_.is_back(from, node) && !is_side_exit(from, node) ? 1 : 0;
    if (ways > 1 && !shape_.has_several_entries(node)) meetings.push_back(node);
  }
  std::vector<Node> last;
  for (Node node : meetings)
    if (std::none_of(meetings.begin(), meetings.end(), [&](Node other) { return shape_.reaches(node, other); }))
      last.push_back(node);
  std::stable_sort(last.begin(), last.end(), [&](Node a, Node b) { return height[a] > height[b]; });
  return last;
}

void Placement::add_extras(Node post, const std::vector<Node>& branches) {
  const std::vector<bool> nodes = region(branches, post);
  std::vector<Region> taken;
  for (Node last : last_meetings(nodes)) {
    std::vector<Region> fresh = regions_before(last, nodes, branches);
    std::erase_if(fresh, [&](const Region& region) {
      return std::any_of(taken.begin(), taken.end(), [&](const Region& other) {
        for (Node node = 0; node < shape_.size(); ++node)
          if (region.nodes[node] && other.nodes[node]) return true;
        return false;
      });
    });
    for (Region& region : fresh) {
      add(BarrierPlan::Kind::Extra, region.join, region.branch);
      taken.push_back(std::move(region));
    }
  }
}

// Where the branches join, if all that does not come to `last` is left out.
std::vector<Placement::Region> Placement::regions_before(Node last, const std::vector<bool>& nodes,
                                                         const std::vector<Node>& branches) const {
  std::vector<Node> inner;
  for (Node node = 0; node < shape_.size(); ++node)
    if (nodes[node] && shape_.reaches(node, last)) inner.push_back(node);
  std::sort(inner.begin(), inner.end(), [&](Node a, Node b) { return shape_.order(a) > shape_.order(b); });
  std::vector<Node> join(shape_.size(), kNone);
  join[last] = last;
  const auto meet = [&](Node a, Node b) {
    while (a != b) (shape_.order(a) < shape_.order(b) ? a : b) = join[shape_.order(a) < shape_.order(b) ? a : b];
    return a;
  };
  for (Node node : inner)
    for_each_forward(node, [&](Node to) {
      if (join[to] == kNone || is_side_exit(node, to)) return;
      join[node] = join[node] == kNone ? to : meet(join[node], to);
    });
  std::vector<Region> regions;
  for (Node branch : branches) {
    if (branch == last || join[branch] == kNone) continue;
    std::vector<Node> ways;
    for_each_forward(branch, [&](Node to) {
      if (join[to] != kNone) ways.push_back(to);
    });
    if (ways.size() < 2) continue;
    Region region{branch, join[branch], std::vector<bool>(shape_.size())};
    region.nodes[branch] = true;
    for (std::vector<Node> work = ways; !work.empty();) {
      const Node node = work.back();
      work.pop_back();
      if (region.nodes[node] || node == region.join || join[node] == kNone) continue;
      region.nodes[node] = true;
      for_each_forward(node, [&](Node to) { work.push_back(to); });
    }
    if (shape_.dominates(branch, region.join) && belongs(branch, region.nodes)) regions.push_back(std::move(region));
  }
  return regions;
}

bool Placement::leaves(const Join& join, Node from, Node to) const {
  if (join.kind == BarrierPlan::Kind::Branch || to == join.at) return false;
  if (from != join.set_by && !shape_.reaches(join.set_by, from) && !is_in_loop_of(join.set_by, from)) return false;
  if (shape_.is_back(from, to))
    return is_in_loop_of(to, join.set_by) && !(join.kind == BarrierPlan::Kind::Loop && join.set_by == to);
  if (join.kind == BarrierPlan::Kind::Loop && is_in_loop_of(join.set_by, to)) return false;
  return !shape_.reaches(to, join.at);
}

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
    const Placement placement(shape, std::move(parts), std::move(waits), std::move(ends));
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

  void add_joins(const Placement& placement) {
    first_join_ = static_cast<uint32_t>(plan_.joins.size());
    for (const Placement::Join& join : placement.joins()) {
      plan_.nodes[blocks_[join.set_by]].sets.push_back(static_cast<uint32_t>(plan_.joins.size()));
      plan_.nodes[blocks_[join.at]].joins = true;
      plan_.joins.push_back({join.kind, blocks_[join.at], blocks_[join.set_by]});
    }
  }

  std::vector<uint32_t> leaves(const Placement& placement, Node from, Node to) const {
    std::vector<uint32_t> left;
    for (size_t i = 0; i < placement.joins().size(); ++i)
      if (placement.leaves(placement.joins()[i], from, to)) left.push_back(first_join_ + static_cast<uint32_t>(i));
    return left;
  }

  void add_edges(const FlowShape& shape, const Placement& placement, Node from) {
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
  for (const Edge& edge : nodes[block].edges)
    if (edge.to_block == next) return edge.node == next && edge.leaves.empty() && !nodes[next].joins;
  return true;
}

}  // namespace heddle
