// Nodes: making them, asking about them, changing them.
#include "cudart/graph_node.h"

using namespace heddle::shim;

namespace {

constexpr unsigned kKernel = 0, kCopy = 1, kFill = 2, kHost = 3, kChild = 4, kEmpty = 5, kWait = 6, kRecord = 7,
                   kAllocate = 10, kRelease = 11;

Status add(Node** result, Graph* graph, Node* const* dependencies, size_t count, Operation operation) {
  return gpu_api([&](State&) {
    if (!result || !graph || (count > 0 && !dependencies)) return Status::InvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (!graph->owns(dependencies[i])) return Status::InvalidValue;
    *result = graph->add(std::move(operation), {dependencies, dependencies + count});
    return Status::Success;
  });
}

Status kernel_operation(const KernelParameters* given, Operation& operation) {
  return gpu_api([&](State& state) { return given ? operation_of(state, *given, operation) : Status::InvalidValue; });
}

Operation child_operation(const Graph* graph) { return ChildGraph{graph->copy()}; }

template <class T, class Body>
Status with(Node* node, Body&& body) {
  return gpu_api([&](State&) {
    T* const operation = node ? std::get_if<T>(&node->operation) : nullptr;
    if (!operation) return Status::InvalidValue;
    body(*operation);
    return Status::Success;
  });
}

}  // namespace

namespace heddle::shim {

Status operation_of(State& state, const KernelParameters& given, Operation& operation) {
  if (given.extra && !given.arguments) return Status::NotSupported;
  KernelLaunch kernel{given.stub, {given.grid, given.block, given.dynamic_shared, false}, {}};
  const Status status = keep_arguments(state, kernel, given.arguments);
  if (status == Status::Success) operation = std::move(kernel);
  return status;
}

Status operation_of(NodeParameters& given, Operation& operation) {
  switch (given.kind) {
    case kKernel: return kernel_operation(&given.kernel, operation);
    case kCopy: operation = given.copy.copy; return Status::Success;
    case kFill: operation = given.fill; return Status::Success;
    case kHost: operation = given.host; return Status::Success;
    case kChild: operation = child_operation(given.child); return Status::Success;
    case kEmpty: operation = Nothing{}; return Status::Success;
    case kWait: operation = EventWait{given.event}; return Status::Success;
    case kRecord: operation = EventRecord{given.event}; return Status::Success;
    case kAllocate: {
      const Status status = graph_memory(&given.allocation.pointer, given.allocation.bytes);
      operation = Allocate{given.allocation.pointer, given.allocation.bytes};
      return status;
    }
    case kRelease: operation = Release{given.released}; return Status::Success;
    default: return Status::NotSupported;
  }
}

Status replace(Node* node, Operation operation) {
  return gpu_api([&](State&) {
    if (!node || node->operation.index() != operation.index()) return Status::InvalidValue;
    node->operation = std::move(operation);
    return Status::Success;
  });
}

}  // namespace heddle::shim

HEDDLE_API Status cudaGraphAddKernelNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                         const KernelParameters* given) {
  Operation operation;
  const Status status = kernel_operation(given, operation);
  return status == Status::Success ? add(node, graph, after, count, std::move(operation)) : status;
}
HEDDLE_API Status cudaGraphAddMemcpyNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                         const Copy3D* copy) {
  return add(node, graph, after, count, *copy);
}
HEDDLE_API Status cudaGraphAddMemcpyNode1D(Node** node, Graph* graph, Node* const* after, size_t count, void* to,
                                           const void* from, size_t bytes, CopyKind kind) {
  return add(node, graph, after, count, line_copy(to, from, bytes, kind));
}
HEDDLE_API Status cudaGraphAddMemcpyNodeToSymbol(Node** node, Graph* graph, Node* const* after, size_t count,
                                                 const void* symbol, const void* from, size_t bytes, size_t offset,
                                                 CopyKind kind) {
  Copy3D copy{};
  const Status status = to_symbol_copy(copy, symbol, from, bytes, offset, kind);
  return status == Status::Success ? add(node, graph, after, count, copy) : status;
}
HEDDLE_API Status cudaGraphAddMemcpyNodeFromSymbol(Node** node, Graph* graph, Node* const* after, size_t count,
                                                   void* to, const void* symbol, size_t bytes, size_t offset,
                                                   CopyKind kind) {
  Copy3D copy{};
  const Status status = from_symbol_copy(copy, to, symbol, bytes, offset, kind);
  return status == Status::Success ? add(node, graph, after, count, copy) : status;
}
HEDDLE_API Status cudaGraphAddMemsetNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                         const Fill* fill) {
  return add(node, graph, after, count, *fill);
}
HEDDLE_API Status cudaGraphAddHostNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                       const HostCall* call) {
  return add(node, graph, after, count, *call);
}
HEDDLE_API Status cudaGraphAddChildGraphNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                             Graph* child) {
  return add(node, graph, after, count, child_operation(child));
}
HEDDLE_API Status cudaGraphAddEmptyNode(Node** node, Graph* graph, Node* const* after, size_t count) {
  return add(node, graph, after, count, Nothing{});
}
HEDDLE_API Status cudaGraphAddEventRecordNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                              Event* event) {
  return add(node, graph, after, count, EventRecord{event});
}
HEDDLE_API Status cudaGraphAddEventWaitNode(Node** node, Graph* graph, Node* const* after, size_t count, Event* event) {
  return add(node, graph, after, count, EventWait{event});
}
HEDDLE_API Status cudaGraphAddMemAllocNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                           AllocationParameters* given) {
  const Status status = graph_memory(&given->pointer, given->bytes);
  return status == Status::Success ? add(node, graph, after, count, Allocate{given->pointer, given->bytes}) : status;
}
HEDDLE_API Status cudaGraphAddMemFreeNode(Node** node, Graph* graph, Node* const* after, size_t count, void* pointer) {
  return add(node, graph, after, count, Release{pointer});
}

// CUDA 13 has given it the data of the edges, as CUDA 12 has its second version.
HEDDLE_API Status cudaGraphAddNode_v2(Node** node, Graph* graph, Node* const* after, const void*, size_t count,
                                      NodeParameters* given) {
  Operation operation;
  const Status status = operation_of(*given, operation);
  return status == Status::Success ? add(node, graph, after, count, std::move(operation)) : status;
}
HEDDLE_API Status heddle_add_node_12(Node** node, Graph* graph, Node* const* after, size_t count,
                                     NodeParameters* given) {
  return cudaGraphAddNode_v2(node, graph, after, nullptr, count, given);
}
HEDDLE_API Status heddle_add_node_13(Node** node, Graph* graph, Node* const* after, const void* edges, size_t count,
                                     NodeParameters* given) {
  return cudaGraphAddNode_v2(node, graph, after, edges, count, given);
}
__asm__(".symver heddle_add_node_12, cudaGraphAddNode@libcudart.so.12");
__asm__(".symver heddle_add_node_13, cudaGraphAddNode@@libcudart.so.13");

HEDDLE_API Status cudaGraphKernelNodeGetParams(Node* node, KernelParameters* result) {
  return with<KernelLaunch>(node, [&](const KernelLaunch& kernel) {
    node->argument_pointers = kernel.pointers();
    *result = {kernel.stub,
               kernel.shape.grid,
               kernel.shape.block,
               static_cast<unsigned>(kernel.shape.dynamic_shared),
               node->argument_pointers.data(),
               nullptr};
  });
}
HEDDLE_API Status cudaGraphMemcpyNodeGetParams(Node* node, Copy3D* result) {
  return with<Copy3D>(node, [&](const Copy3D& copy) { *result = copy; });
}
HEDDLE_API Status cudaGraphMemsetNodeGetParams(Node* node, Fill* result) {
  return with<Fill>(node, [&](const Fill& fill) { *result = fill; });
}
HEDDLE_API Status cudaGraphHostNodeGetParams(Node* node, HostCall* result) {
  return with<HostCall>(node, [&](const HostCall& call) { *result = call; });
}
HEDDLE_API Status cudaGraphChildGraphNodeGetGraph(Node* node, Graph** result) {
  return with<ChildGraph>(node, [&](const ChildGraph& child) { *result = child.graph.get(); });
}
HEDDLE_API Status cudaGraphEventRecordNodeGetEvent(Node* node, Event** result) {
  return with<EventRecord>(node, [&](const EventRecord& record) { *result = record.event; });
}
HEDDLE_API Status cudaGraphEventWaitNodeGetEvent(Node* node, Event** result) {
  return with<EventWait>(node, [&](const EventWait& wait) { *result = wait.event; });
}
HEDDLE_API Status cudaGraphMemAllocNodeGetParams(Node* node, AllocationParameters* result) {
  return with<Allocate>(node, [&](const Allocate& what) {
    *result = {};
    result->bytes = what.bytes;
    result->pointer = what.pointer;
  });
}
HEDDLE_API Status cudaGraphMemFreeNodeGetParams(Node* node, void* result) {
  return with<Release>(node, [&](const Release& what) { *static_cast<void**>(result) = what.pointer; });
}

HEDDLE_API Status cudaGraphKernelNodeSetParams(Node* node, const KernelParameters* given) {
  Operation operation;
  const Status status = kernel_operation(given, operation);
  return status == Status::Success ? replace(node, std::move(operation)) : status;
}
HEDDLE_API Status cudaGraphMemcpyNodeSetParams(Node* node, const Copy3D* copy) { return replace(node, *copy); }
HEDDLE_API Status cudaGraphMemcpyNodeSetParams1D(Node* node, void* to, const void* from, size_t bytes, CopyKind kind) {
  return replace(node, line_copy(to, from, bytes, kind));
}
HEDDLE_API Status cudaGraphMemcpyNodeSetParamsToSymbol(Node* node, const void* symbol, const void* from, size_t bytes,
                                                       size_t offset, CopyKind kind) {
  Copy3D copy{};
  const Status status = to_symbol_copy(copy, symbol, from, bytes, offset, kind);
  return status == Status::Success ? replace(node, copy) : status;
}
HEDDLE_API Status cudaGraphMemcpyNodeSetParamsFromSymbol(Node* node, void* to, const void* symbol, size_t bytes,
                                                         size_t offset, CopyKind kind) {
  Copy3D copy{};
  const Status status = from_symbol_copy(copy, to, symbol, bytes, offset, kind);
  return status == Status::Success ? replace(node, copy) : status;
}
HEDDLE_API Status cudaGraphMemsetNodeSetParams(Node* node, const Fill* fill) { return replace(node, *fill); }
HEDDLE_API Status cudaGraphHostNodeSetParams(Node* node, const HostCall* call) { return replace(node, *call); }
HEDDLE_API Status cudaGraphEventRecordNodeSetEvent(Node* node, Event* event) {
  return replace(node, EventRecord{event});
}
HEDDLE_API Status cudaGraphEventWaitNodeSetEvent(Node* node, Event* event) { return replace(node, EventWait{event}); }
HEDDLE_API Status cudaGraphNodeSetParams(Node* node, NodeParameters* given) {
  Operation operation;
  const Status status = operation_of(*given, operation);
  return status == Status::Success ? replace(node, std::move(operation)) : status;
}

// Attributes say where and how well a kernel runs, not what it does.
HEDDLE_API Status cudaGraphKernelNodeCopyAttributes(Node*, Node*) { return Status::Success; }
HEDDLE_API Status cudaGraphKernelNodeSetAttribute(Node*, int, const void*) { return Status::Success; }
