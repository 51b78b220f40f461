// Graphs made node by node, changed, copied, and put into others.
#include "check.h"

__device__ int summand;

__global__ void add(int* value, int by) { *value += by; }
__global__ void add_variable(int* value) { *value += summand; }

int* device;

int value() {
  int result;
  CUDA(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

cudaKernelNodeParams kernel_of(void* stub, void** arguments) {
  cudaKernelNodeParams parameters{};
  parameters.func = stub;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  return parameters;
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, int by) {
  void* arguments[] = {&device, &by};
  const cudaKernelNodeParams parameters = kernel_of(reinterpret_cast<void*>(add), arguments);
  cudaGraphNode_t node;
  CUDA(cudaGraphAddKernelNode(&node, graph, after, count, &parameters));
  return node;
}

void run(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphUpload(exec, nullptr));
  CUDA(cudaGraphLaunch(exec, nullptr));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaGraphExecDestroy(exec));
}

int host_saw, host_result;

void every_kind_of_node() {
  cudaGraph_t graph;
  CUDA(cudaGraphCreate(&graph, 0));
  const cudaMemsetParams zero = {device, 0, 0x01010101, 4, 1, 1};
  cudaGraphNode_t cleared, copied, symbol, added, kernel, back, called, nothing;
  CUDA(cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &zero));
  static int thousand = 1000;
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(&thousand, sizeof(int), sizeof(int), 1);
  copy.dstPtr = make_cudaPitchedPtr(device, sizeof(int), sizeof(int), 1);
  copy.extent = make_cudaExtent(sizeof(int), 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaGraphAddMemcpyNode(&copied, graph, &cleared, 1, &copy));
  static int thirty = 30;
  CUDA(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, nullptr, 0, summand, &thirty, sizeof(int), 0,
                                      cudaMemcpyHostToDevice));
  added = add_kernel(graph, &copied, 1, 4);
  void* arguments[] = {&device};
  const cudaKernelNodeParams with_variable = kernel_of(reinterpret_cast<void*>(add_variable), arguments);
  const cudaGraphNode_t both[] = {added, symbol};
  CUDA(cudaGraphAddKernelNode(&kernel, graph, both, 2, &with_variable));
  CUDA(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, &host_result, device, sizeof(int), cudaMemcpyDeviceToHost));
  const cudaHostNodeParams look = {[](void* from) { host_saw = *static_cast<int*>(from); }, &host_result};
  CUDA(cudaGraphAddHostNode(&called, graph, &back, 1, &look));
  CUDA(cudaGraphAddEmptyNode(&nothing, graph, &called, 1));
  run(graph);
  EXPECT(host_saw == 1034 && value() == 1034);
  size_t nodes = 0, edges = 0, roots = 0;
  CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CUDA(cudaGraphGetRootNodes(graph, nullptr, &roots));
  EXPECT(nodes == 8 && edges == 7 && roots == 2);
  cudaGraphNodeType type;
  CUDA(cudaGraphNodeGetType(symbol, &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);
  CUDA(cudaGraphNodeGetType(nothing, &type));
  EXPECT(type == cudaGraphNodeTypeEmpty);
  CUDA(cudaGraphDestroy(graph));
}

// The edges decide, not the order in which nodes were made.
void edges_are_kept() {
  cudaGraph_t graph;
  CUDA(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t late = add_kernel(graph, nullptr, 0, 1);
  cudaGraphNode_t early;
  const cudaMemsetParams zero = {device, 0, 0, 4, 1, 1};
  CUDA(cudaGraphAddMemsetNode(&early, graph, nullptr, 0, &zero));
  CUDA(cudaGraphAddDependencies(graph, &early, &late, nullptr, 1));
  run(graph);
  EXPECT(value() == 1);
  CUDA(cudaGraphAddDependencies(graph, &late, &early, nullptr, 1));  // round in a circle
  cudaGraphExec_t exec;
  EXPECT_ERROR(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  cudaGetLastError();
  CUDA(cudaGraphDestroy(graph));
}

void parameters_can_be_changed() {
  CUDA(cudaMemset(device, 0, sizeof(int)));
  cudaGraph_t graph;
  CUDA(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = add_kernel(graph, nullptr, 0, 1);
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  cudaKernelNodeParams parameters;
  CUDA(cudaGraphKernelNodeGetParams(node, &parameters));
  EXPECT(parameters.gridDim.x == 1 && *static_cast<int*>(parameters.kernelParams[1]) == 1);
  int by = 10;
  void* arguments[] = {&device, &by};
  parameters.kernelParams = arguments;
  CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &parameters));  // the copy changes, the graph does not
  CUDA(cudaGraphLaunch(exec, nullptr));
  run(graph);
  EXPECT(value() == 11);
  CUDA(cudaGraphNodeSetEnabled(exec, node, 0));
  CUDA(cudaGraphLaunch(exec, nullptr));
  EXPECT(value() == 11);
  by = 100;
  CUDA(cudaGraphKernelNodeSetParams(node, &parameters));
  run(graph);
  EXPECT(value() == 111);
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
}

void graphs_are_copied_and_nested() {
  CUDA(cudaMemset(device, 0, sizeof(int)));
  cudaGraph_t inner, copy, outer;
  CUDA(cudaGraphCreate(&inner, 0));
  const cudaGraphNode_t node = add_kernel(inner, nullptr, 0, 2);
  CUDA(cudaGraphClone(&copy, inner));
  cudaGraphNode_t same;
  CUDA(cudaGraphNodeFindInClone(&same, node, copy));
  EXPECT(same != node);
  CUDA(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t first, second;
  CUDA(cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, inner));
  CUDA(cudaGraphAddChildGraphNode(&second, outer, &first, 1, copy));
  CUDA(cudaGraphDestroy(inner));
  CUDA(cudaGraphDestroy(copy));
  run(outer);
  EXPECT(value() == 4);
  CUDA(cudaGraphDestroy(outer));
}

int main() {
  CUDA(cudaMalloc(&device, sizeof(int)));
  every_kind_of_node();
  edges_are_kept();
  parameters_can_be_changed();
  graphs_are_copied_and_nested();
  return passed();
}
