// As api.h: the functions of graphs.
#pragma once

#include "cudart/graph_node.h"

namespace heddle::shim {

struct UpdateReport {  // cudaGraphExecUpdateResultInfo
  int result;
  Node *node, *from;
};

HEDDLE_API Status cudaGraphCreate(Graph** graph, unsigned flags);
HEDDLE_API Status cudaGraphDestroy(Graph* graph);
HEDDLE_API Status cudaGraphClone(Graph** copy, Graph* graph);
HEDDLE_API Status cudaGraphNodeFindInClone(Node** found, Node* original, Graph* copy);
HEDDLE_API Status cudaGraphDestroyNode(Node* node);
HEDDLE_API Status cudaGraphNodeGetType(Node* node, int* kind);
HEDDLE_API Status cudaGraphGetNodes(Graph* graph, Node** room, size_t* count);
HEDDLE_API Status cudaGraphGetRootNodes(Graph* graph, Node** room, size_t* count);
HEDDLE_API Status heddle_edges_old(Graph* graph, Node** from, Node** to, size_t* count);
HEDDLE_API Status heddle_edges(Graph* graph, Node** from, Node** to, void* data, size_t* count);
HEDDLE_API Status heddle_dependencies_old(Node* node, Node** room, size_t* count);
HEDDLE_API Status heddle_dependencies(Node* node, Node** room, void* data, size_t* count);
HEDDLE_API Status heddle_dependents_old(Node* node, Node** room, size_t* count);
HEDDLE_API Status heddle_dependents(Node* node, Node** room, void* data, size_t* count);
HEDDLE_API Status heddle_add_edges_old(Graph* graph, Node* const* from, Node* const* to, size_t count);
HEDDLE_API Status heddle_add_edges(Graph* graph, Node* const* from, Node* const* to, const void* data, size_t count);
HEDDLE_API Status heddle_remove_edges_old(Graph* graph, Node* const* from, Node* const* to, size_t count);
HEDDLE_API Status heddle_remove_edges(Graph* graph, Node* const* from, Node* const* to, const void* data, size_t count);

HEDDLE_API Status cudaGraphAddKernelNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                         const KernelParameters* given);
HEDDLE_API Status cudaGraphAddMemcpyNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                         const Copy3D* copy);
HEDDLE_API Status cudaGraphAddMemsetNode(Node** node, Graph* graph, Node* const* after, size_t count, const Fill* fill);
HEDDLE_API Status cudaGraphAddHostNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                       const HostCall* call);
HEDDLE_API Status cudaGraphAddChildGraphNode(Node** node, Graph* graph, Node* const* after, size_t count, Graph* child);
HEDDLE_API Status cudaGraphAddEmptyNode(Node** node, Graph* graph, Node* const* after, size_t count);
HEDDLE_API Status cudaGraphAddEventRecordNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                              Event* event);
HEDDLE_API Status cudaGraphAddEventWaitNode(Node** node, Graph* graph, Node* const* after, size_t count, Event* event);
HEDDLE_API Status cudaGraphAddMemAllocNode(Node** node, Graph* graph, Node* const* after, size_t count,
                                           AllocationParameters* given);
HEDDLE_API Status cudaGraphAddMemFreeNode(Node** node, Graph* graph, Node* const* after, size_t count, void* pointer);
HEDDLE_API Status cudaGraphAddNode_v2(Node** node, Graph* graph, Node* const* after, const void* data, size_t count,
                                      NodeParameters* given);
HEDDLE_API Status cudaGraphKernelNodeGetParams(Node* node, KernelParameters* result);
HEDDLE_API Status cudaGraphMemcpyNodeGetParams(Node* node, Copy3D* result);
HEDDLE_API Status cudaGraphMemsetNodeGetParams(Node* node, Fill* result);
HEDDLE_API Status cudaGraphHostNodeGetParams(Node* node, HostCall* result);
HEDDLE_API Status cudaGraphChildGraphNodeGetGraph(Node* node, Graph** result);
HEDDLE_API Status cudaGraphEventRecordNodeGetEvent(Node* node, Event** result);
HEDDLE_API Status cudaGraphEventWaitNodeGetEvent(Node* node, Event** result);
HEDDLE_API Status cudaGraphMemAllocNodeGetParams(Node* node, AllocationParameters* result);
HEDDLE_API Status cudaGraphMemFreeNodeGetParams(Node* node, void* result);
HEDDLE_API Status cudaGraphKernelNodeSetParams(Node* node, const KernelParameters* given);
HEDDLE_API Status cudaGraphMemcpyNodeSetParams(Node* node, const Copy3D* copy);
HEDDLE_API Status cudaGraphMemsetNodeSetParams(Node* node, const Fill* fill);
HEDDLE_API Status cudaGraphHostNodeSetParams(Node* node, const HostCall* call);
HEDDLE_API Status cudaGraphEventRecordNodeSetEvent(Node* node, Event* event);
HEDDLE_API Status cudaGraphEventWaitNodeSetEvent(Node* node, Event* event);
HEDDLE_API Status cudaGraphNodeSetParams(Node* node, NodeParameters* given);

HEDDLE_API Status cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long flags);
HEDDLE_API Status cudaGraphInstantiateWithParams(GraphExec** exec, Graph* graph, void* parameters);
HEDDLE_API Status cudaGraphExecDestroy(GraphExec* exec);
HEDDLE_API Status cudaGraphExecGetFlags(GraphExec* exec, unsigned long long* flags);
HEDDLE_API Status cudaGraphUpload(GraphExec* exec, Stream* stream);
HEDDLE_API Status cudaGraphLaunch(GraphExec* exec, Stream* stream);
HEDDLE_API Status heddle_update_11(GraphExec* exec, Graph* graph, Node** culprit, int* result);
HEDDLE_API Status heddle_update(GraphExec* exec, Graph* graph, UpdateReport* report);
HEDDLE_API Status cudaGraphNodeSetEnabled(GraphExec* exec, Node* original, unsigned enabled);
HEDDLE_API Status cudaGraphNodeGetEnabled(GraphExec* exec, Node* original, unsigned* enabled);
HEDDLE_API Status cudaGraphExecKernelNodeSetParams(GraphExec* exec, Node* node, const KernelParameters* given);
HEDDLE_API Status cudaGraphExecMemcpyNodeSetParams(GraphExec* exec, Node* node, const Copy3D* copy);
HEDDLE_API Status cudaGraphExecMemsetNodeSetParams(GraphExec* exec, Node* node, const Fill* fill);
HEDDLE_API Status cudaGraphExecHostNodeSetParams(GraphExec* exec, Node* node, const HostCall* call);
HEDDLE_API Status cudaGraphExecChildGraphNodeSetParams(GraphExec* exec, Node* node, Graph* child);
HEDDLE_API Status cudaGraphExecEventRecordNodeSetEvent(GraphExec* exec, Node* node, Event* event);
HEDDLE_API Status cudaGraphExecEventWaitNodeSetEvent(GraphExec* exec, Node* node, Event* event);
HEDDLE_API Status cudaGraphExecNodeSetParams(GraphExec* exec, Node* node, NodeParameters* given);

}  // namespace heddle::shim
