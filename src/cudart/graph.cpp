#include "cudart/graph.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace heddle::shim {

Node* Graph::add(Operation operation, std::vector<Node*> dependencies) {
  nodes.push_back(std::make_unique<Node>(Node{std::move(operation), this, std::move(dependencies)}));
  return nodes.back().get();
}

void Graph::remove(Node* node) {
  for (const auto& other : nodes) std::erase(other->dependencies, node);
  std::erase_if(nodes, [&](const auto& other) { return other.get() == node; });
}

bool Graph::owns(const Node* node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& each) { return each.get() == node; });
}

std::vector<std::pair<Node*, Node*>> Graph::edges() const {
  std::vector<std::pair<Node*, Node*>> result;
  for (const auto& node : nodes)
    for (Node* from : node->dependencies) result.emplace_back(from, node.get());
  return result;
}

bool Graph::order(std::vector<Node*>& result) const {
  result.clear();
  std::unordered_set<const Node*> done;
  const auto is_done = [&](const Node* node) { return done.contains(node); };
  const auto ready = [&](const Node* node) {
    return !is_done(node) && std::all_of(node->dependencies.begin(), node->dependencies.end(), is_done);
  };
  for (bool progress = true; progress && result.size() < nodes.size();) {
    progress = false;
    for (const auto& node : nodes)
      if (ready(node.get())) {
        result.push_back(node.get());
        progress = done.insert(node.get()).second;
      }
  }
  return result.size() == nodes.size();
}

std::unique_ptr<Graph> Graph::copy() const {
  auto result = std::make_unique<Graph>();
  std::unordered_map<const Node*, Node*> copies;
  for (const auto& node : nodes) {
    Node* const made = result->add(node->operation, {});
    made->original = node.get();
    copies[node.get()] = made;
    made->enabled = node->enabled;
    if (auto* child = std::get_if<ChildGraph>(&made->operation)) child->graph = child->graph->copy();
  }
  for (const auto& [from, to] : edges()) copies[to]->dependencies.push_back(copies[from]);
  return result;
}

Node* Graph::copy_of(const Node* original) const {
  for (const auto& node : nodes)
    if (node->original == original) return node.get();
  return nullptr;
}

namespace {
std::unordered_map<Graph*, std::shared_ptr<Graph>> graphs;  // under the lock of State
}

Graph* adopt(std::shared_ptr<Graph> graph) {
  Graph* const handle = graph.get();
  graphs[handle] = std::move(graph);
  State::get().tell_made(handle, "a graph");
  return handle;
}
std::shared_ptr<Graph> graph_of(Graph* handle) {
  const auto found = graphs.find(handle);
  return found == graphs.end() ? nullptr : found->second;
}
bool disown(Graph* handle) {
  State::get().tell_gone(handle);
  return graphs.erase(handle) > 0;
}

Status perform_all(const Graph& graph, Stream* stream) {
  std::vector<Node*> order;
  if (!graph.order(order)) return Status::InvalidValue;
  for (const Node* node : order) {
    const Status status = node->enabled ? perform(node->operation, stream) : Status::Success;
    if (status != Status::Success) return status;
  }
  return Status::Success;
}

}  // namespace heddle::shim
