// Nodes of graphs that the driver API describes in structures of its own: kernels and copies.
#include "cuda/copy.h"
#include "cuda/driver.h"
#include "cudart/graph_api.h"

using namespace heddle::shim;

namespace {

struct DriverKernel : KernelParameters {  // CUDA_KERNEL_NODE_PARAMS_v2
  const void* kernel;                     // where there is no function
  Context* context;

  KernelParameters plain() const {
    KernelParameters result = *this;
    if (!result.stub) result.stub = kernel;
    return result;
  }
};
struct DriverCopyNode {  // CUDA_MEMCPY_NODE_PARAMS
  int flags, reserved;
  Context* context;
  DriverCopy3D copy;
};
struct DriverNode {  // CUgraphNodeParams
  int kind;
  int reserved[3];
  union {
    long long room[29];
    DriverKernel kernel;
    DriverCopyNode copy;
  };
  long long reserved_too;
};
static_assert(sizeof(DriverNode) == sizeof(NodeParameters));
constexpr int kKernelNode = 0, kCopyNode = 1;

// The runtime's description of the same node. Kinds but these two are laid out alike.
Status runtime_node(const DriverNode& given, NodeParameters& node) {
  std::memcpy(&node, &given, sizeof node);
  if (given.kind == kKernelNode) node.kernel = given.kernel.plain();
  if (given.kind != kCopyNode) return Status::Success;
  node.copy.copy = {};
  return copy_of(given.copy.copy, node.copy.copy);
}

template <class Body>
Status with_node(DriverNode* given, Body&& body) {
  return in_context([&] {
    if (!given) return Status::InvalidValue;
    NodeParameters node{};
    Status status = runtime_node(*given, node);
    if (status == Status::Success) status = body(&node);
    // What a node has allocated is told there.
    if (status == Status::Success && given->kind != kKernelNode && given->kind != kCopyNode)
      std::memcpy(given, &node, sizeof node);
    return status;
  });
}

template <class Body>
Status with_copy(const DriverCopy3D* given, Body&& body) {
  return in_context([&] {
    Copy3D copy{};
    const Status status = given ? copy_of(*given, copy) : Status::InvalidValue;
    return status == Status::Success ? body(&copy) : status;
  });
}

template <class Body>
Status with_kernel_node(const DriverKernel* given, Body&& body) {
  return in_context([&] {
    if (!given) return Status::InvalidValue;
    const KernelParameters kernel = given->plain();
    return body(&kernel);
  });
}

}  // namespace

HEDDLE_API Status cuGraphAddKernelNode_v2(Node** node, Graph* graph, Node* const* after, size_t count,
                                          const DriverKernel* given) {
  return with_kernel_node(given,
                          [&](auto* kernel) { return cudaGraphAddKernelNode(node, graph, after, count, kernel); });
}
HEDDLE_API Status cuGraphKernelNodeGetParams_v2(Node* node, DriverKernel* result) {
  return driver([&] {
    result->kernel = nullptr;
    result->context = nullptr;
    return cudaGraphKernelNodeGetParams(node, result);
  });
}
HEDDLE_API Status cuGraphKernelNodeSetParams_v2(Node* node, const DriverKernel* given) {
  return with_kernel_node(given, [&](auto* kernel) { return cudaGraphKernelNodeSetParams(node, kernel); });
}
HEDDLE_API Status cuGraphExecKernelNodeSetParams_v2(GraphExec* exec, Node* node, const DriverKernel* given) {
  return with_kernel_node(given, [&](auto* kernel) { return cudaGraphExecKernelNodeSetParams(exec, node, kernel); });
}

HEDDLE_API Status cuGraphAddMemcpyNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                       const DriverCopy3D* given, Context*) {
  return with_copy(given, [&](auto* copy) { return cudaGraphAddMemcpyNode(node, graph, after, count, copy); });
}
HEDDLE_API Status cuGraphMemcpyNodeGetParams(Node* node, DriverCopy3D* result) {
  return driver([&] {
    Copy3D copy{};
    const Status status = cudaGraphMemcpyNodeGetParams(node, &copy);
    if (status == Status::Success) *result = description_of(copy);
    return status;
  });
}
HEDDLE_API Status cuGraphMemcpyNodeSetParams(Node* node, const DriverCopy3D* given) {
  return with_copy(given, [&](auto* copy) { return cudaGraphMemcpyNodeSetParams(node, copy); });
}
HEDDLE_API Status cuGraphExecMemcpyNodeSetParams(GraphExec* exec, Node* node, const DriverCopy3D* given, Context*) {
  return with_copy(given, [&](auto* copy) { return cudaGraphExecMemcpyNodeSetParams(exec, node, copy); });
}

HEDDLE_API Status cuGraphAddMemsetNode(Node** node, Graph* graph, Node* const* after, size_t count, const Fill* fill,
                                       Context*) {
  return in_context([&] { return cudaGraphAddMemsetNode(node, graph, after, count, fill); });
}
HEDDLE_API Status cuGraphExecMemsetNodeSetParams(GraphExec* exec, Node* node, const Fill* fill, Context*) {
  return in_context([&] { return cudaGraphExecMemsetNodeSetParams(exec, node, fill); });
}

HEDDLE_API Status cuGraphAddNode_v2(Node** node, Graph* graph, Node* const* after, const void* edges, size_t count,
                                    DriverNode* given) {
  return with_node(given, [&](auto* what) { return cudaGraphAddNode_v2(node, graph, after, edges, count, what); });
}
HEDDLE_API Status cuGraphAddNode(Node** node, Graph* graph, Node* const* after, size_t count, DriverNode* given) {
  return cuGraphAddNode_v2(node, graph, after, nullptr, count, given);
}
HEDDLE_API Status cuGraphNodeSetParams(Node* node, DriverNode* given) {
  return with_node(given, [&](auto* what) { return cudaGraphNodeSetParams(node, what); });
}
HEDDLE_API Status cuGraphExecNodeSetParams(GraphExec* exec, Node* node, DriverNode* given) {
  return with_node(given, [&](auto* what) { return cudaGraphExecNodeSetParams(exec, node, what); });
}

// CUDA 10 and 11 ask for a text of errors; there are none that a graph could have.
HEDDLE_API Status cuGraphInstantiate_v2(GraphExec** exec, Graph* graph, Node** culprit, char* log, size_t bytes) {
  if (culprit) *culprit = nullptr;
  if (log && bytes > 0) *log = '\0';
  return in_context([&] { return cudaGraphInstantiateWithFlags(exec, graph, 0); });
}
HEDDLE_API Status cuGraphInstantiate(GraphExec** exec, Graph* graph, Node** culprit, char* log, size_t bytes) {
  return cuGraphInstantiate_v2(exec, graph, culprit, log, bytes);
}
