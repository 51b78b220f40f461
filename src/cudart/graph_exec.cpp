// Graphs that can be launched.
#include <unordered_map>

#include "cudart/graph_api.h"
#include "cudart/stream.h"

using namespace heddle::shim;

namespace {

enum UpdateResult : int { Updated = 0, TopologyChanged = 2, KindChanged = 3 };

Status instantiate(GraphExec** result, Graph* graph, unsigned long long flags) {
  return gpu_api([&](State& state) {
    std::vector<Node*> order;
    if (!result || !graph || !graph->order(order)) return Status::InvalidValue;
    *result = new GraphExec{graph->copy(), flags};
    state.tell_made(*result, "an executable graph");
    return Status::Success;
  });
}

// The node of a graph to be launched that stands for one of the graph it was made from.
Node* node_of(GraphExec* exec, const Node* original) { return exec->graph->copy_of(original); }

Status replace_in(GraphExec* exec, Node* original, Operation operation) {
  return replace(node_of(exec, original), std::move(operation));
}

// Nodes are paired in the order of their making.
UpdateResult compare(const Graph& old, const Graph& now, Node** culprit) {
  if (old.nodes.size() != now.nodes.size()) return TopologyChanged;
  std::unordered_map<const Node*, const Node*> pair;
  for (size_t i = 0; i < now.nodes.size(); ++i) pair[old.nodes[i].get()] = now.nodes[i].get();
  for (size_t i = 0; i < now.nodes.size(); ++i) {
    const Node& before = *old.nodes[i];
    *culprit = now.nodes[i].get();
    if (before.operation.index() != (*culprit)->operation.index()) return KindChanged;
    if (before.dependencies.size() != (*culprit)->dependencies.size()) return TopologyChanged;
    for (size_t k = 0; k < before.dependencies.size(); ++k)
      if (pair[before.dependencies[k]] != (*culprit)->dependencies[k]) return TopologyChanged;
  }
  *culprit = nullptr;
  return Updated;
}

Status update(GraphExec* exec, Graph* graph, Node** culprit, int* result) {
  return gpu_api([&](State&) {
    *culprit = nullptr;
    *result = compare(*exec->graph, *graph, culprit);
    if (*result != Updated) return Status::GraphExecUpdateFailure;
    for (size_t i = 0; i < graph->nodes.size(); ++i) {
      Node& mine = *exec->graph->nodes[i];
      mine.operation = graph->nodes[i]->operation;
      if (auto* child = std::get_if<ChildGraph>(&mine.operation)) child->graph = child->graph->copy();
    }
    return Status::Success;
  });
}

}  // namespace

// CUDA 11 asks for a text of errors behind these; there are none that a graph could have.
HEDDLE_API Status cudaGraphInstantiate(GraphExec** exec, Graph* graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
HEDDLE_API Status cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
HEDDLE_API Status cudaGraphInstantiateWithParams(GraphExec** exec, Graph* graph, void* parameters) {
  struct Parameters {  // cudaGraphInstantiateParams
    unsigned long long flags;
    Stream* stream;
    Node* culprit;
    int result;
  };
  auto* const given = static_cast<Parameters*>(parameters);
  const Status status = instantiate(exec, graph, given->flags);
  given->culprit = nullptr;
  given->result = status == Status::Success ? 0 : 2;  // a structure that cannot be
  return status;
}
HEDDLE_API Status cudaGraphExecDestroy(GraphExec* exec) {
  return api([&](State& state) {
    state.tell_gone(exec);
    delete exec;
    return exec ? Status::Success : Status::InvalidValue;
  });
}
HEDDLE_API Status cudaGraphExecGetFlags(GraphExec* exec, unsigned long long* flags) {
  return api([&](State&) {
    *flags = exec->flags;
    return Status::Success;
  });
}
HEDDLE_API Status cudaGraphUpload(GraphExec*, Stream* stream) {
  return with_stream(stream, [](State&) { return Status::Success; });
}
// In a stream that is being captured, a graph is a node.
HEDDLE_API Status cudaGraphLaunch(GraphExec* exec, Stream* stream) {
  if (is_captured(stream)) return keep(stream, ChildGraph{exec->graph->copy()});
  const Status status = with_stream(stream, [&](State&) { return exec ? Status::Success : Status::InvalidValue; });
  return status == Status::Success ? perform_all(*exec->graph, stream) : status;
}

HEDDLE_API Status heddle_update_11(GraphExec* exec, Graph* graph, Node** culprit, int* result) {
  return update(exec, graph, culprit, result);
}
HEDDLE_API Status heddle_update(GraphExec* exec, Graph* graph, UpdateReport* report) {
  UpdateReport own{};
  const Status status = update(exec, graph, &own.node, &own.result);
  if (report) *report = own;
  return status;
}
__asm__(".symver heddle_update_11, cudaGraphExecUpdate@libcudart.so.11.0");
__asm__(".symver heddle_update, cudaGraphExecUpdate@libcudart.so.12");
__asm__(".symver heddle_update, cudaGraphExecUpdate@@libcudart.so.13");

HEDDLE_API Status cudaGraphNodeSetEnabled(GraphExec* exec, Node* original, unsigned enabled) {
  return api([&](State&) {
    Node* const node = node_of(exec, original);
    if (!node) return Status::InvalidValue;
    node->enabled = enabled != 0;
    return Status::Success;
  });
}
HEDDLE_API Status cudaGraphNodeGetEnabled(GraphExec* exec, Node* original, unsigned* enabled) {
  return api([&](State&) {
    const Node* const node = node_of(exec, original);
    if (!node) return Status::InvalidValue;
    *enabled = node->enabled ? 1 : 0;
    return Status::Success;
  });
}

HEDDLE_API Status cudaGraphExecKernelNodeSetParams(GraphExec* exec, Node* node, const KernelParameters* given) {
  Operation operation;
  const Status status = gpu_api([&](State& state) { return operation_of(state, *given, operation); });
  return status == Status::Success ? replace_in(exec, node, std::move(operation)) : status;
}
HEDDLE_API Status cudaGraphExecMemcpyNodeSetParams(GraphExec* exec, Node* node, const Copy3D* copy) {
  return replace_in(exec, node, *copy);
}
HEDDLE_API Status cudaGraphExecMemcpyNodeSetParams1D(GraphExec* exec, Node* node, void* to, const void* from,
                                                     size_t bytes, CopyKind kind) {
  return replace_in(exec, node, line_copy(to, from, bytes, kind));
}
HEDDLE_API Status cudaGraphExecMemcpyNodeSetParamsToSymbol(GraphExec* exec, Node* node, const void* symbol,
                                                           const void* from, size_t bytes, size_t offset,
                                                           CopyKind kind) {
  Copy3D copy{};
  const Status status = to_symbol_copy(copy, symbol, from, bytes, offset, kind);
  return status == Status::Success ? replace_in(exec, node, copy) : status;
}
HEDDLE_API Status cudaGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec* exec, Node* node, void* to, const void* symbol,
                                                             size_t bytes, size_t offset, CopyKind kind) {
  Copy3D copy{};
  const Status status = from_symbol_copy(copy, to, symbol, bytes, offset, kind);
  return status == Status::Success ? replace_in(exec, node, copy) : status;
}
HEDDLE_API Status cudaGraphExecMemsetNodeSetParams(GraphExec* exec, Node* node, const Fill* fill) {
  return replace_in(exec, node, *fill);
}
HEDDLE_API Status cudaGraphExecHostNodeSetParams(GraphExec* exec, Node* node, const HostCall* call) {
  return replace_in(exec, node, *call);
}
HEDDLE_API Status cudaGraphExecChildGraphNodeSetParams(GraphExec* exec, Node* node, Graph* child) {
  return replace_in(exec, node, ChildGraph{child->copy()});
}
HEDDLE_API Status cudaGraphExecEventRecordNodeSetEvent(GraphExec* exec, Node* node, Event* event) {
  return replace_in(exec, node, EventRecord{event});
}
HEDDLE_API Status cudaGraphExecEventWaitNodeSetEvent(GraphExec* exec, Node* node, Event* event) {
  return replace_in(exec, node, EventWait{event});
}
HEDDLE_API Status cudaGraphExecNodeSetParams(GraphExec* exec, Node* node, NodeParameters* given) {
  Operation operation;
  const Status status = operation_of(*given, operation);
  return status == Status::Success ? replace_in(exec, node, std::move(operation)) : status;
}
