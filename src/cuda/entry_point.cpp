// cuGetProcAddress: functions by their name without a version, and the CUDA version whose function of that name is
// meant. The table has the version with which each came.
#include <string_view>

#include "cuda/driver.h"
#include "cudart/limits.h"
#include "cudart/own_library.h"

using namespace heddle::shim;

namespace {

struct EntryPoint {
  std::string_view symbol;
  int since;

  // The name without its _v2 ….
  std::string_view name() const {
    const size_t at = symbol.rfind("_v");
    const bool versioned =
        at != std::string_view::npos && symbol.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
    return versioned ? symbol.substr(0, at) : symbol;
  }
};

constexpr EntryPoint kEntryPoints[] = {
#define IMPLEMENTED(name, since) {#name, since},
#define HARMLESS(name, since) {#name, since},
#define NOT_SUPPORTED(name, since) {#name, since},
#include "wire/driver_functions.def"
};

enum class Found : int { Yes = 0, Nowhere = 1, LaterVersion = 2 };  // CUdriverProcAddressQueryResult

const EntryPoint* find(std::string_view name, int version, Found& found) {
  const EntryPoint* best = nullptr;
  found = Found::Nowhere;
  for (const EntryPoint& each : kEntryPoints) {
    if (each.name() != name) continue;
    if (found == Found::Nowhere) found = Found::LaterVersion;
    if (each.since <= version && (!best || each.since > best->since)) best = &each;
  }
  if (best) found = Found::Yes;
  return best;
}

}  // namespace

// Functions for the default stream of a thread are the same as the others (per_thread.def), so that flags change
// nothing.
HEDDLE_API Status cuGetProcAddress_v2(const char* name, void** function, int version, uint64_t, Found* found) {
  if (!name || !function) return Status::InvalidValue;
  Found result = Found::Nowhere;
  const EntryPoint* const entry = find(name, version, result);
  *function = entry ? own_function(entry->symbol.data()) : nullptr;
  if (found) *found = result;
  return *function ? Status::Success : Status::NotFound;
}
HEDDLE_API Status cuGetProcAddress(const char* name, void** function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

// The runtime's way there.
HEDDLE_API Status cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                                   unsigned long long flags, Found* found) {
  Found result = Found::Yes;
  const Status status = cuGetProcAddress_v2(name, function, static_cast<int>(version), flags, &result);
  if (found) *found = result;
  return found && status == Status::NotFound ? Status::Success : status;
}
HEDDLE_API Status cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, Found* found) {
  return cudaGetDriverEntryPointByVersion(name, function, kVersion, flags, found);
}
