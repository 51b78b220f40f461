#include "program/join_placement.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle {
JoinPlacement::JoinPlacement(const FlowShape& shape, std::vector<bool> parts, std::vector<bool> waits,
                             std::vector<bool> ends)
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

std::vector<bool> JoinPlacement::region(const std::vector<Node>& from, Node end) const {
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

JoinPlacement::Node JoinPlacement::post_of(Node branch) const {
  Node post = shape_.post_dominator(branch);
  while (post != kNone && (shape_.has_several_entries(post) || goes_round(branch, post)))
    post = shape_.post_dominator(post);
  return post != kNone && holds_up(branch, post) ? kNone : post;
}

// Can threads come from the branch to the end of a trip without passing a post-dominator that lies in the same loop?
bool JoinPlacement::goes_round(Node branch, Node post) const {
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

bool JoinPlacement::serves(Node branch) const {
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
bool JoinPlacement::is_wanted(Node branch) const {
  if (post_[branch] == kNone || parts_[branch]) return post_[branch] != kNone;
  for (Node inner = 0; inner < shape_.blocks(); ++inner)
    if (parts_[inner] && post_[inner] == post_[branch] && shape_.dominates(branch, inner) && !serves(inner))
      return true;
  return false;
}

bool JoinPlacement::is_side_exit(Node from, Node to) const {
  for (const FlowShape::Loop& loop : shape_.loops())
    if (loop.body[from] && !loop.body[to] && !(has_exit(loop) && loop.exit_from == from && loop.exit == to))
      return true;
  return false;
}

// Nodes that several ways lead to, and from which no other such is reached: the longest way behind it first.
std::vector<JoinPlacement::Node> JoinPlacement::last_meetings(const std::vector<bool>& nodes) const {
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

void JoinPlacement::add_extras(Node post, const std::vector<Node>& branches) {
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
std::vector<JoinPlacement::Region> JoinPlacement::regions_before(Node last, const std::vector<bool>& nodes,
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

bool JoinPlacement::leaves(const Join& join, Node from, Node to) const {
  if (join.kind == BarrierPlan::Kind::Branch || to == join.at) return false;
  if (from != join.set_by && !shape_.reaches(join.set_by, from) && !is_in_loop_of(join.set_by, from)) return false;
  if (shape_.is_back(from, to))
    return is_in_loop_of(to, join.set_by) && !(join.kind == BarrierPlan::Kind::Loop && join.set_by == to);
  if (join.kind == BarrierPlan::Kind::Loop && is_in_loop_of(join.set_by, to)) return false;
  return !shape_.reaches(to, join.at);
}

}  // namespace heddle
