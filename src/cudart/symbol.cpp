// Variables of the program on the GPU: __device__, __constant__, __managed__.
#include "cudart/copy.h"
#include "cudart/stream.h"

using namespace heddle::shim;

namespace {

template <class Body>
Status with_variable(const void* shadow, Body&& body) {
  return gpu_api([&](State& state) {
    const auto found = state.variables.find(shadow);
    if (found == state.variables.end()) return Status::InvalidSymbol;
    const Status status = state.find(found->second);
    return status == Status::Success ? body(state, found->second) : status;
  });
}

Block part_of(const Variable& variable, size_t bytes, size_t offset) {
  return {reinterpret_cast<std::byte*>(variable.address) + offset, bytes, bytes, 1, 0, 1};
}
Block elsewhere(const void* pointer, size_t bytes) { return {const_cast<void*>(pointer), bytes, bytes, 1, 0, 1}; }

bool fits(const Variable& variable, size_t bytes, size_t offset) {
  return offset <= variable.bytes && bytes <= variable.bytes - offset;
}

}  // namespace

namespace heddle::shim {

Status to_symbol_copy(Copy3D& copy, const void* symbol, const void* from, size_t bytes, size_t offset, CopyKind kind) {
  return with_variable(symbol, [&](State&, const Variable& variable) {
    if (!fits(variable, bytes, offset)) return Status::InvalidValue;
    copy = line_copy(part_of(variable, bytes, offset).pointer, from, bytes, kind);
    return Status::Success;
  });
}
Status from_symbol_copy(Copy3D& copy, void* to, const void* symbol, size_t bytes, size_t offset, CopyKind kind) {
  return with_variable(symbol, [&](State&, const Variable& variable) {
    if (!fits(variable, bytes, offset)) return Status::InvalidValue;
    copy = line_copy(to, part_of(variable, bytes, offset).pointer, bytes, kind);
    return Status::Success;
  });
}

}  // namespace heddle::shim

HEDDLE_API Status cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, CopyKind kind) {
  return with_variable(symbol, [&](State& state, const Variable& variable) {
    if (!fits(variable, bytes, offset)) return Status::InvalidValue;
    if (kind == CopyKind::DeviceToHost || kind == CopyKind::HostToHost) return Status::InvalidMemcpyDirection;
    return copy(state, part_of(variable, bytes, offset), elsewhere(from, bytes), kind);
  });
}
HEDDLE_API Status cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, CopyKind kind) {
  return with_variable(symbol, [&](State& state, const Variable& variable) {
    if (!fits(variable, bytes, offset)) return Status::InvalidValue;
    if (kind == CopyKind::HostToDevice || kind == CopyKind::HostToHost) return Status::InvalidMemcpyDirection;
    return copy(state, elsewhere(to, bytes), part_of(variable, bytes, offset), kind);
  });
}
HEDDLE_API Status cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                          CopyKind kind, Stream* stream) {
  if (!is_captured(stream)) return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
  Copy3D copy{};
  const Status status = to_symbol_copy(copy, symbol, from, bytes, offset, kind);
  return status == Status::Success ? keep(stream, copy) : status;
}
HEDDLE_API Status cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, CopyKind kind,
                                            Stream* stream) {
  if (!is_captured(stream)) return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
  Copy3D copy{};
  const Status status = from_symbol_copy(copy, to, symbol, bytes, offset, kind);
  return status == Status::Success ? keep(stream, copy) : status;
}
HEDDLE_API Status cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return with_variable(symbol, [&](State&, const Variable& variable) {
    *pointer = reinterpret_cast<void*>(variable.address);
    return Status::Success;
  });
}
HEDDLE_API Status cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return with_variable(symbol, [&](State&, const Variable& variable) {
    *bytes = variable.bytes;
    return Status::Success;
  });
}
