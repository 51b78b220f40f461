#include "program/structure_layout.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/error.h"

namespace heddle {
namespace {

bool waits(const Instruction& instruction) {
  return instruction.flow == Flow::Barrier || instruction.flow == Flow::Sync || instruction.op == Op::Call;
}

}  // namespace

StructureLayout::StructureLayout(const Kernel& kernel, const FlowGraph& graph)
    : kernel_(kernel), graph_(graph), before_(graph.predecessors()) {
  place(graph.all());
  require(order_.size() == graph.size(), "the structured form has lost a block");
}

template <class F>
void StructureLayout::for_each_edge_from(const Components& parts, NodeId part, F&& f) const {
  for (NodeId id : parts.members[part])
    for (NodeId next : graph_[id].next) {
      const NodeId to = parts.of[next];
      if (to != FlowGraph::kNone && to != part && !back_edges_.contains({id, next})) f(to);
    }
}

void StructureLayout::place(const std::vector<NodeId>& nodes) {
  Components parts = graph_.components(nodes, back_edges_);
  for (NodeId i = 0; i < parts.members.size(); ++i)
    if (parts.loops[i] && waits_inside(parts.members[i])) take_exits(parts, i);
  std::vector<unsigned> missing(parts.members.size());
  for (NodeId part = 0; part < parts.members.size(); ++part)
    for_each_edge_from(parts, part, [&](NodeId to) { ++missing[to]; });
  std::set<std::tuple<bool, Pc, NodeId>> ready;
  const auto make_ready = [&](NodeId part) {
    const NodeId first = first_of(parts.members[part]);
    ready.emplace(kernel_.may_wait[graph_[first].block], block(first).begin, part);
  };
  for (NodeId part = 0; part < missing.size(); ++part)
    if (missing[part] == 0 && !parts.members[part].empty()) make_ready(part);
  require(ready.size() == 1, "the structured form begins in several places");
  while (!ready.empty()) {
    const NodeId part = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    if (parts.loops[part])
      place_loop(parts.members[part]);
    else
      order_.push_back(parts.members[part][0]);
    for_each_edge_from(parts, part, [&](NodeId to) {
      if (--missing[to] == 0) make_ready(to);
    });
  }
}

void StructureLayout::place_loop(const std::vector<NodeId>& members) {
  const auto index = static_cast<uint32_t>(loops_.size());
  loops_.push_back({static_cast<uint32_t>(order_.size()), 0});
  const NodeId header = first_of(members);
  for (NodeId latch : latches_of(members, header)) back_edges_.emplace(std::pair(latch, header), index);
  place(members);
  loops_[index].end = static_cast<uint32_t>(order_.size());
}

// Where the loop goes back. Loops inside each other often share their header: a branch back to it that reconverges
// inside the loop belongs to an inner one, in which threads stay until all have come to that point.
std::vector<FlowGraph::NodeId> StructureLayout::latches_of(const std::vector<NodeId>& members, NodeId header) const {
  std::vector<NodeId> all, outer;
  for (NodeId id : members) {
    const std::vector<NodeId>& next = graph_[id].next;
    if (std::count(next.begin(), next.end(), header) == 0 || back_edges_.contains({id, header})) continue;
    all.push_back(id);
    const int32_t meet = block(id).post_dominator;
    const bool inside = meet >= 0 && static_cast<uint32_t>(meet) != graph_[header].block &&
                        std::any_of(members.begin(), members.end(),
                                    [&](NodeId member) { return graph_[member].block == static_cast<uint32_t>(meet); });
    if (!inside) outer.push_back(id);
  }
  return outer.empty() ? all : outer;
}

FlowGraph::NodeId StructureLayout::first_of(const std::vector<NodeId>& members) const {
  if (members.size() == 1) return members[0];
  const std::vector<NodeId> entries = graph_.entries(members);
  require(entries.size() == 1, "a loop has not one entry");
  return entries[0];
}

bool StructureLayout::waits_inside(const std::vector<NodeId>& members) const {
  return std::any_of(members.begin(), members.end(), [&](NodeId id) {
    if (!kernel_.may_wait[graph_[id].block]) return false;
    const auto code = kernel_.code.begin();
    return std::any_of(code + block(id).begin, code + block(id).end, waits);
  });
}

// Threads of the kernel that leave a loop with a barrier for good do so at once, as under pdom, where such a branch
// has no reconvergence point: what they have left to do belongs to the loop.
void StructureLayout::take_exits(Components& parts, NodeId loop) const {
  const size_t own = parts.members[loop].size();
  if (block(parts.members[loop][0]).function != 0) return;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<NodeId> outside;
    for_each_edge_from(parts, loop, [&](NodeId to) { outside.push_back(to); });
    for (NodeId part : outside) {
      std::vector<NodeId>& members = parts.members[part];
      if (members.empty() || !leaves_for_good(parts, part, loop, own)) continue;
      for (NodeId id : members) parts.of[id] = loop;
      parts.members[loop].insert(parts.members[loop].end(), members.begin(), members.end());
      members.clear();
      changed = true;
    }
  }
}

// Is the part reached from the loop only, by no branch of its first `own` members that reconverges, and never waits?
bool StructureLayout::leaves_for_good(const Components& parts, NodeId part, NodeId loop, size_t own) const {
  const std::vector<NodeId>&members = parts.members[part], &body = parts.members[loop];
  const auto leaves = [&](NodeId from) {
    if (parts.of[from] != loop) return parts.of[from] == part;
    const bool inside = std::find(body.begin(), body.begin() + static_cast<ptrdiff_t>(own), from) !=
                        body.begin() + static_cast<ptrdiff_t>(own);
    return !inside || kernel_.reconvergence[block(from).end - 1] == kNoPc;
  };
  return !kernel_.may_wait[graph_[members[0]].block] && std::all_of(members.begin(), members.end(), [&](NodeId id) {
    return id != graph_.entry() && std::all_of(before_[id].begin(), before_[id].end(), leaves);
  });
}

}  // namespace heddle
