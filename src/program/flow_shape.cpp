#include "program/flow_shape.h"

#include <algorithm>

#include "program/dominator_tree.h"

namespace heddle {

FlowShape::FlowShape(std::vector<std::vector<Node>> next)
    : blocks_(static_cast<Node>(next.size())), next_(std::move(next)) {
  analyse();
  join_latches();
  give_loops_exits();
}

void FlowShape::analyse() {
  before_.assign(size(), {});
  for (Node from = 0; from < size(); ++from)
    for (Node to : next_[from]) before_[to].push_back(from);
  visited_.assign(size(), 0);
  back_.assign(size(), {});
  reach_.assign(size(), std::vector<bool>(size()));
  by_order_.clear();
  visit(0);
  std::reverse(by_order_.begin(), by_order_.end());
  order_.assign(size(), 0);
  place_.assign(size(), 0);
  unsigned place = 0;
  for (unsigned i = 0; i < by_order_.size(); ++i) {
    order_[by_order_[i]] = i;
    if (by_order_[i] < blocks_) place_[by_order_[i]] = ++place;
  }
  find_dominators();
  find_loops();
  find_tangles();
}

void FlowShape::visit(Node node) {
  visited_[node] = 1;
  for (Node to : next_[node]) {
    if (visited_[to] == 0) visit(to);
    back_[node].push_back(visited_[to] == 1);
    if (visited_[to] == 1) continue;
    reach_[node][to] = true;
    for (Node i = 0; i < size(); ++i)
      if (reach_[to][i]) reach_[node][i] = true;
  }
  visited_[node] = 2;
  by_order_.push_back(node);
}

bool FlowShape::is_back(Node from, Node to) const {
  for (size_t way = 0; way < next_[from].size(); ++way)
    if (next_[from][way] == to) return back_[from][way];
  return false;
}

void FlowShape::find_dominators() {
  const auto nodes = [](const std::vector<int32_t>& from, Node end) {
    std::vector<Node> result;
    for (int32_t node : from)
      result.push_back(node < 0 || static_cast<Node>(node) == end ? kNone : static_cast<Node>(node));
    return result;
  };
  dominator_ = nodes(immediate_dominators(next_, 0), kNone);
  std::vector<std::vector<Node>> backward = before_;
  backward.emplace_back();  // the end
  for (Node node = 0; node < size(); ++node)
    if (next_[node].empty()) backward[size()].push_back(node);
  post_dominator_ = nodes(immediate_dominators(backward, size()), size());
  post_dominator_.resize(size());
}

bool FlowShape::dominates(Node above, Node below) const {
  while (below != above && below != kNone) below = dominator_[below];
  return below == above;
}

void FlowShape::find_loops() {
  loops_.clear();
  for (Node header : by_order_) {
    Loop loop{header, std::vector<bool>(size()), kNone, kNone};
    loop.body[header] = true;
    std::vector<Node> work;
    bool any = false;
    for (Node latch : before_[header])
      if (is_back(latch, header) && dominates(header, latch)) {
        any = true;
        work.push_back(latch);
      }
    if (!any) continue;
    while (!work.empty()) {
      const Node node = work.back();
      work.pop_back();
      if (loop.body[node]) continue;
      loop.body[node] = true;
      work.insert(work.end(), before_[node].begin(), before_[node].end());
    }
    find_exit(loop);
    loops_.push_back(std::move(loop));
  }
}

void FlowShape::find_exit(Loop& loop) const {
  const auto exit_of = [&](Node from) {
    for (Node to : next_[from])
      if (!loop.body[to]) return to;
    return kNone;
  };
  Node last = kNone;  // latch
  for (Node latch : before_[loop.header]) {
    if (!loop.body[latch]) continue;
    const std::vector<Node>& real = latch < blocks_ ? std::vector<Node>{latch} : before_[latch];
    for (Node node : real)
      if (last == kNone || order_[node] > order_[last]) last = node;
  }
  std::vector<Node> from{last, loop.header};
  for (size_t i = by_order_.size(); i-- > 0;)
    if (loop.body[by_order_[i]]) from.push_back(by_order_[i]);
  for (Node node : from) {
    loop.exit = exit_of(node);
    loop.exit_from = node;
    if (loop.exit != kNone) return;
  }
}

// What is still in a cycle without the edges back to dominators.
void FlowShape::find_tangles() {
  tangled_.assign(size(), false);
  const auto natural = [&](Node from, Node to) { return is_back(from, to) && dominates(to, from); };
  std::vector<std::pair<Node, Node>> retreats;
  for (Node from = 0; from < size(); ++from)
    for (Node to : next_[from])
      if (is_back(from, to) && !natural(from, to)) retreats.emplace_back(from, to);
  if (retreats.empty()) return;
  std::vector<std::vector<bool>> leads = reach_;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [from, to] : retreats)
      for (Node node = 0; node < size(); ++node) {
        if (node != from && !leads[node][from]) continue;
        for (Node other = 0; other < size(); ++other) {
          if (leads[node][other] || (other != to && !leads[to][other])) continue;
          leads[node][other] = changed = true;
        }
      }
  }
  for (Node node = 0; node < size(); ++node) tangled_[node] = leads[node][node];
}

const FlowShape::Loop* FlowShape::loop_at(Node header) const {
  for (const Loop& loop : loops_)
    if (loop.header == header) return &loop;
  return nullptr;
}

bool FlowShape::follows(Node block, Node other) const {
  return block < blocks_ && other < blocks_ && place_[block] == place_[other] + 1;
}

void FlowShape::lead_over_new(const std::vector<Node>& from, Node to) {
  const Node between = size();
  next_.push_back({to});
  for (Node node : from) std::replace(next_[node].begin(), next_[node].end(), to, between);
}

// A block that is its own latch is a loop inside the others that begin there.
void FlowShape::join_latches() {
  const std::vector<Loop> loops = loops_;
  for (const Loop& loop : loops) {
    std::vector<Node> latches;
    for (Node latch : before_[loop.header])
      if (loop.body[latch] && latch != loop.header) latches.push_back(latch);
    if (latches.size() > 1) lead_over_new(latches, loop.header);
  }
  if (size() > blocks_) analyse();
}

// Unless the block behind the loop directly follows it, or is where an outer loop goes on.
void FlowShape::give_loops_exits() {
  const Node known = size();
  const std::vector<Loop> loops = loops_;
  for (const Loop& loop : loops) {
    const Node exit = loop.exit;
    if (exit >= blocks_ || dominates(loop.header, exit) || follows(exit, loop.exit_from)) continue;
    if (const Loop* outer = loop_at(exit); outer && outer->body[loop.header]) continue;
    std::vector<Node> from;
    for (Node node : before_[exit])
      if (loop.body[node] && std::count(next_[node].begin(), next_[node].end(), exit) > 0) from.push_back(node);
    if (!from.empty()) lead_over_new(from, exit);
  }
  if (size() > known) analyse();
}

}  // namespace heddle
