// What is known of a pointer.
#include <cstring>

#include "cuda/driver.h"

using namespace heddle::shim;

namespace {

enum PointerAttribute : int {  // CUpointer_attribute
  OfContext = 1,
  OfMemoryType = 2,
  OfDevicePointer = 3,
  OfHostPointer = 4,
  OfSyncMemops = 6,
  OfBufferId = 7,
  OfManaged = 8,
  OfDeviceOrdinal = 9,
  OfIpc = 10,
  OfBegin = 11,
  OfSize = 12,
  OfMapped = 13,
  OfHandleTypes = 14,
  OfRdma = 15,
  OfAccess = 16,
  OfPool = 17,
};

template <class T>
Status give(void* to, T value) {
  std::memcpy(to, &value, sizeof value);
  return Status::Success;
}

Status range_attribute(void* to, PointerAttribute attribute, const void* pointer) {
  uint64_t begin = 0, bytes = 0;
  gpu_api([&](State& state) { return state.range_at(pointer, begin, bytes) ? Status::Success : Status::InvalidValue; });
  return attribute == OfSize ? give(to, bytes) : give(to, begin);
}

// Of memory that CUDA knows. Everything is as the program's one device has it.
Status known_attribute(void* to, PointerAttribute attribute, const void* pointer, const PointerAttributes& about) {
  switch (attribute) {
    case OfContext: return give<void*>(to, current_context());
    case OfMemoryType: return give(to, about.kind == MemoryKind::Host ? 1U : 2U);
    case OfDevicePointer: return give(to, about.device_pointer);
    case OfHostPointer: return about.host_pointer ? give(to, about.host_pointer) : Status::InvalidValue;
    case OfManaged: return give(to, about.kind == MemoryKind::Managed);
    case OfDeviceOrdinal: return give(to, 0);
    case OfBegin:
    case OfBufferId:
    case OfSize: return range_attribute(to, attribute, pointer);
    case OfMapped: return give(to, true);
    case OfAccess: return give(to, 3U);  // reading and writing
    case OfSyncMemops:
    case OfIpc:
    case OfRdma: return give(to, false);
    case OfHandleTypes: return give(to, uint64_t{0});
    case OfPool: return give<void*>(to, nullptr);
  }
  return Status::NotSupported;
}

void give_nothing(void* to, PointerAttribute attribute) {
  switch (attribute) {
    case OfDeviceOrdinal: give(to, -2); break;
    case OfMemoryType:
    case OfAccess: give(to, 0); break;
    case OfManaged:
    case OfMapped:
    case OfSyncMemops:
    case OfIpc:
    case OfRdma: give(to, false); break;
    case OfContext:
    case OfDevicePointer:
    case OfHostPointer:
    case OfBufferId:
    case OfBegin:
    case OfSize:
    case OfHandleTypes:
    case OfPool: give(to, uint64_t{0}); break;
  }
}

Status pointer_attribute(void* to, PointerAttribute attribute, const void* pointer) {
  PointerAttributes about{};
  const Status status = cudaPointerGetAttributes(&about, pointer);
  if (status != Status::Success) return status;
  return about.kind == MemoryKind::Unregistered ? Status::InvalidValue : known_attribute(to, attribute, pointer, about);
}

}  // namespace

HEDDLE_API Status cuPointerGetAttribute(void* to, PointerAttribute attribute, const void* pointer) {
  return driver([&] { return to ? pointer_attribute(to, attribute, pointer) : Status::InvalidValue; });
}
// Of memory that CUDA does not know it says so by zeros, and a device of no number.
HEDDLE_API Status cuPointerGetAttributes(unsigned count, const PointerAttribute* attributes, void** to,
                                         const void* pointer) {
  return driver([&] {
    for (unsigned i = 0; i < count; ++i) {
      const Status status = pointer_attribute(to[i], attributes[i], pointer);
      if (status == Status::Success) continue;
      if (status != Status::InvalidValue) return status;
      give_nothing(to[i], attributes[i]);
    }
    return Status::Success;
  });
}
