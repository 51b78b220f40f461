// Memory of the program that kernels can reach. What is allocated here is GPU memory, which the program sees at the
// same address; what the program had already, and registers, is moved there page by page, under its feet. All but
// stacks: they are in use while they would be moved. They count as registered, and kernels cannot reach them.
#include "cudart/host_memory.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

using namespace heddle::shim;

namespace {

const auto kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));

struct Registered {
  uint64_t begin, bytes;  // whole pages of the program
  uint64_t device;        // where they are on the GPU
  void* allocation;       // nullptr: they have not been moved
  MemoryKind kind;        // what they count as
};
std::map<uint64_t, Registered> registered;  // by the program's pointer; under the lock of State

// Is it on the stack of the calling thread?
bool on_stack(uint64_t pointer) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* begin = nullptr;
  size_t bytes = 0;
  const bool known = pthread_attr_getstack(&attributes, &begin, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  return known && pointer - reinterpret_cast<uint64_t>(begin) < bytes;
}

// Puts the pages of GPU memory that hold a copy of it in the place of the program's own.
Status register_pages(State& state, uint64_t pointer, uint64_t bytes, MemoryKind kind) {
  Registered entry{};
  entry.kind = kind;
  entry.begin = pointer / kPage * kPage;
  entry.bytes = (pointer + bytes + kPage - 1) / kPage * kPage - entry.begin;
  if (on_stack(pointer)) {
    registered[pointer] = entry;
    return Status::Success;
  }
  const char* const label = kind == MemoryKind::Managed ? "managed variables" : "cudaHostRegister";
  const Status status = state.allocate(entry.bytes + kPage, kind, label, &entry.allocation);
  if (status != Status::Success) return status;
  entry.device = (reinterpret_cast<uint64_t>(entry.allocation) + kPage - 1) / kPage * kPage;
  void* const from = reinterpret_cast<void*>(entry.begin);
  std::memcpy(reinterpret_cast<void*>(entry.device), from, entry.bytes);
  if (mmap(from, entry.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, state.simulator.memory_file(),
           static_cast<off_t>(entry.device - state.simulator.base())) == MAP_FAILED)
    return Status::MemoryAllocation;
  registered[pointer] = entry;
  return Status::Success;
}

Status unregister_pages(State& state, const Registered& entry) {
  void* const to = reinterpret_cast<void*>(entry.begin);
  const Status status = state.synchronize();
  if (status != Status::Success || !entry.allocation) return status;
  if (mmap(to, entry.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return Status::Unknown;
  std::memcpy(to, reinterpret_cast<const void*>(entry.device), entry.bytes);
  return state.release(entry.allocation);
}

const Registered* registered_at(uint64_t pointer) {
  const auto after = registered.upper_bound(pointer);
  if (after == registered.begin()) return nullptr;
  const Registered& entry = std::prev(after)->second;
  return pointer - entry.begin < entry.bytes ? &entry : nullptr;
}

}  // namespace

namespace heddle::shim {

Status move_managed(State& state, const void* begin, size_t bytes) {
  return register_pages(state, reinterpret_cast<uint64_t>(begin), bytes, MemoryKind::Managed);
}

std::optional<Moved> moved_at(const void* pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  const Registered* const entry = registered_at(address);
  if (!entry || !entry->allocation) return std::nullopt;
  return Moved{entry->device + (address - entry->begin), entry->kind};
}

}  // namespace heddle::shim

HEDDLE_API Status cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  return gpu_api([&](State& state) {
    *pointer = nullptr;
    return bytes == 0 ? Status::Success : state.allocate(bytes, MemoryKind::Host, "cudaHostAlloc", pointer);
  });
}
HEDDLE_API Status cudaMallocHost(void** pointer, size_t bytes) { return cudaHostAlloc(pointer, bytes, 0); }
HEDDLE_API Status cudaFreeHost(void* pointer) {
  return gpu_api([&](State& state) {
    if (!pointer) return Status::Success;
    const Status status = state.synchronize();
    return status == Status::Success ? state.release(pointer) : status;
  });
}

HEDDLE_API Status cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  return gpu_api([&](State& state) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    if (!pointer || bytes == 0) return Status::InvalidValue;
    if (registered_at(address) || state.simulator.in_memory(pointer)) return Status::HostMemoryAlreadyRegistered;
    return register_pages(state, address, bytes, MemoryKind::Host);
  });
}
HEDDLE_API Status cudaHostUnregister(void* pointer) {
  return gpu_api([&](State& state) {
    const auto found = registered.find(reinterpret_cast<uint64_t>(pointer));
    if (found == registered.end()) return Status::HostMemoryNotRegistered;
    const Registered entry = found->second;
    registered.erase(found);
    return unregister_pages(state, entry);
  });
}
HEDDLE_API Status cudaHostGetDevicePointer(void** device, void* pointer, unsigned) {
  return gpu_api([&](State& state) {
    if (state.allocation_at(pointer)) {
      *device = pointer;
    } else if (const auto moved = moved_at(pointer)) {
      *device = reinterpret_cast<void*>(moved->device);
    } else {
      return Status::InvalidValue;
    }
    return Status::Success;
  });
}
HEDDLE_API Status cudaHostGetFlags(unsigned* flags, void* pointer) {
  return gpu_api([&](State& state) {
    const Allocation* allocation = state.allocation_at(pointer);
    if (!allocation || allocation->kind != MemoryKind::Host) return Status::InvalidValue;
    *flags = 2;  // mapped
    return Status::Success;
  });
}
