// Nodes as a program describes them, in the structures of the CUDA API.
#pragma once

#include "cudart/graph.h"

namespace heddle::shim {

struct KernelParameters {  // cudaKernelNodeParams; its second version has more behind it
  const void* stub;
  Dimensions grid, block;
  unsigned dynamic_shared;
  void** arguments;
  void** extra;
};
struct AllocationParameters {  // cudaMemAllocNodeParams
  char pool[88];
  const void* access;
  size_t access_count, bytes;
  void* pointer;
};
struct NodeParameters {  // cudaGraphNodeParams
  int kind;
  int reserved[3];
  union {
    long long room[29];
    KernelParameters kernel;
    struct {
      int reserved[4];
      Copy3D copy;
    } copy;
    Fill fill;
    HostCall host;
    Graph* child;
    Event* event;
    AllocationParameters allocation;
    void* released;
  };
  long long reserved_too;
};

Status operation_of(State& state, const KernelParameters& given, Operation& operation);
// The operation of a description of any kind. What is to be allocated is, and its address is in the description.
Status operation_of(NodeParameters& given, Operation& operation);

// Another operation of the same kind in its place.
Status replace(Node* node, Operation operation);

}  // namespace heddle::shim
