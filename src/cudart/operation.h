// What a stream can be told to do, as values: done at once, or kept in a graph and done at each of its launches.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cudart/state.h"

namespace heddle::shim {

struct Graph;

struct LaunchShape {
  Dimensions grid, block;
  size_t dynamic_shared;
  bool cooperative;
};

struct KernelLaunch {
  const void* stub = nullptr;
  LaunchShape shape{};
  std::vector<std::string> arguments;  // their bytes
  std::vector<void*> pointers() const;
};
struct Fill {  // cudaMemsetParams
  void* to;
  size_t pitch;
  unsigned value, element;  // bytes of an element: 1, 2 or 4
  size_t width, height;     // elements, rows
};
struct HostCall {  // cudaHostNodeParams
  void (*function)(void*);
  void* argument;
};
struct ChildGraph {
  std::shared_ptr<Graph> graph;
};
struct Nothing {};
struct EventWait {
  Event* event;
};
struct EventRecord {
  Event* event;
};
struct Allocate {  // the memory is there from the making of the node on
  void* pointer;
  size_t bytes;
};
struct Release {
  void* pointer;
};

// In the order of cudaGraphNodeType, which has two kinds between EventRecord and Allocate that we have not.
using Operation =
    std::variant<KernelLaunch, Copy3D, Fill, HostCall, ChildGraph, Nothing, EventWait, EventRecord, Allocate, Release>;
inline int kind_of(const Operation& operation) {
  const int index = static_cast<int>(operation.index());
  return index < 8 ? index : index + 2;
}

// Does it, in the order of the calls. Takes the lock itself, and holds it during no function of the program.
Status perform(const Operation& operation, Stream* stream);

// launch.cpp
Status launch(const Stream* stream, const void* stub, const LaunchShape& shape, void** arguments);
Status keep_arguments(State& state, KernelLaunch& launch, void** arguments);
// copy.cpp
Copy3D line_copy(void* to, const void* from, size_t bytes, CopyKind kind);
Copy3D plane_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                  CopyKind kind);
// symbol.cpp
Status to_symbol_copy(Copy3D& copy, const void* symbol, const void* from, size_t bytes, size_t offset, CopyKind kind);
Status from_symbol_copy(Copy3D& copy, void* to, const void* symbol, size_t bytes, size_t offset, CopyKind kind);
// memory.cpp
Status fill(State& state, const Fill& what, const Stream* stream);
Status fill_or_keep(Stream* stream, const Fill& what);  // in the order of the stream, or kept
Status graph_memory(void** pointer, size_t bytes);      // stays until the device is reset
// event.cpp
Status record(Event* event, const Stream* stream);

}  // namespace heddle::shim
