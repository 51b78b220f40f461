// Graphs as a whole, and their edges.
#include <algorithm>
#include <cstring>

#include "cudart/graph.h"

using namespace heddle::shim;

namespace {

// How CUDA hands out lists: without room for them it says how many there are, else it fills the room and clears the
// rest.
template <class List>
Status give(const List& list, Node** room, size_t* count) {
  if (!count) return Status::InvalidValue;
  if (room)
    for (size_t i = 0; i < *count; ++i) room[i] = i < list.size() ? list[i] : nullptr;
  *count = room ? std::min(*count, list.size()) : list.size();
  return Status::Success;
}

Status give_edges(const Graph* graph, Node** from, Node** to, size_t* count) {
  return api([&](State&) {
    if (!graph || !count || !from != !to) return Status::InvalidValue;
    std::vector<Node*> begins, ends;
    for (const auto& [begin, end] : graph->edges()) begins.push_back(begin), ends.push_back(end);
    size_t same = *count;
    give(begins, from, &same);
    return give(ends, to, count);
  });
}

Status give_dependencies(const Node* node, Node** room, size_t* count) {
  return api([&](State&) { return node ? give(node->dependencies, room, count) : Status::InvalidValue; });
}

Status give_dependents(const Node* node, Node** room, size_t* count) {
  return api([&](State&) {
    if (!node) return Status::InvalidValue;
    std::vector<Node*> dependents;
    for (const auto& [from, to] : node->graph->edges())
      if (from == node) dependents.push_back(to);
    return give(dependents, room, count);
  });
}

bool has_edge(const Node* from, const Node* to) {
  return std::find(to->dependencies.begin(), to->dependencies.end(), from) != to->dependencies.end();
}

Status change_edges(Graph* graph, Node* const* from, Node* const* to, size_t count, bool there) {
  return api([&](State&) {
    for (size_t i = 0; i < count; ++i)
      if (!graph->owns(from[i]) || !graph->owns(to[i]) || from[i] == to[i] || has_edge(from[i], to[i]) == there)
        return Status::InvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (there)
        to[i]->dependencies.push_back(from[i]);
      else
        std::erase(to[i]->dependencies, from[i]);
    return Status::Success;
  });
}

}  // namespace

HEDDLE_API Status cudaGraphCreate(Graph** graph, unsigned) {
  return gpu_api([&](State&) {
    *graph = adopt(std::make_shared<Graph>());
    return Status::Success;
  });
}
HEDDLE_API Status cudaGraphDestroy(Graph* graph) {
  return api([&](State&) { return disown(graph) ? Status::Success : Status::InvalidValue; });
}
HEDDLE_API Status cudaGraphClone(Graph** copy, Graph* graph) {
  return api([&](State&) {
    if (!graph) return Status::InvalidValue;
    *copy = adopt(graph->copy());
    return Status::Success;
  });
}
HEDDLE_API Status cudaGraphNodeFindInClone(Node** found, Node* original, Graph* copy) {
  return api([&](State&) {
    *found = copy->copy_of(original);
    return *found ? Status::Success : Status::InvalidValue;
  });
}
HEDDLE_API Status cudaGraphDestroyNode(Node* node) {
  return api([&](State&) {
    if (!node) return Status::InvalidValue;
    node->graph->remove(node);
    return Status::Success;
  });
}
HEDDLE_API Status cudaGraphNodeGetType(Node* node, int* kind) {
  return api([&](State&) {
    if (!node) return Status::InvalidValue;
    *kind = kind_of(node->operation);
    return Status::Success;
  });
}
HEDDLE_API Status cudaGraphGetNodes(Graph* graph, Node** room, size_t* count) {
  return api([&](State&) {
    if (!graph) return Status::InvalidValue;
    std::vector<Node*> nodes;
    for (const auto& node : graph->nodes) nodes.push_back(node.get());
    return give(nodes, room, count);
  });
}
HEDDLE_API Status cudaGraphGetRootNodes(Graph* graph, Node** room, size_t* count) {
  return api([&](State&) {
    if (!graph) return Status::InvalidValue;
    std::vector<Node*> roots;
    for (const auto& node : graph->nodes)
      if (node->dependencies.empty()) roots.push_back(node.get());
    return give(roots, room, count);
  });
}

// CUDA 13 has given the functions of edges a parameter more, the edges' data. All edges here are plain: zeros.
namespace {
void clear_data(void* data, const size_t* count) {
  constexpr size_t kBytes = 8;
  if (data && count) std::memset(data, 0, *count * kBytes);
}
}  // namespace

HEDDLE_API Status heddle_edges_old(Graph* graph, Node** from, Node** to, size_t* count) {
  return give_edges(graph, from, to, count);
}
HEDDLE_API Status heddle_edges(Graph* graph, Node** from, Node** to, void* data, size_t* count) {
  const Status status = give_edges(graph, from, to, count);
  clear_data(data, count);
  return status;
}
HEDDLE_API Status heddle_dependencies_old(Node* node, Node** room, size_t* count) {
  return give_dependencies(node, room, count);
}
HEDDLE_API Status heddle_dependencies(Node* node, Node** room, void* data, size_t* count) {
  const Status status = give_dependencies(node, room, count);
  clear_data(data, count);
  return status;
}
HEDDLE_API Status heddle_dependents_old(Node* node, Node** room, size_t* count) {
  return give_dependents(node, room, count);
}
HEDDLE_API Status heddle_dependents(Node* node, Node** room, void* data, size_t* count) {
  const Status status = give_dependents(node, room, count);
  clear_data(data, count);
  return status;
}
HEDDLE_API Status heddle_add_edges_old(Graph* graph, Node* const* from, Node* const* to, size_t count) {
  return change_edges(graph, from, to, count, true);
}
HEDDLE_API Status heddle_add_edges(Graph* graph, Node* const* from, Node* const* to, const void*, size_t count) {
  return change_edges(graph, from, to, count, true);
}
HEDDLE_API Status heddle_remove_edges_old(Graph* graph, Node* const* from, Node* const* to, size_t count) {
  return change_edges(graph, from, to, count, false);
}
HEDDLE_API Status heddle_remove_edges(Graph* graph, Node* const* from, Node* const* to, const void*, size_t count) {
  return change_edges(graph, from, to, count, false);
}
__asm__(".symver heddle_edges_old, cudaGraphGetEdges@libcudart.so.11.0");
__asm__(".symver heddle_edges_old, cudaGraphGetEdges@libcudart.so.12");
__asm__(".symver heddle_edges, cudaGraphGetEdges@@libcudart.so.13");
__asm__(".symver heddle_dependencies_old, cudaGraphNodeGetDependencies@libcudart.so.11.0");
__asm__(".symver heddle_dependencies_old, cudaGraphNodeGetDependencies@libcudart.so.12");
__asm__(".symver heddle_dependencies, cudaGraphNodeGetDependencies@@libcudart.so.13");
__asm__(".symver heddle_dependents_old, cudaGraphNodeGetDependentNodes@libcudart.so.11.0");
__asm__(".symver heddle_dependents_old, cudaGraphNodeGetDependentNodes@libcudart.so.12");
__asm__(".symver heddle_dependents, cudaGraphNodeGetDependentNodes@@libcudart.so.13");
__asm__(".symver heddle_add_edges_old, cudaGraphAddDependencies@libcudart.so.11.0");
__asm__(".symver heddle_add_edges_old, cudaGraphAddDependencies@libcudart.so.12");
__asm__(".symver heddle_add_edges, cudaGraphAddDependencies@@libcudart.so.13");
__asm__(".symver heddle_remove_edges_old, cudaGraphRemoveDependencies@libcudart.so.11.0");
__asm__(".symver heddle_remove_edges_old, cudaGraphRemoveDependencies@libcudart.so.12");
__asm__(".symver heddle_remove_edges, cudaGraphRemoveDependencies@@libcudart.so.13");
