// Graphs of operations. A graph owns its nodes; what is launched is a copy of it, in which each node knows the one it
// was copied from. Nodes run one after another, those first that were made first, as far as the edges allow: an order
// that CUDA allows. All of it is under the lock of State, but perform_all(), whose graph must not change meanwhile.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "cudart/operation.h"

namespace heddle::shim {

struct Node {
  Operation operation;
  Graph* graph = nullptr;
  std::vector<Node*> dependencies;
  const Node* original = nullptr;
  bool enabled = true;
  std::vector<void*> argument_pointers = {};  // as the program was given them last
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;  // in the order of their making

  Node* add(Operation operation, std::vector<Node*> dependencies);
  void remove(Node* node);
  bool owns(const Node* node) const;
  std::vector<std::pair<Node*, Node*>> edges() const;  // from, to
  bool order(std::vector<Node*>& result) const;        // false if they go round in circles
  std::unique_ptr<Graph> copy() const;
  Node* copy_of(const Node* original) const;
};

struct GraphExec {
  std::unique_ptr<Graph> graph;
  unsigned long long flags;
};

Status perform_all(const Graph& graph, Stream* stream);

// Graphs whose handles the program holds live until it destroys them.
Graph* adopt(std::shared_ptr<Graph> graph);
std::shared_ptr<Graph> graph_of(Graph* handle);
bool disown(Graph* handle);

}  // namespace heddle::shim
