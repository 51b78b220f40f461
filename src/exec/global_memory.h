// The GPU's memory: one reserved arena, so that a device address is a host address after one addition.
//
// Every allocation is known with its exact size; between two lies a gap that belongs to nobody, and freed memory is
// not handed out again while there is room, so that stray accesses are found. Below it lie the windows through which
// generic addresses reach shared and local memory (address_map.h). The arena can be a file that another process maps,
// at the very addresses kernels use: what managed memory is.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/address_map.h"
#include "base/types.h"

namespace heddle {

struct Extent {  // addresses an access may touch: [begin, begin + bytes)
  Address begin = 0;
  uint64_t bytes = 0;
};

inline constexpr std::string_view kKernelHeap = "malloc in kernel ";  // what labels of a kernel's own begin with

class GlobalMemory {
 public:
  static constexpr Address kBase = kGlobalBase;

  struct Placement {
    Address base = kBase;  // the first address
    bool shared = false;   // a file (descriptor()), for another process to map
  };

  explicit GlobalMemory(Placement placement = {kBase, false});
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // From now on all of it is within reach of addresses of 32 bits. Error (BadProgram) if some is in use that is not.
  void stay_short();
  Address base() const { return base_; }

  Address allocate(size_t bytes, std::string_view label);  // aligned to 256, zero; Error when full
  void free(Address address);                              // Error if it is no live allocation

  std::byte* host(Address address) const { return arena_ + (address - base_); }
  int descriptor() const { return file_; }  // of a shared arena; -1 if it is not
  uint64_t capacity() const { return capacity_; }
  uint64_t reach() const { return next_; }  // bytes from base() on in which allocations lie
  // The live allocation around `address`, or an empty extent.
  Extent extent_at(Address address) const;
  // Is the address beside a live allocation, in a page that hardware would have mapped with it?
  bool beside_allocation(Address address) const;
  // "12 bytes past the end of 'levels' (4096 bytes at 0x…)": for a person.
  std::string describe(Address address) const;
  // Throws Error (Fault) unless the range lies in one live allocation.
  void check(Address address, size_t bytes, const char* what) const;
  uint64_t bytes_in_use() const { return in_use_; }
  uint64_t fingerprint() const;  // of all live allocations
  // Calls f(label, bytes) for each of them, in the order of their addresses.
  template <class F>
  void for_each_live(F&& f) const {
    for (const auto& [address, allocation] : allocations_)
      if (allocation.live) f(allocation.label, std::span<std::byte>(host(address), allocation.bytes));
  }

 private:
  struct Allocation {
    uint64_t bytes;
    std::string label;
    bool live;
  };
  Address room_for(uint64_t bytes);
  bool reserve(uint64_t bytes);
  void discard(uint64_t begin, uint64_t end);  // whole pages, which read as zero from then on

  Address base_;
  int file_ = -1;
  std::byte* arena_ = nullptr;
  uint64_t capacity_ = 0, next_ = 0, in_use_ = 0;
  std::map<Address, Allocation> allocations_;
};

}  // namespace heddle
